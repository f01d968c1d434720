import * as v from "valibot";
import { formatDate } from "#domain/calendar.ts";
import { foldHorseName, isSameHorseName } from "#domain/horse-key.ts";
import { isRunStatus, listPositions } from "#domain/race-result.ts";
import { MAX_HORSE_NUMBER } from "#domain/tip.ts";
import { now } from "#platform/clock.server.ts";
import type { Tx } from "#platform/database.server.ts";
import type { DeclaredRace } from "../read-declared-races.server.ts";
import { formatOrder } from "../results/describe-race-result.ts";
import { completeResult } from "../results/enter-race-result.server.ts";
import { type RaceResultInput, raceResultInput } from "../results/race-result.input.ts";
import {
  readOfficialResults,
  readUnconfirmedResults,
  type StoredRaceResult,
} from "../results/read-results.server.ts";
import { readResultAuthors } from "../results/result-authors.server.ts";
import { HAS_TIPS_MESSAGE } from "../results/result-authors.ts";
import type { Venue } from "../venues.server.ts";
import type { FileRace, FileResult, RaceDayFile } from "./race-day-file.ts";

/** A result from a file that the import will enter. */
export type PlannedResult = {
  raceNumber: number;
  input: RaceResultInput;
  /** The id of the unconfirmed result that it replaces. */
  replaces: string | null;
  /** A description such as "race 5 result new, official, 4 9 7". */
  change: string;
};

/**
 * Compares the results in a meeting's file with the stored ones. `stored` has the races before the import,
 * `next` the races after it. Refuses a result that contradicts the official one, which must be corrected on
 * its page. Also refuses any result of a race with another admin's unconfirmed result, even if they are
 * equal: otherwise the confirming admin could find out that result by trial and error. Refuses a new result of
 * a race in which this admin has tips.
 */
export async function planResults(
  tx: Tx,
  actorId: string | null,
  { venue, contents }: { venue: Venue; contents: RaceDayFile },
  { stored, next }: { stored: readonly DeclaredRace[]; next: readonly DeclaredRace[] },
): Promise<{ results: PlannedResult[]; problems: string[] }> {
  const results: PlannedResult[] = [];
  const problems: string[] = [];
  const races = contents.races.filter(
    ({ result, runners }) => result !== null || runners.length > 0,
  );
  if (races.length === 0) return { results, problems };
  const meeting = { venueId: venue.id, raceDate: contents.raceDate };
  const official = await readOfficialResults(meeting, tx);
  const unconfirmed = await readUnconfirmedResults(meeting, tx);
  for (const race of races.sort((a, b) => a.raceNumber - b.raceNumber)) {
    const find = <Race extends { raceNumber: number }>(list: readonly Race[]) =>
      list.find(({ raceNumber }) => raceNumber === race.raceNumber) ?? null;
    const planned = planResult(actorId, race, contents.source ?? "", {
      before: find(stored),
      after: find(next),
      official: find(official),
      unconfirmed: find(unconfirmed),
    });
    const where = `${venue.name}, ${formatDate(contents.raceDate, "short")}, race ${race.raceNumber}`;
    problems.push(...planned.problems.map((problem) => `${where}: ${problem}.`));
    if (!planned.result) continue;
    const { ids } = await readResultAuthors({ ...meeting, raceNumber: race.raceNumber }, tx);
    if (actorId === null || ids.includes(actorId)) results.push(planned.result);
    else problems.push(`${where}: ${HAS_TIPS_MESSAGE}`);
  }
  return { results, problems };
}

type Plan = { result: PlannedResult | null; problems: string[] };

const refuse = (...problems: string[]): Plan => ({ result: null, problems });
const NOTHING_TO_DO: Plan = { result: null, problems: [] };

function planResult(
  actorId: string | null,
  race: FileRace,
  source: string,
  {
    before,
    after,
    official,
    unconfirmed,
  }: {
    before: DeclaredRace | null;
    after: DeclaredRace | null;
    official: StoredRaceResult | null;
    unconfirmed: StoredRaceResult | null;
  },
): Plan {
  const { result } = race;
  const renamed = official ? findRenamedHorses(race, official) : [];
  if (renamed.length > 0) return refuse(...renamed);
  if (!result || !after) return NOTHING_TO_DO;
  const otherHorses = isRunStatus(result.status) ? findOtherHorses(race, before) : [];
  if (otherHorses.length > 0) return refuse(...otherHorses);
  if (official)
    return contradicts(result, official)
      ? refuse("the official result says something else. Correct it on its page")
      : NOTHING_TO_DO;
  const isOwn = unconfirmed?.via === "file" && unconfirmed.enteredBy === actorId;
  if (unconfirmed && isOwn && !contradicts(result, unconfirmed)) return NOTHING_TO_DO;
  // An unofficial result cannot be confirmed, so replacing it reveals nothing to the confirming admin.
  if (unconfirmed && !isOwn && unconfirmed.status !== "unofficial")
    return refuse("another result waits for its confirmation. Confirm or discard it first");
  if (isRunStatus(result.status) && now() < after.offAt)
    return refuse("it is not off yet. Only an abandoned race has a result before its off");
  const parsed = v.safeParse(raceResultInput, {
    status: result.status,
    time: null,
    starters: null,
    placesPaid: result.placesPaid,
    source,
    sourceUrl: result.sourceUrl,
    runners: result.runners.map((runner) => ({ ...runner, outcome: runner.outcome ?? "finished" })),
  });
  if (!parsed.success) return refuse(...parsed.issues.map(({ message }) => message));
  const completed = completeResult(parsed.output, after.runners);
  if (!completed.ok)
    return refuse(
      ...(completed.refusal === "invalid"
        ? completed.problems
        : completed.numbers.map((number) => `horse ${number} needs a name`)),
    );
  const order = formatOrder(listPositions(completed.runners, MAX_HORSE_NUMBER));
  return {
    result: {
      raceNumber: race.raceNumber,
      input: parsed.output,
      replaces: unconfirmed?.id ?? null,
      change: [
        `race ${race.raceNumber} result ${unconfirmed ? "replaced" : "new"}`,
        result.status,
        ...(order ? [order] : []),
      ].join(", "),
    },
    problems: [],
  };
}

/** Returns a problem for each horse of a result whose number is declared with a different name. */
function findOtherHorses(race: FileRace, before: DeclaredRace | null): string[] {
  return race.runners.flatMap(({ number, horseName }) => {
    const declared = before?.runners.find((runner) => runner.number === number);
    return declared && horseName && foldHorseName(declared.horseName) !== foldHorseName(horseName)
      ? [`horse ${number} is ${horseName} in the file, but ${declared.horseName} is declared`]
      : [];
  });
}

/**
 * Returns a problem for each horse that was named by those who entered the official result, because no runners were
 * declared, and has another name in the file.
 */
function findRenamedHorses(race: FileRace, official: StoredRaceResult): string[] {
  if (!official.hasEnteredNames) return [];
  const namesBut = (number: number) =>
    official.runners.flatMap((other) => (other.number === number ? [] : (other.horseName ?? [])));
  return race.runners.flatMap(({ number, horseName }) => {
    const named = official.runners.find((runner) => runner.number === number)?.horseName;
    return named && horseName && !isSameHorseName(horseName, named, namesBut(number))
      ? [`horse ${number} is ${horseName} in the file, but ${named} in the official result`]
      : [];
  });
}

/** Returns true if a value in the file differs from the stored result. Ignores empty cells. */
function contradicts(file: FileResult, stored: StoredRaceResult): boolean {
  const isOther = (value: unknown, storedValue: unknown) =>
    value !== null && JSON.stringify(value) !== JSON.stringify(storedValue);
  if (isOther(file.status, stored.status) && file.status !== "unofficial") return true;
  if (isOther(file.placesPaid, stored.placesPaid)) return true;
  return file.runners.some((runner) => {
    const { outcome, position, startingPrice, winDividendCents, placeDividendCents } = runner;
    const other = stored.runners.find(({ number }) => number === runner.number);
    return (
      isOther(outcome, other?.outcome) ||
      isOther(position, other?.position) ||
      isOther(startingPrice, other?.startingPrice) ||
      isOther(winDividendCents, other?.winDividendCents) ||
      isOther(placeDividendCents, other?.placeDividendCents)
    );
  });
}
