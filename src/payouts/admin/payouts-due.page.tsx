import { requireAdmin } from "#admin-kit/admin-kit.server.ts";
import { ListPagination } from "#admin-kit/admin-kit.ui.tsx";
import { formatDate } from "#domain/calendar.ts";
import { Badge } from "#ui/badge.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { DateTime } from "#ui/racing/race-time.tsx";
import { RandAmount } from "#ui/rand-amount.tsx";
import { StatRow } from "#ui/stat.tsx";
import { Table, type TableColumn } from "#ui/table.tsx";
import { listDuePayouts } from "../list-due-payouts.server.ts";
import type { Route } from "./+types/payouts-due.page.ts";
import { creatorColumn } from "./creator-column.ui.tsx";
import { addCreatorNames } from "./creator-names.server.ts";
import { PayoutsTabs } from "./payouts-tabs.ui.tsx";

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: "Due payouts, Admin",
    description: "Payouts due on the 15th.",
    isPrivate: true,
  });

export async function loader({ request, context }: Route.LoaderArgs) {
  await requireAdmin(context);
  const { due, ...totals } = await listDuePayouts({
    cursor: new URL(request.url).searchParams.get("after"),
  });
  return {
    ...totals,
    due: await addCreatorNames(due),
  };
}

type DuePayoutRow = Route.ComponentProps["loaderData"]["due"][number];

/** Shows what the next run on the 15th will pay as of now: totals, and a page of creators. */
export default function PayoutsDue({ loaderData }: Route.ComponentProps) {
  const { payDay, due, next, dueCreators, dueCents, carriedCreators, carriedCents } = loaderData;
  return (
    <div className="grid gap-5">
      <h2 className="sr-only">Due payouts</h2>
      <PayoutsTabs current="due" />
      <StatRow
        stats={[
          {
            label: `Due on ${formatDate(payDay)}`,
            value: <RandAmount amountCents={dueCents} areCentsShown size="large" />,
            note: `${dueCreators} ${dueCreators === 1 ? "tipster" : "tipsters"}`,
          },
          {
            label: "Carried forward, below R100",
            value: <RandAmount amountCents={carriedCents} areCentsShown size="large" />,
            note: `${carriedCreators} ${carriedCreators === 1 ? "tipster" : "tipsters"}`,
          },
        ]}
      />
      <p className="max-w-prose text-sm text-ink-2">
        Earnings that are payable when the payouts are created, less anything held, reversed, in
        progress or paid. This changes until then. A suspended tipster is paid any amount, as soon
        as all of it is payable.
      </p>
      <Table
        caption={`Due on ${formatDate(payDay)}`}
        columns={columns}
        rows={due}
        rowKey={(payout) => payout.creatorId}
        empty={
          <EmptyState compact drawing="ledger" title="No payouts found">
            No one is due R100 or more on {formatDate(payDay, "long")}.
          </EmptyState>
        }
      />
      <ListPagination label="Due payouts" nextCursor={next} />
    </div>
  );
}

const columns: readonly TableColumn<DuePayoutRow>[] = [
  creatorColumn,
  {
    key: "due",
    header: "Due",
    align: "right",
    cell: (payout) => <RandAmount amountCents={payout.dueCents} areCentsShown />,
  },
  {
    key: "account",
    header: "Account",
    cell: (payout) =>
      payout.accountLast4 ? <span className="font-cond">…{payout.accountLast4}</span> : "–",
  },
  {
    key: "stands",
    header: "Blocked by",
    cell: (payout) => <BlockReason payout={payout} />,
  },
];

function BlockReason({ payout }: { payout: DuePayoutRow }) {
  if (payout.hasOpenPayout) return <Badge tone="info">Payout in progress</Badge>;
  if (!payout.accountLast4) return <Badge tone="danger">No bank details</Badge>;
  if (payout.bankDetailsBlockedUntil)
    return (
      <span className="text-sm">
        Bank details changed, blocked until <DateTime at={payout.bankDetailsBlockedUntil} />
      </span>
    );
  return <span className="text-ink-3">Nothing</span>;
}
