import { data, Link } from "react-router";
import { formatInstant } from "#domain/calendar.ts";
import { env } from "#platform/env.server.ts";
import { Badge } from "#ui/badge.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { PageHeading } from "#ui/page-heading.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { RandAmount } from "#ui/rand-amount.tsx";
import type { Route } from "./+types/checkouts.page.ts";
import { FakeCheckoutPanel } from "./fake-checkout-panel.ui.tsx";
import { listSessions } from "./fake-stripe-session.server.ts";

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: "Demo payments",
    description: "Demo payments to refund or dispute. No real money is involved.",
    isPrivate: true,
  });

export async function loader() {
  if (!env().stripe.isFake) throw data(null, { status: 404 });
  const sessions = await listSessions();
  return {
    sessions: sessions.map((session) => ({
      id: session.id,
      title: session.title,
      amountCents: session.amountCents,
      customerEmail: session.customerEmail,
      state: session.status === "complete" ? session.paymentStatus : session.status,
      startedAt: formatInstant(session.createdAt),
    })),
  };
}

/** Lists the latest demo payments, with links to refund or dispute them. */
export default function Checkouts({ loaderData }: Route.ComponentProps) {
  const { sessions } = loaderData;
  return (
    <FakeCheckoutPanel>
      <PageHeading lead="The 50 newest. Open one to complete, refund or dispute it.">
        Demo payments
      </PageHeading>
      {sessions.length === 0 ? (
        <EmptyState title="No payments yet">Payments appear here when you buy coins.</EmptyState>
      ) : (
        <ul className="mt-6 rounded-md border border-rule bg-sheet">
          {sessions.map((session) => (
            <li key={session.id} className="border-b border-rule last:border-b-0">
              <Link
                to={`/demo/checkout/${session.id}`}
                className="grid grid-cols-[1fr_auto] gap-x-4 px-4 py-3 hover:bg-well"
              >
                <span className="font-semibold">{session.title}</span>
                <RandAmount amountCents={session.amountCents} />
                <span className="min-w-0 truncate text-sm text-ink-2">
                  {session.startedAt} · {session.customerEmail}
                </span>
                <Badge>{session.state}</Badge>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </FakeCheckoutPanel>
  );
}
