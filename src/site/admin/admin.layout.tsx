import { LogOut } from "lucide-react";
import { useEffect } from "react";
import { Form, Outlet, useLocation } from "react-router";
import { readAdmin, requireAdmin } from "#admin-kit/admin-kit.server.ts";
import { countUsers } from "#identity/identity.server.ts";
import { SignInForm } from "#identity/identity.ui.tsx";
import { readPurchaseSummary } from "#payments/payments.server.ts";
import { countOpenPayouts } from "#payouts/payouts.server.ts";
import { logFailure } from "#platform/log-failure.server.ts";
import { countTips } from "#tips/tips.server.ts";
import { Button } from "#ui/button.tsx";
import { formatInteger } from "#ui/format-integer.ts";
import { LinkTabs } from "#ui/link-tabs.tsx";
import { RandAmount } from "#ui/rand-amount.tsx";
import { StatRow } from "#ui/stat.tsx";
import { TextLink } from "#ui/text-link.tsx";
import type { Route } from "./+types/admin.layout.ts";
import { countAttention, totalAttention } from "./read-attention.server.ts";

const ROOT = "/admin";

export async function loader({ request, context }: Route.LoaderArgs) {
  const { pathname } = new URL(request.url);
  const admin = await readAdmin(context);
  if (!admin) {
    // /admin shows the sign-in form. Other admin paths redirect guests and return 403 to users.
    if (pathname.replace(/(\.data|\/)$/, "") === ROOT) return { admin: null };
    await requireAdmin(context);
  }
  const [users, tips, sales, attention, payouts] = await Promise.all([
    nullOnError(countUsers()),
    nullOnError(countTips()),
    nullOnError(readPurchaseSummary()),
    nullOnError(countAttention()),
    nullOnError(countOpenPayouts()),
  ]);
  return {
    admin: { name: admin?.name ?? "" },
    totals: {
      users,
      tips,
      sales: sales?.purchases ?? null,
      revenueCents: sales?.revenueCents ?? null,
    },
    waiting: {
      attention: attention ? totalAttention(attention) : null,
      applications: attention?.applications ?? null,
      payouts,
    },
  };
}

/** Returns null if the query fails, so that one failure does not hide the other totals. */
async function nullOnError<Total>(total: Promise<Total>): Promise<Total | null> {
  try {
    return await total;
  } catch (error) {
    logFailure("error", { error }, "failed to load admin statistics");
    return null;
  }
}

type Tab = { to: string; label: string; count?: number | null };

/** The admin area with its tabs and totals, or the sign-in form. */
export default function AdminLayout({ loaderData }: Route.ComponentProps) {
  const { pathname } = useLocation();
  useEffect(() => {
    // Loaded early, because it shows connection errors.
    void import("#ui/notifications/toast-region.tsx");
  }, []);
  if (!loaderData.admin) return <SignInForm />;
  const { admin, totals, waiting } = loaderData;
  const tabs: Tab[] = [
    { to: ROOT, label: "Tips Management" },
    { to: `${ROOT}/venues`, label: "Venues Management" },
    { to: `${ROOT}/sales`, label: "Sales Overview" },
    { to: `${ROOT}/tipsters`, label: "Tipsters", count: waiting.applications },
    { to: `${ROOT}/payouts`, label: "Payouts", count: waiting.payouts },
    { to: `${ROOT}/users`, label: "Users" },
    { to: `${ROOT}/attention`, label: "Needs Attention", count: waiting.attention },
    { to: `${ROOT}/audit`, label: "Audit" },
  ];
  const current = findTab(pathname);
  const isRoot = tabs.some((tab) => tab.to === pathname);
  return (
    <div className="mx-auto max-w-6xl px-4 py-6 sm:px-6">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <h1 className="font-cond text-2xl font-bold">Admin</h1>
        <div className="flex flex-wrap items-center gap-3">
          <span className="text-sm text-ink-2">{admin.name}</span>
          <TextLink to={`${ROOT}/two-step`} standalone className="text-sm">
            Two-step login
          </TextLink>
          <Form method="post" action="/logout">
            <Button
              type="submit"
              variant="secondary"
              size="small"
              icon={<LogOut aria-hidden="true" />}
            >
              Logout
            </Button>
          </Form>
        </div>
      </div>
      {isRoot ? <Totals {...totals} /> : null}
      <LinkTabs
        label="Admin"
        className="mt-4"
        tabs={tabs.map(({ count, ...tab }) => ({
          ...tab,
          count: count || undefined,
          current: tab.to === current,
        }))}
      />
      <div className="pt-6">
        <Outlet />
      </div>
    </div>
  );
}

/** Returns the tab that a path belongs to. */
function findTab(pathname: string): string {
  const [, , segment = ""] = pathname.split("/");
  if (["", "tips", "race-cards"].includes(segment)) return ROOT;
  if (segment === "mails") return `${ROOT}/users`;
  return `${ROOT}/${segment}`;
}

function Totals(totals: {
  users: number | null;
  tips: number | null;
  sales: number | null;
  revenueCents: number | null;
}) {
  const formatTotal = (value: number | null) => (value === null ? "–" : formatInteger(value));
  return (
    <StatRow
      className="mt-4"
      stats={[
        { label: "Total Users", value: formatTotal(totals.users) },
        { label: "Racing Tips", value: formatTotal(totals.tips) },
        { label: "Total Sales", value: formatTotal(totals.sales) },
        {
          label: "Revenue",
          value:
            totals.revenueCents === null ? (
              "–"
            ) : (
              <RandAmount amountCents={totals.revenueCents} cents size="large" />
            ),
        },
      ]}
    />
  );
}
