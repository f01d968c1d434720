import { asc, eq, inArray, sql } from "drizzle-orm";
import type { CalendarDate } from "#domain/calendar.ts";
import type { TipResult, TipType } from "#domain/tip.ts";
import type { Tx } from "#platform/database.server.ts";
import { raceCards, tips } from "./tables.server.ts";

export type LockedTip = {
  id: string;
  raceCardId: string;
  creatorId: string;
  raceDate: CalendarDate;
  offAt: Date | null;
  raceNumber: number;
  tipType: TipType;
  horseNumber: number;
  horseName: string;
  publishedAt: Date;
  isLate: boolean;
  /** True if the result is only the tipster's claim. */
  isClaim: boolean;
  result: TipResult | null;
  /** The version of the official result that settled the tip; null without one. */
  settlementVersion: number | null;
  hiddenAt: Date | null;
  deletedAt: Date | null;
};

const reportedOffAt = sql`(select r.off_at from race_off_times r where r.venue_id = ${raceCards.venueId}
  and r.race_date = ${raceCards.raceDate} and r.race_number = ${tips.raceNumber})`;

/**
 * Returns the tips with these ids, locked until the end of the transaction. They are locked in
 * order of their ids, so that two transactions which settle the same tips do not deadlock.
 */
export async function lockTips(tx: Tx, tipIds: string[]): Promise<LockedTip[]> {
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
