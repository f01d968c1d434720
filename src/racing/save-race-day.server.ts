import { and, eq, notInArray, sql } from "drizzle-orm";
import { writeAudit } from "#audit/audit.server.ts";
import { instantAt } from "#domain/calendar.ts";
import { now } from "#platform/clock.server.ts";
import { type Tx, transaction } from "#platform/database.server.ts";
import { announce } from "#platform/notify.server.ts";
import type { RaceDayInput } from "./race-day.input.ts";
import { raceDays, races, venues } from "./tables.server.ts";
import { findVenue } from "./venues.server.ts";

export type SaveRaceDayResult = { ok: true } | { ok: false; refusal: "unknown-venue" };

/**
 * Records what is known of a venue's racing on a day, for the operator: it replaces what was reported
 * before, off times included. A report without an actor comes from a source, not from a person.
 */
export async function saveRaceDay(
  actorId: string | null,
  report: RaceDayInput,
): Promise<SaveRaceDayResult> {
  const answer = await transaction((tx) => save(tx, actorId, report));
  if (answer.ok) await announce("race-cards");
  return answer;
}

async function save(
  tx: Tx,
  actorId: string | null,
  report: RaceDayInput,
): Promise<SaveRaceDayResult> {
  const { offTimes, venueId, raceDate, ...reported } = report;
  if (!(await findVenue(venueId, tx))) return { ok: false, refusal: "unknown-venue" };
  // Tips that are being published read the off times as they stand: see `readOffTimes`.
  await tx
    .select({ id: venues.id })
    .from(venues)
    .where(eq(venues.id, venueId))
    .for("no key update");
  const values = { ...reported, reportedAt: now() };
  // The upsert locks the row, so that two reports of one day follow each other whole.
  const [day] = await tx
    .insert(raceDays)
    .values({ venueId, raceDate, ...values })
    .onConflictDoUpdate({ target: [raceDays.venueId, raceDays.raceDate], set: values })
    .returning({ id: raceDays.id });
  if (!day) throw new Error("a race day was not written");
  // Only what differs is written: the lateness of tips and the order of results follow each change.
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
  // Off times decide when a card leaves sale and a tip may be settled, so who set them stays known.
  if (actorId)
    await writeAudit(tx, {
      actorId,
      action: "save-race-day",
      subject: `${venueId} ${raceDate}`,
      details: { ...reported, offTimes },
    });
  return { ok: true };
}
