import { and, asc, eq, inArray, sql } from "drizzle-orm";
import { writeAudit } from "#audit/audit.server.ts";
import { instantAt } from "#domain/calendar.ts";
import { now } from "#platform/clock.server.ts";
import { type Tx, transaction } from "#platform/database.server.ts";
import { publishNotice } from "#platform/notify.server.ts";
import type { RaceDayInput } from "./race-day.input.ts";
import type { RaceDay } from "./race-days.server.ts";
import { raceDays, races, venues } from "./tables.server.ts";
import { findVenue } from "./venues.server.ts";

export type SaveRaceDayResult =
  | { ok: true }
  | { ok: false; refusal: "unknown-venue" }
  | { ok: false; refusal: "race-day-changed"; stored: RaceDay };

export type SaveRaceDayOptions = {
  /**
   * The version of the race day that the report was made from, 0 when nothing was reported. The
   * report is refused when a different report came in between. Null skips the check.
   */
  expectedVersion?: number | null;
};

/**
 * Stores the report of a venue's race day. A race keeps its row while it is in the report, and is
 * deleted when it is no longer in it. `actorId` is null if the report comes from a data source
 * instead of a person.
 */
export async function saveRaceDay(
  actorId: string | null,
  report: RaceDayInput,
  { expectedVersion = null }: SaveRaceDayOptions = {},
): Promise<SaveRaceDayResult> {
  const result = await transaction((tx) => save(tx, actorId, report, expectedVersion));
  if (result.ok) await publishNotice("race-cards");
  return result;
}

async function save(
  tx: Tx,
  actorId: string | null,
  report: RaceDayInput,
  expectedVersion: number | null,
): Promise<SaveRaceDayResult> {
  const { offTimes, venueId, raceDate, ...conditions } = report;
  if (!(await findVenue(venueId, tx))) return { ok: false, refusal: "unknown-venue" };
  // Waits for transactions that are publishing tips (see `readOffTimes`), and serialises concurrent
  // reports of a venue.
  await tx
    .select({ id: venues.id })
    .from(venues)
    .where(eq(venues.id, venueId))
    .for("no key update");
  const stored = await readStoredReport(tx, venueId, raceDate);
  if (expectedVersion !== null && expectedVersion !== (stored?.version ?? 0)) {
    if (!stored) throw new Error("race days are never deleted");
    // A report that arrives twice is not a conflict.
    return isSameReport(stored, report)
      ? { ok: true }
      : { ok: false, refusal: "race-day-changed", stored };
  }
  const values = { ...conditions, reportedAt: now() };
  const [day] = await tx
    .insert(raceDays)
    .values({ venueId, raceDate, ...values })
    .onConflictDoUpdate({
      target: [raceDays.venueId, raceDays.raceDate],
      set: { ...values, version: sql`${raceDays.version} + 1` },
    })
    .returning({ id: raceDays.id });
  if (!day) throw new Error("a race day was not written");
  // Writes only changed off times, because triggers update late tips and the order of results.
  const reportedRaces = new Set(offTimes.map(({ raceNumber }) => raceNumber));
  const removedRaces = (stored?.offTimes ?? [])
    .map(({ raceNumber }) => raceNumber)
    .filter((raceNumber) => !reportedRaces.has(raceNumber));
  if (removedRaces.length > 0)
    await tx
      .delete(races)
      .where(and(eq(races.raceDayId, day.id), inArray(races.raceNumber, removedRaces)));
  if (offTimes.length > 0)
    await tx
      .insert(races)
      .values(
        offTimes.map(({ raceNumber, time }) => ({
          raceDayId: day.id,
          raceNumber,
          offAt: instantAt(raceDate, time),
        })),
      )
      .onConflictDoUpdate({
        target: [races.raceDayId, races.raceNumber],
        set: { offAt: sql`excluded.off_at` },
        setWhere: sql`${races.offAt} is distinct from excluded.off_at`,
      });
  // Audited because off times decide when a race card goes off sale and when its tips can be
  // settled.
  if (actorId)
    await writeAudit(tx, {
      actorId,
      action: "save-race-day",
      subject: `${venueId} ${raceDate}`,
      details: { ...conditions, offTimes },
    });
  return { ok: true };
}

async function readStoredReport(
  tx: Tx,
  venueId: string,
  raceDate: string,
): Promise<RaceDay | null> {
  const [day] = await tx
    .select()
    .from(raceDays)
    .where(and(eq(raceDays.venueId, venueId), eq(raceDays.raceDate, raceDate)));
  if (!day) return null;
  const offTimes = await tx
    .select({ raceNumber: races.raceNumber, offAt: races.offAt })
    .from(races)
    .where(eq(races.raceDayId, day.id))
    .orderBy(asc(races.raceNumber));
  return { ...day, offTimes };
}

/** Returns true when a report has the contents of the stored one. */
function isSameReport(stored: RaceDay, report: RaceDayInput): boolean {
  const { offTimes, venueId, raceDate, ...conditions } = report;
  const hasSameConditions = Object.entries(conditions).every(
    ([key, value]) => stored[key as keyof typeof conditions] === value,
  );
  const storedTimes = stored.offTimes.map((race) => `${race.raceNumber} ${race.offAt.getTime()}`);
  const reportedTimes = [...offTimes]
    .sort((a, b) => a.raceNumber - b.raceNumber)
    .map((race) => `${race.raceNumber} ${instantAt(raceDate, race.time).getTime()}`);
  return hasSameConditions && storedTimes.join() === reportedTimes.join();
}
