import { and, eq } from "drizzle-orm";
import type { CalendarDate } from "#domain/calendar.ts";
import type { Tx } from "#platform/database.server.ts";
import { raceDays, races, venues } from "./tables.server.ts";

/**
 * The off times reported for a venue and day, by race number. They stay as they are until the transaction
 * ends: whoever reports others waits, and then sees what it has written.
 */
export async function readOffTimes(
  venueId: string,
  raceDate: CalendarDate,
  tx: Tx,
): Promise<Map<number, Date>> {
  await tx.select({ id: venues.id }).from(venues).where(eq(venues.id, venueId)).for("share");
  const rows = await tx
    .select({ raceNumber: races.raceNumber, offAt: races.offAt })
    .from(races)
    .innerJoin(raceDays, eq(raceDays.id, races.raceDayId))
    .where(and(eq(raceDays.venueId, venueId), eq(raceDays.raceDate, raceDate)));
  return new Map(rows.map((row) => [row.raceNumber, row.offAt]));
}
