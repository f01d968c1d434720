import { eq, inArray } from "drizzle-orm";
import type { CalendarDate } from "#domain/calendar.ts";
import { database } from "#platform/database.server.ts";
import { raceCards, tips } from "./tables.server.ts";

export type TipName = {
  id: string;
  venueId: string;
  raceDate: CalendarDate;
  raceNumber: number;
  horseName: string;
};

/** What names each of these tips to a person, hidden and deleted ones too. */
export async function readTipNames(tipIds: readonly string[]): Promise<TipName[]> {
  if (tipIds.length === 0) return [];
  return await database()
    .select({
      id: tips.id,
      venueId: raceCards.venueId,
      raceDate: raceCards.raceDate,
      raceNumber: tips.raceNumber,
      horseName: tips.horseName,
    })
    .from(tips)
    .innerJoin(raceCards, eq(raceCards.id, tips.raceCardId))
    .where(inArray(tips.id, [...tipIds]));
}
