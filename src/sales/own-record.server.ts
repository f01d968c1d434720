import type { CalendarDate } from "#domain/calendar.ts";
import { computeLevelStakeResult } from "#domain/figures/level-stakes.ts";
import { TIP_STAKE_CENTS } from "#domain/settlement.ts";
import { queryPrepared } from "#platform/database.server.ts";
import { BET_COLUMNS, type BetColumns, withBets } from "#tips/tips.server.ts";

/** How the race cards that a user opened for a day or month of racing have done, by official results. */
export type OwnRecord = {
  /** A date, or a month as 2026-11; empty for all days. */
  period: string;
  raceCards: number;
  /** What they cost, less the coins returned for void races. */
  coins: number;
  cents: number;
  /** Tips that count: officially settled, neither void nor late. Placed each-way tips are won. */
  settled: number;
  won: number;
  /** The bets with known prices, with the same stake on each tip: to win at the starting price, to place at the tote. */
  staked: { tips: number; unpriced: number; cents: number; returnedCents: number };
};

/** How much of a date names the period. */
const PERIOD_LENGTHS = { day: 10, month: 7, all: 0 };

type SettledRow = BetColumns & { raceDate: CalendarDate; raceCardId: string; hasLost: boolean };

/** Returns a user's own record by race day or month, the newest first, or in one, for races from a date until another. */
export async function readOwnRecord(
  userId: string,
  by: "day" | "month" | "all",
  { from, until }: { from: CalendarDate; until: CalendarDate },
): Promise<OwnRecord[]> {
  const [opened, settled] = await Promise.all([
    queryPrepared<{ raceDate: CalendarDate; coins: number; cents: number }>(
      "own-record-sales",
      `select c.race_date as "raceDate", s.price_coins - r.coins as coins,
         round(s.price_cents::numeric * (s.price_coins - r.coins) / s.price_coins)::integer as cents
       from sales s join race_cards c on c.id = s.race_card_id and c.race_date between $2::date and $3::date,
         lateral (select coalesce(sum(n.coins), 0)::integer as coins from coin_returns n where n.sale_id = s.id) r
       where s.buyer_id = $1`,
      [userId, from, until],
    ),
    queryPrepared<SettledRow>(
      "own-record-tips",
      `select s.race_date as "raceDate", s.race_card_id as "raceCardId",
         s.outcome = 'lost' as "hasLost", ${BET_COLUMNS}
       from sales o join settled_tips s on s.race_card_id = o.race_card_id
         and s.race_date between $2::date and $3::date
         and (s.hidden_at is null or s.hidden_at > o.created_at)
         and s.outcome <> 'void' and not s.is_late
       where o.buyer_id = $1`,
      [userId, from, until],
    ),
  ]);
  const toPeriod = ({ raceDate }: { raceDate: CalendarDate }) =>
    raceDate.slice(0, PERIOD_LENGTHS[by]);
  const settledByPeriod = Map.groupBy(settled, toPeriod);
  return [...Map.groupBy(opened, toPeriod)]
    .map(([period, sales]) => toOwnRecord(period, sales, settledByPeriod.get(period) ?? []))
    .sort((a, b) => b.period.localeCompare(a.period));
}

function toOwnRecord(
  period: string,
  sales: readonly { coins: number; cents: number }[],
  settled: readonly SettledRow[],
): OwnRecord {
  const { tips, unpriced, stakedCents, profitCents, cardsCostCents } = computeLevelStakeResult(
    settled.map(withBets),
    TIP_STAKE_CENTS,
  );
  return {
    period,
    raceCards: sales.length,
    coins: sales.reduce((sum, { coins }) => sum + coins, 0),
    cents: sales.reduce((sum, { cents }) => sum + cents, 0),
    settled: settled.length,
    won: settled.filter(({ hasLost }) => !hasLost).length,
    // The buyer's own cost of the race cards stands beside it.
    staked: {
      tips,
      unpriced,
      cents: stakedCents,
      returnedCents: Math.round(stakedCents + profitCents + cardsCostCents),
    },
  };
}
