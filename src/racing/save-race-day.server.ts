import { and, eq, notInArray, sql } from "drizzle-orm";
import { writeAudit } from "#audit/audit.server.ts";
import { instantAt } from "#domain/calendar.ts";
import { now } from "#platform/clock.server.ts";
import { type Tx, transaction } from "#platform/database.server.ts";
import { publishNotice } from "#platform/notify.server.ts";
import type { RaceDayInput } from "./race-day.input.ts";
import { raceDays, races, venues } from "./tables.server.ts";
import { findVenue } from "./venues.server.ts";

export type SaveRaceDayResult = { ok: true } | { ok: false; refusal: "unknown-venue" };

/**
 * Stores the report of a venue's race day, replacing the previous one including its off times.
 * `actorId` is null if the report comes from a data source instead of a person.
 */
export async function saveRaceDay(
  actorId: string | null,
  report: RaceDayInput,
): Promise<SaveRaceDayResult> {
  const result = await transaction((tx) => save(tx, actorId, report));
  if (result.ok) await publishNotice("race-cards");
  return result;
}

async function save(
  tx: Tx,
  actorId: string | null,
  report: RaceDayInput,
): Promise<SaveRaceDayResult> {
  const { offTimes, venueId, raceDate, ...conditions } = report;
  if (!(await findVenue(venueId, tx))) return { ok: false, refusal: "unknown-venue" };
  // Waits for transactions that are publishing tips: see `readOffTimes`.
  await tx
    .select({ id: venues.id })
    .from(venues)
    .where(eq(venues.id, venueId))
    .for("no key update");
  const values = { ...conditions, reportedAt: now() };
  // The upsert locks the row, which serialises concurrent reports of one day.
  const [day] = await tx
    .insert(raceDays)
    .values({ venueId, raceDate, ...values })
    .onConflictDoUpdate({ target: [raceDays.venueId, raceDays.raceDate], set: values })
    .returning({ id: raceDays.id });
  if (!day) throw new Error("a race day was not written");
  // Writes only changed off times, because triggers update late tips and the order of results.
  const reportedRaces = offTimes.map(({ raceNumber }) => raceNumber);
  await tx
    .delete(races)
    .where(and(eq(races.raceDayId, day.id), notInArray(races.raceNumber, reportedRaces)));
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
