import { sql } from "drizzle-orm";
import { formatDate } from "#domain/calendar.ts";
import { formatCoins } from "#domain/coins.ts";
import { raiseAlert } from "#platform/alerts.server.ts";
import { now } from "#platform/clock.server.ts";
import { type Tx, transaction } from "#platform/database.server.ts";
import type { Job } from "#platform/queue.server.ts";
import { listChangedRaceDays } from "#racing/racing.server.ts";
import { readRaceCardSummaries } from "#tips/tips.server.ts";
import { enqueueCoinReturns } from "./return-coins.server.ts";

/** Longer than an outage of the jobs. Earlier changes were handled, which an integrity check confirms. */
const PERIOD_MS = 24 * 60 * 60_000;

type RaceCard = {
  id: string;
  /** The number of sales that were made after the races. */
  lateSales: number;
  /** The coins that are still to be returned for them. */
  dueCoins: number;
};

/**
 * Enqueues the coin returns of race cards that were sold after their last race, because its off was reported or
 * confirmed later, and tells the operator. Also of those that a correction shows were not, so that their creators are
 * paid.
 */
export const returnSalesAfterRaces: Job = {
  name: "return-sales-after-races",
  everySeconds: 60,
  async run() {
    const raceDays = await listChangedRaceDays(new Date(now().getTime() - PERIOD_MS));
    if (raceDays.length === 0) return;
    await transaction(async (tx) => {
      const raceCards = await listRaceCards(tx, raceDays);
      await enqueueCoinReturns(
        tx,
        raceCards.map(({ id }) => id),
      );
      const lateSales = raceCards.filter(({ dueCoins }) => dueCoins > 0);
      if (lateSales.length > 0) await alertOperator(tx, lateSales);
    });
  },
};

/** Returns the race cards of these race days with sales that coin returns do not reflect yet. */
async function listRaceCards(
  tx: Tx,
  raceDays: Awaited<ReturnType<typeof listChangedRaceDays>>,
): Promise<RaceCard[]> {
  const { rows } = await tx.execute<RaceCard>(sql`
    select s.race_card_id as id, count(*) filter (where is_late) as "lateSales",
      coalesce(sum(s.price_coins - returned.coins) filter (where is_late), 0) as "dueCoins"
    from unnest(${sql.param(raceDays.map(({ venueId }) => venueId))}::uuid[],
      ${sql.param(raceDays.map(({ raceDate }) => raceDate))}::date[]) as d (venue_id, race_date)
    cross join lateral (
      select min(o.off_at) as first_off_at from race_off_times o
      where o.venue_id = d.venue_id and o.race_date = d.race_date
    ) o
    join race_cards c on c.venue_id = d.venue_id and c.race_date = d.race_date
    join sales s on s.race_card_id = c.id
    cross join lateral (
      select coalesce(sum(r.coins), 0) as coins,
        coalesce((array_agg(r.is_sold_after_races order by r.step desc))[1], false) as was_late
      from coin_returns r where r.sale_id = s.id
    ) returned
    cross join is_sold_after_races(s.id) is_late
    join earnings e on e.sale_id = s.id
    left join earning_reversals v on v.sale_id = s.id
    where (s.created_at >= o.first_off_at or returned.was_late) and (
      (is_late and returned.coins < s.price_coins and (v.reason is null or v.reason not in ('refund', 'dispute')))
      or (is_late and not returned.was_late and v.reason is null and e.payout_id is null)
      or (not is_late and returned.was_late and v.reason = 'void'))
    group by 1 order by 1`);
  return rows;
}

async function alertOperator(tx: Tx, raceCards: readonly RaceCard[]): Promise<void> {
  const summaries = await readRaceCardSummaries(raceCards.map(({ id }) => id));
  for (const { id, lateSales, dueCoins } of raceCards) {
    const summary = summaries.get(id);
    if (!summary) continue;
    const raceCard = `${summary.venue.name} on ${formatDate(summary.raceDate)}`;
    const sales = lateSales === 1 ? "1 sale" : `${lateSales} sales`;
    await raiseAlert(
      {
        kind: "sold-after-races",
        subject: id,
        message: `${sales} of a race card for ${raceCard} followed its last race, whose off time was not known then. We are returning ${formatCoins(dueCoins)}.`,
      },
      tx,
    );
  }
}
