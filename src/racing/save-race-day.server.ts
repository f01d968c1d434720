import { and, asc, eq, inArray, sql } from "drizzle-orm";
import * as v from "valibot";
import { instantAt, timeAt } from "#domain/calendar.ts";
import { writeAudit } from "#platform/audit/audit.server.ts";
import { now } from "#platform/clock.server.ts";
import { type Tx, transaction } from "#platform/database.server.ts";
import { publishUpdate } from "#platform/notify.server.ts";
import {
  type ComparableRaceDay,
  compareRaceDays,
  isSameHorse,
  summariseDifferences,
  UNREPORTED_RACE_DAY,
} from "./compare-race-days.ts";
import { type FindChoice, mergeRaceDays, type RaceDayConflict } from "./merge-race-days.ts";
import { type RaceDayInput, raceDayInput } from "./race-day.input.ts";
import { type DeclaredRace, readDeclaredRaces } from "./read-declared-races.server.ts";
import { raceChanges, raceDays, raceResults, races, runners, venues } from "./tables.server.ts";
import { findAnyVenue } from "./venues.server.ts";

/** A stored report with its races and runners. */
export type StoredRaceDay = typeof raceDays.$inferSelect & { races: DeclaredRace[] };

export type SaveRaceDayResult =
  /** `version` is that of the stored race day. `mergedChanges` describes what others saved meanwhile. */
  | { ok: true; version: number; mergedChanges?: string[] }
  | { ok: false; refusal: "unknown-venue" }
  /** Someone else saved other values of the same runners or fields since the form was opened. */
  | { ok: false; refusal: "race-day-changed"; conflicts: RaceDayConflict[] }
  /** The report is valid, but not together with what someone else saved. */
  | { ok: false; refusal: "merge-invalid"; problem: string }
  /** The report omits a race that still has runners. */
  | { ok: false; refusal: "race-has-runners"; raceNumber: number }
  /** The report omits a race with a confirmed or unconfirmed result. */
  | { ok: false; refusal: "race-has-result"; raceNumber: number };

type SaveRaceDayOptions = {
  /**
   * The version of the race day that the report is based on; 0 if nothing was reported. If a different one was
   * saved in the meantime, both are merged. Null skips the check.
   */
  expectedVersion?: number | null;
  /** The report of that version. Without it every difference is a conflict. */
  opened?: ComparableRaceDay | null;
  /** Resolves a conflict. */
  findChoice?: FindChoice;
  /** The source of the changes. Defaults to the source of the report. */
  changeSource?: string;
  /** True for an imported file, which is audited even without an actor. */
  isImport?: boolean;
};

/**
 * Stores the report of a venue's race day and records the changes. Updates races in place and deletes
 * those that the report omits; refuses to delete a race with runners or a result. `actorId` is null if
 * the report comes from a data source instead of a person.
 */
export async function saveRaceDay(
  actorId: string | null,
  report: RaceDayInput,
  options: SaveRaceDayOptions = {},
): Promise<SaveRaceDayResult> {
  const result = await transaction((tx) => saveRaceDayInTransaction(tx, actorId, report, options));
  if (result.ok) await publishUpdate("race-cards");
  return result;
}

/** Does the same as `saveRaceDay` in the caller's transaction. The caller must publish the notification after it. */
export async function saveRaceDayInTransaction(
  tx: Tx,
  actorId: string | null,
  report: RaceDayInput,
  options: SaveRaceDayOptions,
): Promise<SaveRaceDayResult> {
  const { venueId, raceDate } = report;
  if (!(await findAnyVenue(venueId, tx))) return { ok: false, refusal: "unknown-venue" };
  await lockVenues(tx, [venueId]);
  const stored = await readStoredRaceDay(tx, venueId, raceDate);
  const { expectedVersion = null } = options;
  if (!stored || expectedVersion === null || expectedVersion === stored.version)
    return await writeReport(tx, actorId, report, { stored, ...options });
  return await mergeReport(tx, actorId, report, { stored, ...options });
}

type StoredOptions<Stored> = Pick<
  SaveRaceDayOptions,
  "opened" | "findChoice" | "changeSource" | "isImport"
> & {
  stored: Stored;
};

/** Merges a report with the one that was saved since its form was opened, and stores the result. */
async function mergeReport(
  tx: Tx,
  actorId: string | null,
  report: RaceDayInput,
  options: StoredOptions<StoredRaceDay>,
): Promise<SaveRaceDayResult> {
  const { stored, opened = null, findChoice = () => null } = options;
  const mine = { ...report, races: mergeRaces((opened ?? stored).races, report) };
  const { merged, conflicts } = mergeRaceDays({ opened, mine, theirs: stored, findChoice });
  if (conflicts.length > 0) return { ok: false, refusal: "race-day-changed", conflicts };
  // A report that arrives twice is not written again.
  if (compareRaceDays(stored, merged).length === 0) return { ok: true, version: stored.version };
  const { venueId, raceDate } = report;
  const races = merged.races.map(({ offAt, ...race }) => ({ ...race, time: timeAt(offAt) }));
  const parsed = v.safeParse(raceDayInput, { ...merged, venueId, raceDate, races });
  if (!parsed.success)
    return { ok: false, refusal: "merge-invalid", problem: parsed.issues[0].message };
  const saved = await writeReport(tx, actorId, parsed.output, options);
  return saved.ok
    ? {
        ...saved,
        mergedChanges: opened ? summariseDifferences(compareRaceDays(opened, stored)) : [],
      }
    : saved;
}

/** Stores a report over the stored one. */
export async function writeReport(
  tx: Tx,
  actorId: string | null,
  report: RaceDayInput,
  {
    stored,
    changeSource: source = report.source,
    isImport = false,
  }: StoredOptions<StoredRaceDay | null>,
): Promise<SaveRaceDayResult> {
  const { races: _, venueId, raceDate, ...conditions } = report;
  const next = { ...conditions, races: mergeRaces(stored?.races ?? [], report) };
  const reported = new Set(next.races.map(({ raceNumber }) => raceNumber));
  const removed = (stored?.races ?? []).filter(({ raceNumber }) => !reported.has(raceNumber));
  const blocking = removed.find((race) => race.runners.length > 0);
  if (blocking) return { ok: false, refusal: "race-has-runners", raceNumber: blocking.raceNumber };
  const withResult = stored && (await findRaceWithResult(tx, stored.id, removed));
  if (withResult) return { ok: false, refusal: "race-has-result", raceNumber: withResult };
  const values = { ...conditions, reportedAt: now() };
  const [day] = await tx
    .insert(raceDays)
    .values({ venueId, raceDate, ...values })
    .onConflictDoUpdate({
      target: [raceDays.venueId, raceDays.raceDate],
      set: { ...values, version: sql`${raceDays.version} + 1` },
    })
    .returning({ id: raceDays.id, version: raceDays.version });
  if (!day) throw new Error("a race day was not written");
  await writeRaces(tx, day.id, removed, next.races);
  await writeRunners(tx, { raceDayId: day.id, source, stored, races: next.races });
  if (stored) await writeChanges(tx, { actorId, source, stored, next });
  // Audited because off times decide when a race card goes off sale and when its tips can be
  // settled.
  if (actorId || isImport)
    await writeAudit(tx, {
      actorId,
      action: "save-race-day",
      subject: `${venueId} ${raceDate}`,
      details: {
        ...conditions,
        races: next.races.map(({ raceNumber, offAt }) => ({ raceNumber, time: timeAt(offAt) })),
        changes: summariseDifferences(compareRaceDays(stored ?? UNREPORTED_RACE_DAY, next)),
        ...(isImport ? { via: "file", changeSource: source } : {}),
      },
    });
  return { ok: true, version: day.version };
}

/**
 * Locks venues until the transaction ends. Waits for transactions that are publishing tips (see
 * `readOffTimes`), and serialises concurrent reports of a venue.
 */
export async function lockVenues(tx: Tx, venueIds: readonly string[]): Promise<void> {
  await tx
    .select({ id: venues.id })
    .from(venues)
    .where(inArray(venues.id, [...venueIds]))
    .orderBy(asc(venues.id))
    .for("no key update");
}

/** Returns the stored report of a venue and date, or null. */
export async function readStoredRaceDay(
  tx: Tx,
  venueId: string,
  raceDate: string,
): Promise<StoredRaceDay | null> {
  const [day] = await tx
    .select()
    .from(raceDays)
    .where(and(eq(raceDays.venueId, venueId), eq(raceDays.raceDate, raceDate)));
  return day ? { ...day, races: await readDeclaredRaces(venueId, raceDate, tx) } : null;
}

/** Returns the races of a report by number. Fields that it omits keep the stored values. */
export function mergeRaces(stored: readonly DeclaredRace[], report: RaceDayInput): DeclaredRace[] {
  const storedRaces = new Map(stored.map((race) => [race.raceNumber, race]));
  return [...report.races]
    .sort((a, b) => a.raceNumber - b.raceNumber)
    .map(({ raceNumber, time, name, distanceMetres, surface, runners }) => {
      const previous = storedRaces.get(raceNumber);
      return {
        raceNumber,
        offAt: instantAt(report.raceDate, time),
        name: name === undefined ? (previous?.name ?? null) : name,
        distanceMetres:
          distanceMetres === undefined ? (previous?.distanceMetres ?? null) : distanceMetres,
        surface: surface === undefined ? (previous?.surface ?? null) : surface,
        runners: [...(runners ?? previous?.runners ?? [])].sort((a, b) => a.number - b.number),
      };
    });
}

/** Returns the lowest number of these races with a confirmed or unconfirmed result. Locks the races. */
async function findRaceWithResult(
  tx: Tx,
  raceDayId: string,
  removed: readonly DeclaredRace[],
): Promise<number | null> {
  if (removed.length === 0) return null;
  const raceNumbers = removed.map(({ raceNumber }) => raceNumber);
  await tx
    .select({ raceNumber: races.raceNumber })
    .from(races)
    .where(and(eq(races.raceDayId, raceDayId), inArray(races.raceNumber, raceNumbers)))
    .orderBy(asc(races.raceNumber))
    .for("update");
  const [result] = await tx
    .select({ raceNumber: raceResults.raceNumber })
    .from(raceResults)
    .where(and(eq(raceResults.raceDayId, raceDayId), inArray(raceResults.raceNumber, raceNumbers)))
    .orderBy(asc(raceResults.raceNumber))
    .limit(1);
  return result?.raceNumber ?? null;
}

async function writeRaces(
  tx: Tx,
  raceDayId: string,
  removed: readonly DeclaredRace[],
  reported: readonly DeclaredRace[],
): Promise<void> {
  if (removed.length > 0)
    await tx.delete(races).where(
      and(
        eq(races.raceDayId, raceDayId),
        inArray(
          races.raceNumber,
          removed.map((race) => race.raceNumber),
        ),
      ),
    );
  if (reported.length === 0) return;
  // Writes only changed rows, because each write runs triggers that update late tips and the order of results.
  await tx
    .insert(races)
    .values(reported.map(({ runners: _, ...race }) => ({ raceDayId, ...race })))
    .onConflictDoUpdate({
      target: [races.raceDayId, races.raceNumber],
      set: {
        offAt: sql`excluded.off_at`,
        name: sql`excluded.name`,
        distanceMetres: sql`excluded.distance_metres`,
        surface: sql`excluded.surface`,
      },
      setWhere: sql`(${races.offAt}, ${races.name}, ${races.distanceMetres}, ${races.surface})
        is distinct from (excluded.off_at, excluded.name, excluded.distance_metres, excluded.surface)`,
    });
}

async function writeRunners(
  tx: Tx,
  {
    raceDayId,
    source,
    stored,
    races: reported,
  }: {
    raceDayId: string;
    source: string;
    stored: StoredRaceDay | null;
    races: readonly DeclaredRace[];
  },
): Promise<void> {
  const storedRaces = new Map((stored?.races ?? []).map((race) => [race.raceNumber, race]));
  const at = now();
  for (const race of reported) {
    const kept = new Set(race.runners.map((runner) => runner.number));
    const removed = (storedRaces.get(race.raceNumber)?.runners ?? [])
      .map((runner) => runner.number)
      .filter((number) => !kept.has(number));
    if (removed.length > 0)
      await tx
        .delete(runners)
        .where(
          and(
            eq(runners.raceDayId, raceDayId),
            eq(runners.raceNumber, race.raceNumber),
            inArray(runners.number, removed),
          ),
        );
  }
  const rows = reported.flatMap((race) =>
    race.runners.map(({ isScratched, ...runner }) => ({
      raceDayId,
      raceNumber: race.raceNumber,
      ...runner,
      scratchedAt: isScratched ? at : null,
      source,
      reportedAt: at,
    })),
  );
  if (rows.length === 0) return;
  await tx
    .insert(runners)
    .values(rows)
    .onConflictDoUpdate({
      target: [runners.raceDayId, runners.raceNumber, runners.number],
      set: {
        horseName: sql`excluded.horse_name`,
        jockey: sql`excluded.jockey`,
        trainer: sql`excluded.trainer`,
        draw: sql`excluded.draw`,
        // A horse that stays scratched keeps the time of its scratching.
        scratchedAt: sql`case when excluded.scratched_at is null then null
          else coalesce(${runners.scratchedAt}, excluded.scratched_at) end`,
        source: sql`excluded.source`,
        reportedAt: sql`excluded.reported_at`,
      },
      setWhere: sql`(${runners.horseName}, ${runners.jockey}, ${runners.trainer}, ${runners.draw},
          ${runners.scratchedAt} is null)
        is distinct from (excluded.horse_name, excluded.jockey, excluded.trainer, excluded.draw,
          excluded.scratched_at is null)`,
    });
}

const RECORDED_FIELDS = ["off", "scratched", "reinstated", "jockey", "going", "surface"] as const;
type RecordedField = (typeof RECORDED_FIELDS)[number];

/**
 * Records the changes to reported values. New races, new runners and values that were not reported before
 * do not count as changes.
 */
async function writeChanges(
  tx: Tx,
  {
    actorId,
    source,
    stored,
    next,
  }: {
    actorId: string | null;
    source: string;
    stored: StoredRaceDay;
    next: ComparableRaceDay;
  },
): Promise<void> {
  const findRunner = (races: readonly DeclaredRace[], raceNumber: number | null, number: number) =>
    races
      .find((race) => race.raceNumber === raceNumber)
      ?.runners.find((runner) => runner.number === number);
  const changes = compareRaceDays(stored, next).filter(({ field, from, raceNumber, number }) => {
    if (!RECORDED_FIELDS.includes(field as RecordedField)) return false;
    if (number === null) return from !== null;
    const [before, after] = [stored, next].map((day) => findRunner(day.races, raceNumber, number));
    // A different horse with the same number corrects the list; it does not change a runner.
    return before !== undefined && after !== undefined && isSameHorse(before, after);
  });
  if (changes.length === 0) return;
  await tx.insert(raceChanges).values(
    changes.map(({ raceNumber, number, field, from, to }) => ({
      raceDayId: stored.id,
      raceNumber,
      number,
      kind: field as RecordedField,
      oldValue: from,
      newValue: to,
      source,
      actorId,
      createdAt: now(),
    })),
  );
}
