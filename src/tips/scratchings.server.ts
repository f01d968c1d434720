import { sql } from "drizzle-orm";
import type { AsJson } from "#domain/as-json.ts";
import { type CalendarDate, dateAt } from "#domain/calendar.ts";
import type { Tip } from "#domain/tip.ts";
import { database, queryPrepared, type Tx } from "#platform/database.server.ts";

/** Buyers of a race card get at most one email about scratched horses in this time. */
const EMAIL_INTERVAL_MS = 60 * 60_000;

/** A selection whose horse was scratched, or runs after all. */
export type Scratching = Pick<Tip, "raceNumber" | "horseNumber" | "horseName"> & {
  tipId: string;
  /** Null if the horse runs after all. */
  scratchedAt: Date | null;
  hiddenAt: Date | null;
};

/** The scratchings of a race card that its buyers do not know yet. Not those of tips that have a result. */
const WAITING = sql`(x.scratched_at is not null) <> x.is_emailed and t.result is null`;

/** Returns the race cards of today and later whose buyers are due an email about scratched horses. */
export async function listRaceCardsToEmail(
  at: Date,
  limit: number,
): Promise<{ id: string; venueName: string; raceDate: CalendarDate }[]> {
  const { rows } = await database().execute<{
    id: string;
    venueName: string;
    raceDate: CalendarDate;
  }>(sql`
    select c.id, v.name as "venueName", c.race_date as "raceDate"
    from race_cards c join venues v on v.id = c.venue_id
    where c.race_date >= ${dateAt(at)} and exists (
        select from tip_scratchings x join tips t on t.id = x.tip_id where x.race_card_id = c.id and ${WAITING})
      and not exists (select from tip_scratchings x
        where x.race_card_id = c.id and x.emailed_at > ${new Date(at.getTime() - EMAIL_INTERVAL_MS)})
    order by c.race_date, c.id limit ${limit}`);
  return rows;
}

/**
 * Returns the scratchings of a race card that its buyers do not know yet, sorted by race, and marks them as emailed.
 * Returns none if an email was sent within the interval. Must be called in the transaction that enqueues the emails.
 */
export async function takeScratchings(tx: Tx, raceCardId: string, at: Date): Promise<Scratching[]> {
  // Serialises two runs for one race card.
  await tx.execute(sql`
    select from race_card_offers where race_card_id = ${raceCardId} for no key update`);
  const { rows } = await tx.execute<AsJson<Scratching>>(sql`
    update tip_scratchings s set is_emailed = s.scratched_at is not null, emailed_at = ${at}
    from tip_scratchings x join tips t on t.id = x.tip_id
    where x.tip_id = s.tip_id and s.race_card_id = ${raceCardId} and ${WAITING}
      and not exists (select from tip_scratchings o
        where o.race_card_id = ${raceCardId} and o.emailed_at > ${new Date(at.getTime() - EMAIL_INTERVAL_MS)})
    returning t.id as "tipId", t.race_number as "raceNumber", t.horse_number as "horseNumber", t.horse_name as "horseName",
      s.scratched_at as "scratchedAt", t.hidden_at as "hiddenAt"`);
  const toDate = (instant: string | null) => (instant === null ? null : new Date(instant));
  return rows
    .map((row) => ({
      ...row,
      scratchedAt: toDate(row.scratchedAt),
      hiddenAt: toDate(row.hiddenAt),
    }))
    .sort((a, b) => a.raceNumber - b.raceNumber);
}

/** A selection of a race card of today or later whose horse was scratched. */
type ScratchedSelection = Pick<
  Tip,
  "raceCardId" | "venueName" | "raceDate" | "raceNumber" | "horseNumber" | "horseName"
> & { tipId: string; creatorName: string; scratchedAt: Date };

/** Returns the scratched selections of today and later without a result, soonest first. */
export async function listScratchedSelections(
  at: Date,
  limit: number,
): Promise<ScratchedSelection[]> {
  return await queryPrepared<ScratchedSelection>(
    "scratched-selections",
    // Materialised, so that no plan reads all race cards.
    `with coming as materialized (
       select id, venue_id, creator_id, race_date from race_cards where race_date >= $1
     )
     select t.id as "tipId", c.id as "raceCardId", v.name as "venueName", c.race_date as "raceDate",
       k.display_name as "creatorName", t.race_number as "raceNumber", t.horse_number as "horseNumber",
       t.horse_name as "horseName", x.scratched_at as "scratchedAt"
     from coming c
     join tip_scratchings x on x.race_card_id = c.id and x.scratched_at is not null
     join tips t on t.id = x.tip_id and t.result is null and t.hidden_at is null
     join venues v on v.id = c.venue_id
     join creators k on k.user_id = c.creator_id
     order by c.race_date, v.name, t.race_number, t.id limit $2`,
    [dateAt(at), limit],
  );
}
