import { LogOut } from "lucide-react";
import { useEffect } from "react";
import { Form, Outlet, redirect, useLocation } from "react-router";
import { mayManageTwoStep, readAdmin, requireAdmin } from "#admin-kit/admin-kit.server.ts";
import { CodeContext } from "#admin-kit/admin-kit.ui.tsx";
import {
  countUsers,
  findViewer,
  isAwaitingTwoStep,
  readCodeState,
} from "#identity/identity.server.ts";
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
import { countAttention, sumAttention } from "./read-attention.server.ts";

const ROOT = "/admin";
const TWO_STEP_PATH = "/admin/two-step";

export async function loader({ request, context }: Route.LoaderArgs) {
  const { pathname } = new URL(request.url);
  const admin = await readAdmin(context);
  if (!admin) {
    const viewer = await findViewer(context);
    const isTwoStepPath = pathname.startsWith(TWO_STEP_PATH);
    if (isTwoStepPath && viewer && (await mayManageTwoStep(context)))
      return { admin: null, twoStepOf: viewer.name };
    // An invited admin must set up two-step login before anything else.
    if (!isTwoStepPath && viewer && (await isAwaitingTwoStep(viewer.id)))
      throw redirect(TWO_STEP_PATH);
    // /admin shows the sign-in form. Other admin paths redirect guests and return 403 to users.
    if (pathname.replace(/(\.data|\/)$/, "") === ROOT) return { admin: null, twoStepOf: null };
  }
  const viewer = admin ?? (await requireAdmin(context));
  const [users, tips, purchases, attention, payouts] = await Promise.all([
    nullOnError(countUsers()),
    nullOnError(countTips()),
    nullOnError(readPurchaseSummary()),
    nullOnError(countAttention()),
    nullOnError(countOpenPayouts()),
  ]);
  return {
    admin: { name: viewer.name },
    code: await readCodeState(viewer, context),
    totals: {
      users,
      tips,
      purchases: purchases?.purchases ?? null,
      revenueCents: purchases?.revenueCents ?? null,
    },
    waiting: {
      attention: attention ? sumAttention(attention) : null,
      applications: attention?.applications ?? null,
      results: attention?.results ?? null,
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
  if (!loaderData.admin)
    return loaderData.twoStepOf === null ? (
      <SignInForm />
    ) : (
      <div className="mx-auto max-w-6xl px-4 py-6 sm:px-6">
        <Heading name={loaderData.twoStepOf} />
        <div className="pt-6">
          <Outlet />
        </div>
      </div>
    );
  const { admin, code, totals, waiting } = loaderData;
  const tabs: Tab[] = [
    { to: ROOT, label: "Tips Management" },
    { to: `${ROOT}/venues`, label: "Venues Management" },
    { to: `${ROOT}/results`, label: "Race Results", count: waiting.results },
    { to: `${ROOT}/purchases`, label: "Sales Overview" },
    { to: `${ROOT}/tipsters`, label: "Tipsters", count: waiting.applications },
    { to: `${ROOT}/payouts`, label: "Payouts", count: waiting.payouts },
    { to: `${ROOT}/users`, label: "Users" },
    { to: `${ROOT}/admins`, label: "Admins" },
    { to: `${ROOT}/attention`, label: "Needs Attention", count: waiting.attention },
    { to: `${ROOT}/audit`, label: "Audit" },
  ];
  const current = findTab(pathname);
  const isRoot = tabs.some((tab) => tab.to === pathname);
  return (
    <div className="mx-auto max-w-6xl px-4 py-6 sm:px-6">
      <Heading name={admin.name} />
      {isRoot ? <Totals {...totals} /> : null}
      <LinkTabs
        label="Admin"
        className="mt-4 md:flex-wrap"
        tabs={tabs.map(({ count, ...tab }) => ({
          ...tab,
          count: count || undefined,
          current: tab.to === current,
        }))}
      />
      <div className="pt-6">
        <CodeContext value={code}>
          <Outlet />
        </CodeContext>
      </div>
    </div>
  );
}

function Heading({ name }: { name: string }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
      <h1 className="font-cond text-2xl font-bold">Admin</h1>
      <div className="flex flex-wrap items-center gap-3">
        <span className="text-sm text-ink-2">{name}</span>
        <TextLink to={TWO_STEP_PATH} standalone className="text-sm">
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
  );
}

/** Returns the tab that a path belongs to. */
function findTab(pathname: string): string {
  const [, , segment = ""] = pathname.split("/");
  if (["", "tips", "race-cards"].includes(segment)) return ROOT;
  if (segment === "race-days") return `${ROOT}/venues`;
  if (segment === "emails") return `${ROOT}/users`;
  return `${ROOT}/${segment}`;
}

function Totals(totals: {
  users: number | null;
  tips: number | null;
  purchases: number | null;
  revenueCents: number | null;
}) {
  const formatTotal = (value: number | null) => (value === null ? "–" : formatInteger(value));
  return (
    <StatRow
      className="mt-4"
      stats={[
        { label: "Total Users", value: formatTotal(totals.users) },
        { label: "Racing Tips", value: formatTotal(totals.tips) },
        { label: "Total Sales", value: formatTotal(totals.purchases) },
        {
          label: "Revenue",
          value:
            totals.revenueCents === null ? (
              "–"
            ) : (
              <RandAmount amountCents={totals.revenueCents} areCentsShown size="large" />
            ),
        },
      ]}
    />
  );
}
