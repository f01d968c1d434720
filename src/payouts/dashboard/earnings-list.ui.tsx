import { formatDate } from "#domain/calendar.ts";
import type { ReversalReason } from "#domain/coin-return.ts";
import { formatCents } from "#domain/format-cents.ts";
import type { OwnRaceCard } from "#tips/tips.server.ts";
import { Badge, type BadgeTone } from "#ui/badge.tsx";
import { formatInteger } from "#ui/format-integer.ts";
import { RaceDate } from "#ui/racing/race-time.tsx";
import { RandAmount } from "#ui/rand-amount.tsx";
import { Table, type TableColumn } from "#ui/table.tsx";
import type { EarningStatus, EarningsOfCard } from "../earnings.server.ts";

/** A race card with its sales, in groups of the same state. */
export type SoldRaceCard = { raceCard: OwnRaceCard; groups: EarningsOfCard[] };

const STATUSES: Record<EarningStatus, { tone: BadgeTone; label: string }> = {
  pending: { tone: "plain", label: "Pending" },
  held: { tone: "warn", label: "Held" },
  payable: { tone: "green", label: "Payable" },
  requested: { tone: "info", label: "In a payout" },
  processing: { tone: "info", label: "In a payout" },
  paid: { tone: "solid", label: "Paid" },
  reversed: { tone: "danger", label: "Reversed" },
};
const REVERSAL_REASONS = {
  refund: "The purchase was refunded",
  dispute: "The payment was disputed",
  lost: "The payment was refunded or lost",
  void: "All coins were returned for void races",
  review: "Reversed after review",
  closed: "The account was closed",
} as const;
/** Why an earning is held. Any other reason is a review of the sale. */
const HOLD_REASONS: Partial<Record<string, string>> = {
  dispute: "The buyer's payment is disputed",
  "guest-deal-share": "We're reviewing your sales to new guests",
};

/** Returns the sum of the earnings that count: all but the reversed ones. */
export function sumEarnings(groups: readonly EarningsOfCard[]): number {
  return groups.reduce(
    (sum, group) => sum + (group.status === "reversed" ? 0 : group.amountCents),
    0,
  );
}

/** Returns the number of sales of these groups, reversed ones included. */
export function countSales(groups: readonly EarningsOfCard[]): number {
  return groups.reduce((sum, { sales }) => sum + sales, 0);
}

const COLUMNS: readonly TableColumn<SoldRaceCard>[] = [
  {
    key: "raceCard",
    header: "Race card",
    isRowHeader: true,
    cell: ({ raceCard }) => (
      <>
        {raceCard.venueName}, <RaceDate date={raceCard.raceDate} />
      </>
    ),
  },
  {
    key: "races",
    header: "Races",
    narrowLine: 2,
    isLabelHidden: true,
    cell: ({ raceCard: { races } }) => (
      <span className="whitespace-nowrap text-ink-2">
        {races.length === 1 ? `Race ${races[0]?.raceNumber}` : `${races.length} races`}
      </span>
    ),
  },
  {
    key: "sold",
    header: "Sold",
    narrowLine: 2,
    cell: ({ groups }) => (
      <span className="whitespace-nowrap">{formatInteger(countSales(groups))} sold</span>
    ),
    isLabelHidden: true,
  },
  {
    key: "state",
    header: "State",
    narrowLine: 2,
    isLabelHidden: true,
    cell: ({ groups }) => (
      <ul className="grid gap-1">
        {groups.map((group) => (
          <li key={JSON.stringify(group)}>
            <State group={group} isOnly={groups.length === 1} />
          </li>
        ))}
      </ul>
    ),
  },
  {
    key: "earned",
    header: "Earned",
    narrowLine: 1,
    align: "right",
    cell: ({ groups }) => <RandAmount amountCents={sumEarnings(groups)} areCentsShown />,
  },
];

/** The race cards of a statement, each with its sales, what they earned and their state. */
export function EarningsTable({ raceCards, month }: { raceCards: SoldRaceCard[]; month: string }) {
  return (
    <Table
      className="mt-1"
      caption={`Earnings of ${month} by race card, newest race day first`}
      columns={COLUMNS}
      rows={raceCards}
      rowKey={({ raceCard }) => raceCard.id}
    />
  );
}

function State({ group, isOnly }: { group: EarningsOfCard; isOnly: boolean }) {
  const { tone, label } = STATUSES[group.status];
  const details = [
    isOnly ? null : `${formatInteger(group.sales)} sold, ${formatCents(group.amountCents)}`,
    describeState(group),
    group.reducedFor && group.status !== "reversed"
      ? `${formatCents(group.reducedCents)} less for ${
          group.reducedFor === "lost" ? "refunded or lost payments" : "void races"
        }`
      : null,
  ].filter(Boolean);
  return (
    <span className="inline-flex flex-wrap items-baseline gap-x-2 gap-y-0.5">
      <Badge tone={tone}>{label}</Badge>
      {details.length > 0 ? (
        <span className="text-xs text-ink-2">{details.join(" · ")}</span>
      ) : null}
    </span>
  );
}

function describeState(group: EarningsOfCard): string | null {
  switch (group.status) {
    case "pending":
      return group.payableOn ? `until ${formatDate(group.payableOn)}` : null;
    case "paid":
      return group.paidOn ? `on ${formatDate(group.paidOn)}` : null;
    case "requested":
      return "requested";
    case "processing":
      return "we're making the transfer";
    case "held":
      return HOLD_REASONS[group.heldReason ?? ""] ?? "We're reviewing the sale";
    case "reversed":
      return describeReversal(group, group.reversalReason);
    case "payable":
      return null;
  }
}

function describeReversal({ isSoldAfterRaces }: EarningsOfCard, reason: ReversalReason | null) {
  if (!reason) return null;
  return isSoldAfterRaces ? "Sold after its last race" : REVERSAL_REASONS[reason];
}
