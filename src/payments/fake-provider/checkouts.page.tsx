import { data, Link } from "react-router";
import { formatInstant } from "#domain/calendar.ts";
import { Badge } from "#ui/badge.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { PageHeading } from "#ui/page-heading.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { RandAmount } from "#ui/rand-amount.tsx";
import type { Route } from "./+types/checkouts.page.ts";
import { FakeCheckoutPanel } from "./fake-checkout-panel.ui.tsx";
import { isPaymentFake, listFakeCheckouts } from "./fake-providers.server.ts";

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: "Demo payments",
    description: "Demo payments to refund or dispute. No real money is involved.",
    isPrivate: true,
  });

export async function loader() {
  if (!isPaymentFake()) throw data(null, { status: 404 });
  const checkouts = await listFakeCheckouts();
  return {
    checkouts: checkouts.slice(0, 50).map(({ createdAt, ...checkout }) => ({
      id: checkout.id,
      title: checkout.title,
      amountCents: checkout.amountCents,
      customerEmail: checkout.customerEmail,
      status: checkout.status,
      startedAt: formatInstant(createdAt),
    })),
  };
}

/** Lists the latest demo payments, with links to refund or dispute them. */
export default function Checkouts({ loaderData }: Route.ComponentProps) {
  const { checkouts } = loaderData;
  return (
    <FakeCheckoutPanel>
      <PageHeading lead="The 50 newest. Open one to complete, refund or dispute it.">
        Demo payments
      </PageHeading>
      {checkouts.length === 0 ? (
        <EmptyState title="No payments yet">Payments appear here when you buy coins.</EmptyState>
      ) : (
        <ul className="mt-6 rounded-md border border-rule bg-sheet">
          {checkouts.map((checkout) => (
            <li key={checkout.id} className="border-b border-rule last:border-b-0">
              <Link
                to={`/demo/checkout/${checkout.id}`}
                className="grid grid-cols-[1fr_auto] gap-x-4 px-4 py-3 hover:bg-well"
              >
                <span className="font-semibold">{checkout.title}</span>
                <RandAmount amountCents={checkout.amountCents} />
                <span className="min-w-0 truncate text-sm text-ink-2">
                  {checkout.startedAt} · {checkout.customerEmail}
                </span>
                <Badge>{checkout.status}</Badge>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </FakeCheckoutPanel>
  );
}
