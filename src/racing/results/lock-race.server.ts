import { and, eq } from "drizzle-orm";
import type { Tx } from "#platform/database.server.ts";
import { raceDays, races, venues } from "../tables.server.ts";
import type { RaceReference } from "./read-results.server.ts";

/**
 * Locks a reported race until the transaction ends, or returns null. Serialises what enters, confirms
 * and discards its results, changes of its runners, and new tips for it. Of several races the caller
 * must lock the one with the lowest number first, and must confirm only one: its settlement locks the
 * creators, who lock the races that they publish.
 */
export async function lockRace(
  tx: Tx,
  { venueId, raceDate, raceNumber }: RaceReference,
): Promise<{ raceDayId: string; offAt: Date } | null> {
  // Saving the race day locks the venue and then its races. If it waited for this race with the venue
  // locked, a creator who publishes there would wait for the venue, and the settlement for the creator.
  await tx.select({ id: venues.id }).from(venues).where(eq(venues.id, venueId)).for("share");
  const [race] = await tx
    .select({ raceDayId: races.raceDayId, offAt: races.offAt })
    .from(races)
    .innerJoin(raceDays, eq(raceDays.id, races.raceDayId))
    .where(
      and(
        eq(raceDays.venueId, venueId),
        eq(raceDays.raceDate, raceDate),
        eq(races.raceNumber, raceNumber),
      ),
    )
    .for("no key update", { of: races });
  return race ?? null;
}
