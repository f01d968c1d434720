import { asc, eq, inArray, sql } from "drizzle-orm";
import type { Tx } from "#platform/database.server.ts";
import { raceCards, tips } from "./tables.server.ts";

/** A tip whose row is locked, with what the result of a race changes. */
export type TipToUpdate = Awaited<ReturnType<typeof lockTips>>[number];

const reportedOffAt = sql`(select r.off_at from race_off_times r where r.venue_id = ${raceCards.venueId}
  and r.race_date = ${raceCards.raceDate} and r.race_number = ${tips.raceNumber})`;

/**
 * Returns the tips with these ids, locked until the end of the transaction. They are locked in
 * order of their ids, so that two transactions which settle the same tips do not deadlock.
 */
export async function lockTips(tx: Tx, tipIds: string[]) {
  return await tx
    .select({
      id: tips.id,
      raceCardId: tips.raceCardId,
      creatorId: raceCards.creatorId,
      raceDate: raceCards.raceDate,
      offAt: sql<Date | null>`coalesce(${reportedOffAt}, ${tips.enteredOffAt})`.mapWith(
        tips.enteredOffAt,
      ),
      raceNumber: tips.raceNumber,
      tipType: tips.tipType,
      horseNumber: tips.horseNumber,
      horseName: tips.horseName,
      publishedAt: tips.publishedAt,
      isLate: tips.isLate,
      isClaim: tips.isClaim,
      result: tips.result,
      settlementVersion: tips.settlementVersion,
      hiddenAt: tips.hiddenAt,
      deletedAt: tips.deletedAt,
    })
    .from(tips)
    .innerJoin(raceCards, eq(raceCards.id, tips.raceCardId))
    .where(inArray(tips.id, tipIds))
    .orderBy(asc(tips.id))
    .for("no key update", { of: tips });
}
