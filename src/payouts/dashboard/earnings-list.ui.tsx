import { dateAt } from "#domain/calendar.ts";
import type { ReversalReason } from "#domain/coin-return.ts";
import { formatCents } from "#domain/format-cents.ts";
import type { OwnRaceCard } from "#tips/tips.server.ts";
import { Badge, type BadgeTone } from "#ui/badge.tsx";
import { CoinAmount } from "#ui/coin-amount.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { DateTime, RaceDate } from "#ui/racing/race-time.tsx";
import { RandAmount } from "#ui/rand-amount.tsx";
import { Table, type TableColumn } from "#ui/table.tsx";
import type { Earning, EarningStatus } from "../earnings.server.ts";

type RaceCardsById = Record<string, OwnRaceCard>;

const STATUSES: Record<EarningStatus, { tone: BadgeTone; label: string }> = {
  pending: { tone: "plain", label: "Pending" },
  held: { tone: "warn", label: "Held" },
  payable: { tone: "green", label: "Payable" },
  requested: { tone: "info", label: "Requested" },
  processing: { tone: "info", label: "Processing" },
  paid: { tone: "solid", label: "Paid" },
  reversed: { tone: "danger", label: "Reversed" },
};
const REVERSAL_REASONS = {
  refund: "The purchase was refunded",
  dispute: "The payment was disputed",
  lost: "The payment was refunded or lost",
  void: "All races were void",
  review: "Reversed after review",
  closed: "The account was closed",
} as const;

/** Earnings, one row per sale. */
export function EarningsTable({
  earnings,
  raceCards,
}: {
  earnings: Earning[];
  raceCards: RaceCardsById;
}) {
  return (
    <Table
      className="mt-1"
      caption="Earnings, newest first"
      columns={buildColumns(raceCards)}
      rows={earnings}
      rowKey={(earning) => `${earning.saleId}`}
    />
  );
}

function buildColumns(raceCards: RaceCardsById): readonly TableColumn<Earning>[] {
  return [
    {
      key: "raceCard",
      header: "Race card",
      isRowHeader: true,
      cell: (earning) => <RaceCardName raceCard={raceCards[earning.raceCardId]} />,
    },
    {
      key: "sold",
      header: "Sold",
      narrowLine: 2,
      cell: (earning) => <DateTime at={earning.soldAt} style="short" />,
    },
    {
      key: "coins",
      header: "Coins",
      align: "right",
      cell: (earning) => <CoinAmount amountCoins={earning.coins} isUnitVisible={false} />,
    },
    {
      key: "earned",
      header: "Earned",
      narrowLine: 1,
      align: "right",
      cell: (earning) => (
        <RandAmount
          amountCents={earning.amountCents}
          areCentsShown
          isStruckThrough={earning.status === "reversed"}
        />
      ),
    },
    {
      key: "status",
      header: "Status",
      narrowLine: 2,
      isLabelHidden: true,
      align: "right",
      cell: (earning) => <Status earning={earning} />,
    },
  ];
}

function Status({ earning }: { earning: Earning }) {
  const { tone, label } = STATUSES[earning.status];
  return (
    <span className="inline-flex flex-wrap items-baseline justify-end gap-x-2 gap-y-0.5">
      <Badge tone={tone}>{label}</Badge>
      {earning.status === "pending" ? (
        <span className="hidden text-xs whitespace-nowrap text-ink-3 @2xl:inline">
          payable <RaceDate date={dateAt(earning.payableAt)} />
        </span>
      ) : null}
      {earning.reversalReason ? (
        <span className="text-xs text-ink-3">
          {describeReversal(earning, earning.reversalReason)}
        </span>
      ) : earning.amountCents < earning.fullEarningCents ? (
        <span className="text-xs text-ink-3">
          {formatCents(earning.fullEarningCents - earning.amountCents)} less for{" "}
          {earning.lackingCoins > 0 ? "refunded or lost payments" : "void races"}
        </span>
      ) : null}
    </span>
  );
}

function describeReversal({ isSoldAfterRaces }: Earning, reason: ReversalReason): string {
  return reason === "void" && isSoldAfterRaces
    ? "Sold after its last race"
    : REVERSAL_REASONS[reason];
}

const VISIBLE_SALES = 10;

/** The latest sales: ten visible, the others in a disclosure. Never shows the buyer. */
export function RecentSales({ sales, raceCards }: { sales: Earning[]; raceCards: RaceCardsById }) {
  if (sales.length === 0)
    return (
      <EmptyState compact drawing="raceCard" title="No sales yet">
        Your sales appear here.
      </EmptyState>
    );
  const renderSale = (sale: Earning) => (
    <li
      key={sale.saleId}
      className="flex items-baseline justify-between gap-4 border-b border-rule py-2 text-sm"
    >
      <span className="min-w-0">
        <RaceCardName raceCard={raceCards[sale.raceCardId]} />
        <span className="block text-xs text-ink-3">
          <DateTime at={sale.soldAt} style="short" />
        </span>
      </span>
      <RandAmount
        amountCents={sale.amountCents}
        areCentsShown
        isStruckThrough={sale.status === "reversed"}
      />
    </li>
  );
  return (
    <>
      <ul className="mt-1">{sales.slice(0, VISIBLE_SALES).map(renderSale)}</ul>
      {sales.length > VISIBLE_SALES ? (
        <details>
          <summary className="link inline-flex min-h-11 items-center text-sm">
            {sales.length - VISIBLE_SALES} more sales
          </summary>
          <ul>{sales.slice(VISIBLE_SALES).map(renderSale)}</ul>
        </details>
      ) : null}
    </>
  );
}

/** Names a race card by venue, date and races. */
function RaceCardName({ raceCard }: { raceCard: OwnRaceCard | undefined }) {
  if (!raceCard) return <span>A card</span>;
  const [firstRace] = raceCard.races;
  const lastRace = raceCard.races.at(-1);
  return (
    <span className="block min-w-0">
      <span className="font-semibold">
        {raceCard.venueName}, <RaceDate date={raceCard.raceDate} />
      </span>
      <span className="block text-xs font-normal text-ink-2">
        {raceCard.races.length === 1 && firstRace
          ? `Race ${firstRace.raceNumber}: #${firstRace.horseNumber} ${firstRace.horseName}`
          : `${raceCard.races.length} races, ${firstRace?.raceNumber} to ${lastRace?.raceNumber}`}
      </span>
    </span>
  );
}
