import { createHash } from "node:crypto";
import * as v from "valibot";
import {
  type CalendarDate,
  dateAt,
  formatDate,
  isYearsAway,
  timeAt,
  YEARS_AWAY_MESSAGE,
} from "#domain/calendar.ts";
import { foldHorseName } from "#domain/horse-key.ts";
import { isRunStatus, MAX_PLACES_PAID } from "#domain/race-result.ts";
import { now } from "#platform/clock.server.ts";
import { type Tx, transaction } from "#platform/database.server.ts";
import { publishUpdate } from "#platform/notify.server.ts";
import {
  compareRaceDays,
  summariseDifferences,
  UNREPORTED_RACE_DAY,
} from "../compare-race-days.ts";
import { type RaceDayInput, raceDayInput } from "../race-day.input.ts";
import type { DeclaredRace, Runner } from "../read-declared-races.server.ts";
import { enterRaceResultInTransaction } from "../results/enter-race-result.server.ts";
import {
  lockVenues,
  mergeRaces,
  readStoredRaceDay,
  type StoredRaceDay,
  saveRaceDayInTransaction,
} from "../save-race-day.server.ts";
import { findVenueByReference, type Venue } from "../venues.server.ts";
import { parseRaceDayFile } from "./parse-race-day-file.server.ts";
import { type PlannedResult, planResults } from "./plan-results.server.ts";
import type { FileRace, FileRunner, RaceDayFile } from "./race-day-file.ts";

/** The changes that an import would make. */
export type ImportPreview = {
  meetings: {
    venueId: string;
    venueName: string;
    raceDate: CalendarDate;
    /** Descriptions of the changes, such as "race 5 off 14:20 → 14:25". */
    changes: string[];
    /** The number of results to enter, which another admin must then confirm. */
    resultCount: number;
  }[];
  /** A hash of the stored data and the changes. The import is refused once either differs. */
  digest: string;
};

type PreviewResult =
  | { ok: true; preview: ImportPreview }
  | { ok: false; refusal: "invalid-file"; problems: string[] };

type ImportResult =
  | { ok: true; preview: ImportPreview }
  | { ok: false; refusal: "invalid-file"; problems: string[] }
  /** The stored data changed after the preview. */
  | { ok: false; refusal: "preview-outdated"; preview: ImportPreview };

/** Previews the import of a race day file by this admin. Writes nothing. */
export async function previewRaceDayImport(
  actorId: string | null,
  text: string,
): Promise<PreviewResult> {
  const file = await readFile(text);
  if (!file.ok) return file;
  const plan = await transaction((tx) => planImport(tx, actorId, file.meetings));
  return plan.ok ? { ok: true, preview: toPreview(plan.days) } : plan;
}

/**
 * Imports a previewed race day file: all meetings or none. Another admin must confirm the results. Refuses
 * the file if the data that it changes was saved after the preview. Idempotent. `actorId` is null for an
 * import from the command line, which the audit log attributes to the system.
 */
export async function importRaceDays(
  actorId: string | null,
  text: string,
  digest: string,
): Promise<ImportResult> {
  const file = await readFile(text);
  if (!file.ok) return file;
  const result = await refuseChanged(actorId, { text, digest }, async (tx) => {
    await lockVenues(
      tx,
      file.meetings.map((meeting) => meeting.venue.id),
    );
    const plan = await planImport(tx, actorId, file.meetings);
    if (!plan.ok) return plan;
    const preview = toPreview(plan.days);
    if (preview.meetings.every(({ changes }) => changes.length === 0)) return { ok: true, preview };
    if (preview.digest !== digest) return { ok: false, refusal: "preview-outdated", preview };
    for (const day of plan.days) await writeDay(tx, actorId, day);
    return { ok: true, preview };
  });
  if (result.ok) await publishUpdate("race-cards");
  return result;
}

/** A write was refused although its plan was not, because of a concurrent change. */
class ImportRefused extends Error {}

/** Runs an import. If a concurrent change made a write fail, rolls everything back and previews the file again. */
async function refuseChanged(
  actorId: string | null,
  { text, digest }: { text: string; digest: string },
  work: (tx: Tx) => Promise<ImportResult>,
): Promise<ImportResult> {
  try {
    return await transaction(work);
  } catch (error) {
    if (!(error instanceof ImportRefused)) throw error;
    const again = await previewRaceDayImport(actorId, text);
    if (!again.ok) return again;
    // Nothing has changed that explains the refusal.
    if (again.preview.digest === digest) throw error;
    return { ok: false, refusal: "preview-outdated", preview: again.preview };
  }
}

type Meeting = { venue: Venue; contents: RaceDayFile };
type Refused = { ok: false; refusal: "invalid-file"; problems: string[] };

const refuse = (problems: string[]): Refused => ({ ok: false, refusal: "invalid-file", problems });

/** Parses a file and finds its venues. */
async function readFile(text: string): Promise<{ ok: true; meetings: Meeting[] } | Refused> {
  const parsed = parseRaceDayFile(text);
  if (!parsed.ok) return refuse(parsed.problems);
  const meetings: Meeting[] = [];
  const problems: string[] = [];
  for (const contents of parsed.meetings) {
    const venue = await findVenueByReference(contents.venue);
    if (!venue) problems.push(`Unknown venue: ${contents.venue}`);
    else if (
      meetings.some(
        (meeting) =>
          meeting.venue.id === venue.id && meeting.contents.raceDate === contents.raceDate,
      )
    )
      problems.push(`${venue.name} on ${contents.raceDate} is named in two ways. Use one of them.`);
    else meetings.push({ venue, contents });
  }
  return problems.length > 0 ? refuse([...new Set(problems)]) : { ok: true, meetings };
}

type PlannedDay = {
  venue: Venue;
  /** The version of the race day that the report is based on; 0 if nothing was reported. */
  version: number;
  report: RaceDayInput;
  /** The source of what the file changes. */
  source: string;
  /** The changes to the race day; empty if it need not be saved. */
  changes: string[];
  results: PlannedResult[];
};

/** Saves a race day and enters its results. Throws `ImportRefused` on any refusal, so that the import is rolled back. */
async function writeDay(
  tx: Tx,
  actorId: string | null,
  { venue, report, source, version, changes, results }: PlannedDay,
): Promise<void> {
  const { raceDate } = report;
  if (changes.length > 0) {
    const saved = await saveRaceDayInTransaction(tx, actorId, report, {
      expectedVersion: version,
      changeSource: source,
      isImport: true,
    });
    if (!saved.ok) throw new ImportRefused(`import of ${raceDate}: ${saved.refusal}`);
  }
  for (const { raceNumber, input, replaces } of results) {
    const race = { venueId: venue.id, raceDate, raceNumber };
    const entered = await enterRaceResultInTransaction(tx, actorId, race, input, {
      via: "file",
      replaces,
    });
    if (!entered.ok)
      throw new ImportRefused(`import of ${raceDate}, race ${raceNumber}: ${entered.refusal}`);
  }
}

/** Compares meetings with the stored data. */
async function planImport(
  tx: Tx,
  actorId: string | null,
  meetings: readonly Meeting[],
): Promise<{ ok: true; days: PlannedDay[] } | Refused> {
  const days: PlannedDay[] = [];
  const problems: string[] = [];
  for (const { venue, contents } of meetings) {
    const stored = await readStoredRaceDay(tx, venue.id, contents.raceDate);
    const merged = mergeMeeting(stored, contents, venue);
    if (!merged.ok) {
      problems.push(...merged.problems);
      continue;
    }
    const { report } = merged;
    const { races: _, venueId: __, raceDate: ___, ...conditions } = report;
    const next = { ...conditions, races: mergeRaces(stored?.races ?? [], report) };
    const planned = await planResults(
      tx,
      actorId,
      { venue, contents },
      { stored: stored?.races ?? [], next: next.races },
    );
    problems.push(...planned.problems, ...listRacesWithoutField(stored, { venue, contents }));
    const differences = compareRaceDays(stored ?? UNREPORTED_RACE_DAY, next);
    days.push({
      venue,
      version: stored?.version ?? 0,
      report,
      source: contents.source ?? report.source,
      changes: summariseDifferences(differences),
      results: planned.results,
    });
  }
  return problems.length > 0 ? refuse(problems) : { ok: true, days };
}

function toPreview(days: readonly PlannedDay[]): ImportPreview {
  const contents = JSON.stringify(
    days.map(({ version, report, results }) => [version, report, results]),
  );
  return {
    meetings: days.map(({ venue, report, changes, results }) => ({
      venueId: venue.id,
      venueName: venue.name,
      raceDate: report.raceDate,
      changes: [...changes, ...results.map(({ change }) => change)],
      resultCount: results.length,
    })),
    digest: createHash("sha256").update(contents).digest("hex"),
  };
}

/** Merges the file's values into the stored report of a meeting. */
function mergeMeeting(
  stored: StoredRaceDay | null,
  contents: RaceDayFile,
  venue: Venue,
): { ok: true; report: RaceDayInput } | { ok: false; problems: string[] } {
  const where = `${venue.name}, ${formatDate(contents.raceDate, "short")}`;
  const problems: string[] = [];
  if (isYearsAway(contents.raceDate, dateAt(now())))
    problems.push(`${where}: ${YEARS_AWAY_MESSAGE}`);
  if (contents.source === null) problems.push(`${where}: source is missing.`);
  const fileRaces = new Map(contents.races.map((race) => [race.raceNumber, race]));
  const storedRaces = new Map((stored?.races ?? []).map((race) => [race.raceNumber, race]));
  const raceNumbers = [...new Set([...storedRaces.keys(), ...fileRaces.keys()])];
  const races = raceNumbers
    .sort((a, b) => a - b)
    .map((raceNumber) =>
      mergeRace(raceNumber, storedRaces.get(raceNumber), fileRaces.get(raceNumber)),
    );
  for (const race of races) {
    if (race.time === null) problems.push(`${where}: race ${race.raceNumber} needs an off time.`);
    for (const runner of race.runners)
      if (runner.horseName === null)
        problems.push(
          `${where}: race ${race.raceNumber}, horse ${runner.number} ${fileRaces.get(race.raceNumber)?.result ? "is not declared" : "needs a name"}.`,
        );
  }
  if (problems.length > 0) return { ok: false, problems };
  const parsed = v.safeParse(raceDayInput, {
    venueId: venue.id,
    raceDate: contents.raceDate,
    going: contents.going ?? stored?.going ?? null,
    weather: stored?.weather ?? null,
    weatherDescription: stored?.weatherDescription ?? null,
    temperatureCelsius: stored?.temperatureCelsius ?? null,
    humidityPercent: stored?.humidityPercent ?? null,
    windKmh: stored?.windKmh ?? null,
    // A file of a few scratchings is the source of these, not of the whole day.
    source: stored?.source ?? contents.source,
    races,
  });
  if (parsed.success) return { ok: true, report: parsed.output };
  return {
    ok: false,
    problems: parsed.issues.map(({ path, message }) => {
      const [field, index, raceField] = path?.map((part) => part.key) ?? [];
      // A message about the order of two off times names both races itself.
      const race = field === "races" && raceField ? races[Number(index)] : undefined;
      return race ? `${where}, race ${race.raceNumber}: ${message}.` : `${where}: ${message}.`;
    }),
  };
}

function listRacesWithoutField(
  stored: StoredRaceDay | null,
  { venue, contents }: Meeting,
): string[] {
  const declared = new Set(
    stored?.races.filter(({ runners }) => runners.length > 0).map(({ raceNumber }) => raceNumber),
  );
  return contents.races
    .filter((race) => !declared.has(race.raceNumber) && isPartOfField(race))
    .map(
      ({ raceNumber }) =>
        `${venue.name}, ${formatDate(contents.raceDate, "short")}: race ${raceNumber} has no runners yet, and the file lists only horses that were scratched, were placed or did not finish. Import its runners first.`,
    );
}

/**
 * Returns whether the file's horses of a race are only the scratched ones, or only those of the result that were placed,
 * did not finish or were disqualified. As the runners of a race without any, they would make all others non-runners.
 */
function isPartOfField({ runners, result }: FileRace): boolean {
  const starters = runners.filter(({ isScratched }) => !isScratched);
  if (starters.length === 0) return runners.length > 0;
  if (result === null || !isRunStatus(result.status)) return false;
  const results = new Map(result.runners.map((runner) => [runner.number, runner]));
  return starters.every(({ number }) => {
    const { position = null, outcome = null } = results.get(number) ?? {};
    if (position === null) return outcome === "did-not-finish" || outcome === "disqualified";
    return position <= MAX_PLACES_PAID;
  });
}

function mergeRace(
  raceNumber: number,
  stored: DeclaredRace | undefined,
  file: FileRace | undefined,
) {
  const fileRunners = new Map((file?.runners ?? []).map((runner) => [runner.number, runner]));
  const storedRunners = new Map((stored?.runners ?? []).map((runner) => [runner.number, runner]));
  const numbers = [...new Set([...storedRunners.keys(), ...fileRunners.keys()])];
  return {
    raceNumber,
    time: file?.time ?? (stored ? timeAt(stored.offAt) : null),
    name: file?.name ?? stored?.name ?? null,
    distanceMetres: file?.distanceMetres ?? stored?.distanceMetres ?? null,
    surface: file?.surface ?? stored?.surface ?? null,
    runners: numbers
      .sort((a, b) => a - b)
      .map((number) => mergeRunner(number, storedRunners.get(number), fileRunners.get(number))),
  };
}

function mergeRunner(number: number, stored: Runner | undefined, file: FileRunner | undefined) {
  const isOtherHorse =
    stored && file?.horseName && foldHorseName(stored.horseName) !== foldHorseName(file.horseName);
  // A different horse with the same number must not inherit the previous horse's details.
  const kept = isOtherHorse ? undefined : stored;
  return {
    number,
    horseName: file?.horseName ?? kept?.horseName ?? null,
    jockey: file?.jockey ?? kept?.jockey ?? null,
    trainer: file?.trainer ?? kept?.trainer ?? null,
    draw: file?.draw ?? kept?.draw ?? null,
    isScratched: file?.isScratched ?? kept?.isScratched ?? false,
  };
}
