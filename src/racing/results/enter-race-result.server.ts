import { instantAt } from "#domain/calendar.ts";
import { isSameHorseName, toHorseKey } from "#domain/horse-key.ts";
import {
  countNamedPositions,
  ENTERED_POSITIONS,
  isRunStatus,
  standardPlacesPaid,
} from "#domain/race-result.ts";
import { writeAudit } from "#platform/audit/audit.server.ts";
import { now } from "#platform/clock.server.ts";
import { type Tx, transaction } from "#platform/database.server.ts";
import { type Runner, readDeclaredRaces } from "../read-declared-races.server.ts";
import { raceResults, resultRunners } from "../tables.server.ts";
import { describeRaceResult, formatRaceSubject } from "./describe-race-result.ts";
import { deleteUnconfirmedResult } from "./discard-race-result.server.ts";
import { lockRace } from "./lock-race.server.ts";
import type { RaceResultInput } from "./race-result.input.ts";
import {
  type RaceReference,
  readResultVersions,
  type StoredRaceResult,
  type StoredResultRunner,
} from "./read-results.server.ts";
import { readResultAuthors } from "./result-authors.server.ts";

export type EnterRaceResultOutcome =
  /** `result` is unconfirmed. */
  | { ok: true; result: StoredRaceResult }
  | {
      ok: false;
      refusal:
        | "unknown-race"
        /** The race was not off yet. An abandoned race can be entered at any time. */
        | "too-early"
        /** This admin has tips in the race, and there are admins who have none. */
        | "has-tips"
        /** The entered surface is not the reported one. */
        | "other-surface"
        /** The correction of an official result needs a reason. */
        | "reason-missing"
        /** The correction is equal to the official result. */
        | "unchanged";
    }
  /** The race already has a different unconfirmed result. */
  | { ok: false; refusal: "unconfirmed"; unconfirmed: StoredRaceResult }
  | IncompleteResult;

type IncompleteResult =
  /** The result is inconsistent, or does not match the declared runners. */
  | { ok: false; refusal: "invalid"; problems: string[] }
  /** No runners are declared, and these placed horses have no names. */
  | { ok: false; refusal: "names-missing"; numbers: number[] };

type EntryOptions = {
  via: StoredRaceResult["via"];
  /** The id of the unconfirmed result that this one replaces. */
  replaces?: string | null;
};

/**
 * Enters the result of a race, which another admin must then confirm. If the race has an official result,
 * the entry is a correction and needs a reason. Refuses an admin with tips in the race while two admins have none.
 * Idempotent. `actorId` is null for a feed and for files
 * imported from the command line.
 */
export async function enterRaceResult(
  actorId: string | null,
  race: RaceReference,
  input: RaceResultInput,
  options: EntryOptions,
): Promise<EnterRaceResultOutcome> {
  return await transaction((tx) => enterRaceResultInTransaction(tx, actorId, race, input, options));
}

/** Does the same as `enterRaceResult` in the caller's transaction. */
export async function enterRaceResultInTransaction(
  tx: Tx,
  actorId: string | null,
  reference: RaceReference,
  input: RaceResultInput,
  { via, replaces = null }: EntryOptions,
): Promise<EnterRaceResultOutcome> {
  const race = await lockRace(tx, reference);
  if (!race) return { ok: false, refusal: "unknown-race" };
  if (actorId !== null && !(await readResultAuthors(reference, tx)).ids.includes(actorId))
    return { ok: false, refusal: "has-tips" };
  const isRun = isRunStatus(input.status);
  if (isRun && now() < race.offAt) return { ok: false, refusal: "too-early" };
  const declared = await readDeclaredRaces(reference.venueId, reference.raceDate, tx);
  const declaredRace = declared.find(({ raceNumber }) => raceNumber === reference.raceNumber);
  const surface = isRun ? (declaredRace?.surface ?? null) : null;
  if (isRun && input.surface !== undefined && input.surface !== surface)
    return { ok: false, refusal: "other-surface" };
  const completed = completeResult(input, declaredRace?.runners ?? []);
  if (!completed.ok) return completed;
  const entry = {
    status: input.status,
    offAt: input.time ? instantAt(reference.raceDate, input.time) : isRun ? race.offAt : null,
    starters: completed.starters,
    placesPaid: completed.placesPaid,
    surface,
    source: input.source,
    sourceUrl: input.sourceUrl,
    hasEnteredNames: completed.hasEnteredNames,
    runners: completed.runners,
  };
  if (entry.offAt && now() < entry.offAt)
    return { ok: false, refusal: "invalid", problems: ["The off time is in the future"] };

  const [newest, ...older] = await readResultVersions(reference, tx);
  const unconfirmed = newest && newest.confirmedAt === null ? newest : null;
  const official = unconfirmed ? (older[0] ?? null) : (newest ?? null);
  const reason = official ? input.reason : "";
  if (unconfirmed && unconfirmed.id !== replaces)
    return unconfirmed.enteredBy === actorId &&
      unconfirmed.reason === reason &&
      isSame(unconfirmed, entry)
      ? { ok: true, result: unconfirmed }
      : { ok: false, refusal: "unconfirmed", unconfirmed };
  if (official && reason === "") return { ok: false, refusal: "reason-missing" };
  if (official && isSame(official, entry)) return { ok: false, refusal: "unchanged" };
  if (unconfirmed) await deleteUnconfirmedResult(tx, unconfirmed);

  const version = (official?.version ?? 0) + 1;
  const key = { raceDayId: race.raceDayId, raceNumber: reference.raceNumber, version };
  const { runners, ...values } = entry;
  const [row] = await tx
    .insert(raceResults)
    .values({ ...key, ...values, via, enteredBy: actorId, enteredAt: now(), reason })
    .returning();
  if (!row) throw new Error("a race result was not written");
  await writeResultRunners(tx, key, runners);
  const result = { ...row, runners };
  await writeAudit(tx, {
    actorId,
    action: official ? "correct-race-result" : "enter-race-result",
    subject: formatRaceSubject(reference),
    details: {
      ...describeRaceResult(result),
      ...(official ? { reason } : {}),
      ...(unconfirmed ? { replaces: describeRaceResult(unconfirmed).order } : {}),
    },
  });
  return { ok: true, result };
}

type Completed =
  | {
      ok: true;
      runners: StoredResultRunner[];
      starters: number | null;
      placesPaid: number;
      hasEnteredNames: boolean;
    }
  | IncompleteResult;

/**
 * Adds the declared runners that a result leaves out, and validates it. The finishing order must contain
 * the first three and all places paid, unless fewer horses finished. Where no runners are declared, the horses for which
 * places are paid, at least the winner, must have names.
 */
export function completeResult(input: RaceResultInput, declared: readonly Runner[]): Completed {
  if (!isRunStatus(input.status))
    return { ok: true, runners: [], starters: null, placesPaid: 0, hasEnteredNames: false };
  const problems: string[] = [];
  const entered = new Map(input.runners.map((runner) => [runner.number, runner]));
  const declaredNumbers = new Set(declared.map(({ number }) => number));
  if (declared.length > 0)
    for (const number of entered.keys())
      if (!declaredNumbers.has(number)) problems.push(`Horse ${number} is not declared`);
  for (const { number, horseName, isScratched } of declared) {
    const { outcome, horseName: enteredName } = entered.get(number) ?? {};
    const others = declared.flatMap((other) => (other.number === number ? [] : other.horseName));
    if (enteredName && !isSameHorseName(enteredName, horseName, others))
      problems.push(`Horse ${number} is declared as ${horseName}, not ${enteredName}`);
    if (isScratched && outcome && outcome !== "non-runner")
      problems.push(
        `Horse ${number}, ${horseName}, is scratched. Reinstate it on the race day first`,
      );
  }
  const runners: StoredResultRunner[] =
    declared.length > 0
      ? declared.map(({ number, horseName, isScratched }) => ({
          ...(entered.get(number) ?? {
            number,
            outcome: isScratched ? ("non-runner" as const) : ("finished" as const),
            position: null,
            startingPrice: null,
            winDividendCents: null,
            placeDividendCents: null,
          }),
          horseName,
        }))
      : input.runners.map((runner) => ({ ...runner, horseName: runner.horseName ?? null }));
  const started = runners.filter(({ outcome }) => outcome !== "non-runner").length;
  const starters = declared.length > 0 ? started : input.starters;
  if (starters === null) problems.push("Enter the number of starters");
  else if (starters < 1) problems.push("No horse started. Enter the race as abandoned or void");
  else if (declared.length > 0 && input.starters !== null && input.starters !== started)
    problems.push(`${input.starters} starters were entered, but ${started} declared horses ran`);
  else if (started > starters)
    problems.push(`${started} horses are entered, but there are ${starters} starters`);
  if (problems.length > 0 || starters === null) return { ok: false, refusal: "invalid", problems };

  const placesPaid = input.placesPaid ?? standardPlacesPaid(starters);
  const stopped = runners.filter(
    ({ outcome }) => outcome === "did-not-finish" || outcome === "disqualified",
  ).length;
  const required = Math.min(Math.max(placesPaid, ENTERED_POSITIONS), starters - stopped);
  const placed = runners.filter(({ position }) => position !== null).length;
  if (placed === 0) problems.push("Enter the winner");
  else if (placed < required) problems.push(`Enter at least the first ${required}`);
  const hasEnteredNames = declared.length === 0;
  if (hasEnteredNames) problems.push(...findEqualNames(runners));
  if (problems.length > 0) return { ok: false, refusal: "invalid", problems };
  const unnamed = hasEnteredNames
    ? runners.filter(
        ({ position, horseName }) =>
          position !== null && position <= countNamedPositions(placesPaid) && horseName === null,
      )
    : [];
  return unnamed.length > 0
    ? { ok: false, refusal: "names-missing", numbers: unnamed.map(({ number }) => number) }
    : { ok: true, runners: sortRunners(runners), starters, placesPaid, hasEnteredNames };
}

/** Returns a problem for each horse with the name of one before it. Horses may differ by country alone. */
function findEqualNames(runners: readonly StoredResultRunner[]): string[] {
  const numbers = new Map<string, number>();
  return runners.flatMap(({ number, horseName }) => {
    if (horseName === null) return [];
    const key = toHorseKey(horseName);
    const before = numbers.get(key);
    numbers.set(key, number);
    return before === undefined ? [] : `Horses ${before} and ${number} have the same name`;
  });
}

function sortRunners(runners: readonly StoredResultRunner[]): StoredResultRunner[] {
  const last = Number.MAX_SAFE_INTEGER;
  return [...runners].sort(
    (a, b) => (a.position ?? last) - (b.position ?? last) || a.number - b.number,
  );
}

type Comparable = Pick<
  StoredRaceResult,
  | "status"
  | "offAt"
  | "starters"
  | "placesPaid"
  | "surface"
  | "source"
  | "sourceUrl"
  | "hasEnteredNames"
  | "runners"
>;

function isSame(a: Comparable, b: Comparable): boolean {
  const toText = (result: Comparable) =>
    JSON.stringify([
      result.status,
      result.offAt,
      result.starters,
      result.placesPaid,
      result.surface,
      result.source,
      result.sourceUrl,
      result.hasEnteredNames,
      result.runners.map((runner) => [
        runner.number,
        runner.horseName,
        runner.outcome,
        runner.position,
        runner.startingPrice?.numerator,
        runner.startingPrice?.denominator,
        runner.winDividendCents,
        runner.placeDividendCents,
      ]),
    ]);
  return toText(a) === toText(b);
}

async function writeResultRunners(
  tx: Tx,
  key: { raceDayId: string; raceNumber: number; version: number },
  runners: readonly StoredResultRunner[],
): Promise<void> {
  if (runners.length === 0) return;
  await tx.insert(resultRunners).values(
    runners.map(({ startingPrice, ...runner }) => ({
      ...key,
      ...runner,
      startingPriceNumerator: startingPrice?.numerator ?? null,
      startingPriceDenominator: startingPrice?.denominator ?? null,
    })),
  );
}
