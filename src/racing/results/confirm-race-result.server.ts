import { and, eq, gt, isNull } from "drizzle-orm";
import { timeAt } from "#domain/calendar.ts";
import { isSameHorseName } from "#domain/horse-key.ts";
import { isId } from "#domain/id.ts";
import type { Surface } from "#domain/race-day.ts";
import {
  countNamedPositions,
  isRunStatus,
  listPositions,
  type ResultStatus,
  standardPlacesPaid,
} from "#domain/race-result.ts";
import { writeAudit } from "#platform/audit/audit.server.ts";
import { now } from "#platform/clock.server.ts";
import { dryRun, type Tx, transaction } from "#platform/database.server.ts";
import { publishUpdate } from "#platform/notify.server.ts";
import { type Runner, readDeclaredRaces } from "../read-declared-races.server.ts";
import { raceChanges, raceResults, runners } from "../tables.server.ts";
import { describeRaceResult, formatOrder, formatRaceSubject } from "./describe-race-result.ts";
import { lockRace } from "./lock-race.server.ts";
import { type ResultEffect, raceResultSteps } from "./race-result-steps.server.ts";
import { findResult, type RaceReference, type StoredRaceResult } from "./read-results.server.ts";
import { findAuthorRefusal, readResultAuthors } from "./result-authors.server.ts";

/**
 * The entry of the confirming admin, made without seeing the first admin's entry: all that tips are settled by. Only the
 * status counts for a race that was not run.
 */
export type SecondEntry = {
  status: ResultStatus;
  /** `HH:MM`. */
  off: string | null;
  starters: number | null;
  /** Null for the tote's standard number for the starters. */
  placesPaid: number | null;
  /** Null if it was not reported. */
  surface: Surface | null;
  nonRunners: readonly number[];
  /** The horse numbers by position, as far as places are paid and at least the winner. */
  positions: readonly (readonly number[])[];
  /** The names of these horses where no runners are declared, otherwise empty. */
  names: readonly { number: number; horseName: string }[];
};

/** A value that the two admins entered differently, as text. Empty where an entry has none. */
export type EntryDifference = { what: string; first: string; second: string };

type ConfirmationRefusal =
  | {
      ok: false;
      refusal: /** It never existed, or was discarded or entered again since. */
        | "no-such-result"
        /** Another admin confirmed it. */
        | "confirmed"
        /** This admin entered it, and there is another one to confirm it. */
        | "same-admin"
        /** This admin has tips in the race, and there are admins who have none. */
        | "has-tips"
        | "unofficial"
        /**
         * A runner was scratched, reinstated, added or renumbered after the result was entered. Or no runners are declared,
         * and the result has no names.
         */
        | "runners-changed"
        /** The reported surface of the race changed after the result was entered. */
        | "surface-changed";
    }
  | { ok: false; refusal: "different"; differences: EntryDifference[] };

type Comparison = { ok: true; result: StoredRaceResult } | ConfirmationRefusal;

export type CompareRaceResultOutcome =
  | {
      ok: true;
      result: StoredRaceResult;
      /** True if the confirmation will mark the result as the work of one person. */
      isOnePerson: boolean;
      /** Null if this admin has confirmed the result already. */
      effect: ResultEffect | null;
    }
  | ConfirmationRefusal;

export type ConfirmRaceResultOutcome =
  | {
      ok: true;
      result: StoredRaceResult;
      /** False if this admin had already confirmed it, so that nothing was written. */
      isNew: boolean;
    }
  | ConfirmationRefusal;

type Entry = { resultId: string; second: SecondEntry };

/**
 * Compares the second entry of an unconfirmed result with the first, and returns what its confirmation will change. It is
 * confirmed in a transaction that is rolled back, so that the preview follows the rules of the confirmation. Records
 * differences in the audit log, so that an admin who guesses the first entry by trial and error is noticed.
 */
export async function compareRaceResult(
  actorId: string,
  race: RaceReference,
  entry: Entry,
): Promise<CompareRaceResultOutcome> {
  const { preview } = raceResultSteps();
  const compared = await transaction((tx) => compare(tx, actorId, race, entry));
  if (!compared.ok) return compared;
  const previewed = await dryRun(async (tx) => {
    const confirmation = await confirm(tx, actorId, race, entry);
    if (!confirmation.ok || !confirmation.isNew) return null;
    const { result } = confirmation;
    return { isOnePerson: result.isEnteredByOnePerson, effect: await preview(tx, result) };
  });
  const { isEnteredByOnePerson: isOnePerson } = compared.result;
  return { ...compared, isOnePerson, effect: null, ...previewed };
}

/**
 * Confirms an unconfirmed result, which makes it official. In the same transaction, settles the race's tips by it and
 * enqueues the coin returns. Refuses the admin who entered it and admins with tips in the race, unless fewer than two
 * admins have none. The database marks the result if it is the work of one person. A call by the admin who confirmed
 * it repeats the coin returns.
 */
export async function confirmRaceResult(
  actorId: string,
  race: RaceReference,
  entry: Entry,
): Promise<ConfirmRaceResultOutcome> {
  const { settle, retryCoinReturns } = raceResultSteps();
  const outcome = await transaction(async (tx) => {
    const confirmation = await confirm(tx, actorId, race, entry);
    if (confirmation.ok && confirmation.isNew) await settle(tx, confirmation.result);
    else if (confirmation.ok) await retryCoinReturns(tx, race);
    return confirmation;
  });
  // Also when it was confirmed before: the process may have ended before the notice.
  if (outcome.ok) await publishUpdate("race-cards");
  return outcome;
}

async function confirm(
  tx: Tx,
  actorId: string,
  race: RaceReference,
  entry: Entry,
): Promise<ConfirmRaceResultOutcome> {
  const compared = await compare(tx, actorId, race, entry);
  if (!compared.ok) return compared;
  const { result } = compared;
  if (result.confirmedAt) return { ok: true, result, isNew: false };
  const [confirmed] = await tx
    .update(raceResults)
    .set({
      confirmedBy: actorId,
      confirmedAt: now(),
      isEnteredByOnePerson: result.enteredBy === actorId,
    })
    .where(eq(raceResults.id, result.id))
    .returning();
  if (!confirmed) throw new Error("a race result was not confirmed");
  if (result.status === "abandoned")
    await tx.insert(raceChanges).values({
      raceDayId: result.raceDayId,
      raceNumber: result.raceNumber,
      kind: "abandoned",
      source: result.source,
      actorId,
      createdAt: now(),
    });
  await writeAudit(tx, {
    actorId,
    action: "confirm-race-result",
    subject: formatRaceSubject(race),
    details: {
      ...describeRaceResult(result),
      enteredByOnePerson: confirmed.isEnteredByOnePerson,
      ...(result.reason ? { reason: result.reason } : {}),
    },
  });
  return { ok: true, result: { ...confirmed, runners: result.runners }, isNew: true };
}

async function compare(
  tx: Tx,
  actorId: string,
  race: RaceReference,
  { resultId, second }: Entry,
): Promise<Comparison> {
  const locked = isId(resultId) ? await lockRace(tx, race) : null;
  const result = locked && (await findResult(resultId, tx));
  if (!result || result.raceDayId !== locked.raceDayId || result.raceNumber !== race.raceNumber)
    return { ok: false, refusal: "no-such-result" };
  if (result.confirmedAt)
    return result.confirmedBy === actorId
      ? { ok: true, result }
      : { ok: false, refusal: "confirmed" };
  const refusal = findAuthorRefusal(await readResultAuthors(race, tx), actorId, result);
  if (refusal) return { ok: false, refusal };
  if (result.status === "unofficial") return { ok: false, refusal: "unofficial" };
  if (isRunStatus(result.status)) {
    const changed = await findChangeOfRace(tx, race, result);
    if (changed) return { ok: false, refusal: changed };
  }
  const differences = findDifferences(result, second);
  if (differences.length === 0) return { ok: true, result };
  await writeAudit(tx, {
    actorId,
    action: "differ-on-race-result",
    subject: formatRaceSubject(race),
    details: {
      race: result.raceNumber,
      version: result.version,
      differences: differences.map(
        ({ what, first, second }) => `${what}: ${first || "none"}, then ${second || "none"}`,
      ),
    },
  });
  return { ok: false, refusal: "different", differences };
}

/** Returns what a second admin must enter to agree with a result. */
export function toSecondEntry(result: Omit<StoredRaceResult, "id">): SecondEntry {
  const { status, offAt, starters, placesPaid, surface, hasEnteredNames, runners } = result;
  const positions = countNamedPositions(placesPaid);
  return {
    status,
    off: offAt && timeAt(offAt),
    starters,
    placesPaid,
    surface,
    nonRunners: runners.flatMap(({ number, outcome }) => (outcome === "non-runner" ? number : [])),
    positions: listPositions(runners, positions),
    names: hasEnteredNames
      ? runners.flatMap(({ number, horseName, position }) =>
          horseName !== null && position !== null && position <= positions
            ? { number, horseName }
            : [],
        )
      : [],
  };
}

/** Returns the differences between the entered result and its second entry. */
function findDifferences(result: StoredRaceResult, second: SecondEntry): EntryDifference[] {
  const first = toSecondEntry(result);
  if (first.status !== second.status)
    return [{ what: "Status", first: first.status, second: second.status }];
  if (!isRunStatus(first.status)) return [];
  const positions = countNamedPositions(Math.max(countPlaces(first), countPlaces(second)));
  const [before, after] = [listValues(first, positions), listValues(second, positions)];
  return [
    ...before
      .map(([what, value], index) => ({ what, first: value, second: after[index]?.[1] ?? "" }))
      .filter((each) => each.first !== each.second),
    ...findDifferentNames(first, second),
  ];
}

/** Compares the names of the horses that both entries place, as a tip is compared with a runner. */
function findDifferentNames(first: SecondEntry, second: SecondEntry): EntryDifference[] {
  const placed = new Set(second.positions.flat());
  const names = new Map(second.names.map(({ number, horseName }) => [number, horseName]));
  return first.names
    .filter(({ number }) => placed.has(number))
    .flatMap(({ number, horseName }) => {
      const others = first.names.flatMap((other) =>
        other.number === number ? [] : other.horseName,
      );
      const name = names.get(number) ?? "";
      return isSameHorseName(name, horseName, others)
        ? []
        : { what: `Name of horse ${number}`, first: horseName, second: name };
    });
}

const countPlaces = ({ placesPaid, starters }: SecondEntry) =>
  placesPaid ?? standardPlacesPaid(starters ?? 0);

function listValues(entry: SecondEntry, positions: number): [what: string, value: string][] {
  const sort = (numbers: readonly number[]) => [...numbers].sort((a, b) => a - b);
  return [
    ["Off", entry.off ?? ""],
    ["Surface", entry.surface ?? ""],
    ["Starters", String(entry.starters ?? "")],
    ["Places paid", String(countPlaces(entry))],
    ["Non-runners", sort(entry.nonRunners).join(" ")],
    ...Array.from({ length: positions }, (_, index): [string, string] => [
      `Position ${index + 1}`,
      formatOrder([sort(entry.positions[index] ?? [])]),
    ]),
  ];
}

/** Returns what changed about the race after the result was entered, or null. */
async function findChangeOfRace(
  tx: Tx,
  { venueId, raceDate, raceNumber }: RaceReference,
  result: StoredRaceResult,
): Promise<"runners-changed" | "surface-changed" | null> {
  const races = await readDeclaredRaces(venueId, raceDate, tx);
  const race = races.find((each) => each.raceNumber === raceNumber);
  if (await haveRunnersChanged(tx, race?.runners ?? [], result)) return "runners-changed";
  return (race?.surface ?? null) === result.surface ? null : "surface-changed";
}

/** Returns true if the declared runners no longer match the result. */
async function haveRunnersChanged(
  tx: Tx,
  declared: readonly Runner[],
  result: StoredRaceResult,
): Promise<boolean> {
  if (declared.length === 0 || result.hasEnteredNames)
    return declared.length > 0 || !result.hasEnteredNames;
  const entered = new Map(result.runners.map((runner) => [runner.number, runner]));
  const reported = await readRunnersReportedAfter(tx, result);
  return (
    declared.length !== result.runners.length ||
    declared.some(({ number, horseName, isScratched }) => {
      const runner = entered.get(number);
      if (runner?.horseName !== horseName) return true;
      // An admin can enter a declared horse as a non-runner. But if the horse was reinstated after the entry,
      // it is a non-runner only because it was scratched then, and no admin entered it as one.
      return runner.outcome === "non-runner" ? reported.has(number) : isScratched;
    })
  );
}

/** Returns the numbers of the horses that a report after the entry declared or reinstated. */
async function readRunnersReportedAfter(
  tx: Tx,
  { raceDayId, raceNumber, enteredAt }: StoredRaceResult,
): Promise<Set<number>> {
  const rows = await tx
    .select({ number: runners.number })
    .from(runners)
    .where(
      and(
        eq(runners.raceDayId, raceDayId),
        eq(runners.raceNumber, raceNumber),
        isNull(runners.scratchedAt),
        gt(runners.reportedAt, enteredAt),
      ),
    );
  return new Set(rows.map(({ number }) => number));
}
