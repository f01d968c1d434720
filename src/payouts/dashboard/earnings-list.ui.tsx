import { dateAt } from "#domain/calendar.ts";
import type { OwnRaceCard } from "#tips/tips.server.ts";
import { Badge, type BadgeTone } from "#ui/badge.tsx";
import { CoinAmount } from "#ui/coin-amount.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { DateTime, RaceDate } from "#ui/racing/race-time.tsx";
import { RandAmount } from "#ui/rand-amount.tsx";
import type { Earning, EarningStatus } from "../earnings.server.ts";

type Cards = Record<string, OwnRaceCard>;

const STATUSES: Record<EarningStatus, { tone: BadgeTone; word: string }> = {
  pending: { tone: "plain", word: "Pending" },
  held: { tone: "warn", word: "Held" },
  payable: { tone: "green", word: "Payable" },
  requested: { tone: "info", word: "Requested" },
  processing: { tone: "info", word: "Processing" },
  paid: { tone: "solid", word: "Paid" },
  reversed: { tone: "danger", word: "Reversed" },
};
const REASONS = {
  refund: "The purchase was refunded",
  dispute: "The payment was disputed",
  void: "All races were void",
  review: "Reversed after review",
} as const;

// A table on wide screens; two lines per sale on a phone.
const rowLook =
  "grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-4 gap-y-1 border-b border-rule py-2.5 @3xl:table-row @3xl:py-0";
const cellLook = "@3xl:border-b @3xl:border-rule @3xl:py-2.5 @3xl:pr-4 @3xl:align-middle";
const headings = [
  { name: "Race card", side: "text-left" },
  { name: "Sold", side: "text-left" },
  { name: "Coins", side: "pr-4 text-right" },
  { name: "Earned", side: "pr-4 text-right" },
  { name: "Status", side: "text-right" },
];

/** Earnings, one row per sale. */
export function EarningsTable({ earnings, cards }: { earnings: Earning[]; cards: Cards }) {
  return (
    <div className="@container">
      {/* biome-ignore-start lint/a11y/noRedundantRoles: display: block removes the implicit roles */}
      <table role="table" className="mt-1 block w-full text-sm @3xl:table">
        <caption className="sr-only">Earnings, newest first</caption>
        <thead role="rowgroup" className="sr-only @3xl:not-sr-only @3xl:table-header-group">
          <tr role="row">
            {headings.map(({ name, side }) => (
              <th
                key={name}
                scope="col"
                role="columnheader"
                className={`caps border-b border-ink py-1.5 text-ink-2 ${side}`}
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" className="block @3xl:table-row-group">
          {earnings.map((earning) => (
            <tr key={earning.saleId} role="row" className={rowLook}>
              <th scope="row" role="rowheader" className={`${cellLook} text-left font-normal`}>
                <CardName card={cards[earning.raceCardId]} />
              </th>
              <td role="cell" className={`${cellLook} order-3 text-xs text-ink-2 @3xl:text-sm`}>
                <span className="@3xl:hidden">Sold </span>
                <DateTime at={earning.soldAt} style="short" />
              </td>
              <td role="cell" className={`${cellLook} hidden text-right @3xl:table-cell`}>
                <CoinAmount amountCoins={earning.coins} unitShown={false} />
              </td>
              <td role="cell" className={`${cellLook} text-right`}>
                <RandAmount
                  amountCents={earning.amountCents}
                  cents
                  struck={earning.status === "reversed"}
                />
              </td>
              <td role="cell" className={`${cellLook} order-4 text-right @3xl:pr-0!`}>
                <Status earning={earning} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {/* biome-ignore-end lint/a11y/noRedundantRoles: display: block removes the implicit roles */}
    </div>
  );
}

function Status({ earning }: { earning: Earning }) {
  const { tone, word } = STATUSES[earning.status];
  return (
    <span className="inline-flex flex-wrap items-baseline justify-end gap-x-2 gap-y-0.5">
      <Badge tone={tone}>{word}</Badge>
      {earning.status === "pending" ? (
        <span className="hidden text-xs whitespace-nowrap text-ink-3 @3xl:inline">
          payable <RaceDate date={dateAt(earning.payableAt)} />
        </span>
      ) : null}
      {earning.reversedFor ? (
        <span className="text-xs text-ink-3">{REASONS[earning.reversedFor]}</span>
      ) : null}
    </span>
  );
}

const SHOWN = 10;

/** The latest sales: ten visible, the others in a disclosure. Never shows the buyer. */
export function RecentSales({ sales, cards }: { sales: Earning[]; cards: Cards }) {
  if (sales.length === 0)
    return (
      <EmptyState compact drawing="raceCard" title="No sales yet">
        Your sales appear here.
      </EmptyState>
    );
  const line = (sale: Earning) => (
    <li
      key={sale.saleId}
      className="flex items-baseline justify-between gap-4 border-b border-rule py-2 text-sm"
    >
      <span className="min-w-0">
        <CardName card={cards[sale.raceCardId]} />
        <span className="block text-xs text-ink-3">
          <DateTime at={sale.soldAt} style="short" />
        </span>
      </span>
      <RandAmount amountCents={sale.amountCents} cents struck={sale.status === "reversed"} />
    </li>
  );
  return (
    <>
      <ul className="mt-1">{sales.slice(0, SHOWN).map(line)}</ul>
      {sales.length > SHOWN ? (
        <details>
          <summary className="link inline-flex min-h-11 items-center text-sm">
            {sales.length - SHOWN} more sales
          </summary>
          <ul>{sales.slice(SHOWN).map(line)}</ul>
        </details>
      ) : null}
    </>
  );
}

/** Names a race card by venue, date and races. */
function CardName({ card }: { card: OwnRaceCard | undefined }) {
  if (!card) return <span>A card</span>;
  const [first] = card.races;
  const last = card.races.at(-1);
  return (
    <span className="block min-w-0">
      <span className="font-semibold">
        {card.venueName}, <RaceDate date={card.raceDate} />
      </span>
      <span className="block text-xs font-normal text-ink-2">
        {card.races.length === 1 && first
          ? `Race ${first.raceNumber}: #${first.horseNumber} ${first.horseName}`
          : `${card.races.length} races, ${first?.raceNumber} to ${last?.raceNumber}`}
      </span>
    </span>
  );
}
