import { requireAdmin } from "#admin-kit/admin-kit.server.ts";
import { AdminActionButton, ListPagination } from "#admin-kit/admin-kit.ui.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { DateTime } from "#ui/racing/race-time.tsx";
import { RandAmount } from "#ui/rand-amount.tsx";
import { Table, type TableColumn } from "#ui/table.tsx";
import { listPayouts } from "../list-payouts.server.ts";
import type { Route } from "./+types/payouts-history.page.ts";
import { creatorColumn } from "./creator-column.ui.tsx";
import { addCreatorNames } from "./creator-names.server.ts";
import { parsePayoutsQuery } from "./parse-payouts-query.server.ts";
import { PayoutsFilters } from "./payouts-filters.ui.tsx";
import { PayoutsTabs } from "./payouts-tabs.ui.tsx";

export const meta: Route.MetaFunction = () =>
  pageMeta({ title: "Paid, Admin", description: "Paid payouts.", isPrivate: true });

export async function loader({ request, context }: Route.LoaderArgs) {
  await requireAdmin(context);
  const query = await parsePayoutsQuery(request);
  const { payouts, next } = await listPayouts({ ...query, isPaid: true });
  return {
    payouts: await addCreatorNames(payouts),
    next,
  };
}

type PayoutRow = Route.ComponentProps["loaderData"]["payouts"][number];

/** Lists paid payouts, newest first. */
export default function PayoutsHistory({ loaderData }: Route.ComponentProps) {
  const { payouts, next } = loaderData;
  return (
    <div className="grid gap-5">
      <h2 className="sr-only">Paid payouts</h2>
      <PayoutsTabs current="paid" />
      <PayoutsFilters />
      <Table
        caption="Paid payouts"
        columns={columns}
        rows={payouts}
        rowKey={(payout) => payout.id}
        empty={
          <EmptyState compact drawing="ledger" title="No payouts found">
            Nothing has been paid out yet.
          </EmptyState>
        }
      />
      <ListPagination label="Payouts" nextCursor={next} />
    </div>
  );
}

const columns: readonly TableColumn<PayoutRow>[] = [
  creatorColumn,
  {
    key: "amount",
    header: "Amount",
    align: "right",
    cell: (payout) => <RandAmount amountCents={payout.amountCents} areCentsShown />,
  },
  { key: "requested", header: "Requested", cell: (payout) => <DateTime at={payout.requestedAt} /> },
  {
    key: "processing",
    header: "Processing since",
    cell: (payout) => (payout.processingAt ? <DateTime at={payout.processingAt} /> : "–"),
  },
  {
    key: "paid",
    header: "Paid",
    cell: (payout) => (payout.paidAt ? <DateTime at={payout.paidAt} /> : "–"),
  },
  {
    key: "transfer",
    header: "Transfer",
    // The bank can send it back later.
    cell: (payout) =>
      payout.transfer ? (
        <AdminActionButton
          action="/admin/payouts/ask-provider"
          fields={{ payout: payout.id }}
          label={`Ask Paystack now about the payout for ${payout.creatorName}`}
        >
          Ask Paystack now
        </AdminActionButton>
      ) : (
        "–"
      ),
  },
];
