import { and, eq } from "drizzle-orm";
import type { Tx } from "#platform/database.server.ts";
import { raceDays, races, venues } from "../tables.server.ts";
import type { RaceReference } from "./read-results.server.ts";

/**
 * Locks a reported race until the transaction ends, or returns null if it does not exist. Serialises
 * entries, confirmations and discards of its results, changes to its runners, and new tips for it.
 * To avoid deadlocks, callers must lock several races by ascending number and confirm the result of only
 * one: its settlement locks creators, and publishing locks a creator before the races.
 */
export async function lockRace(
  tx: Tx,
  { venueId, raceDate, raceNumber }: RaceReference,
): Promise<{ raceDayId: string; offAt: Date } | null> {
  // Saving the race day locks the venue and then its races, so this locks the venue first too. Otherwise a
  // save could hold the venue and wait for this race, publishing would hold the creator and wait for the
  // venue, and the settlement would wait for the creator: a deadlock.
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
