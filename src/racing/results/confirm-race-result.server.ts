import { and, eq, gt, isNull } from "drizzle-orm";
import { writeAudit } from "#audit/audit.server.ts";
import { isId } from "#domain/id.ts";
import {
  CONFIRMED_POSITIONS,
  isRunStatus,
  listPositions,
  type ResultStatus,
} from "#domain/race-result.ts";
import { isOnlyAdmin } from "#identity/identity.server.ts";
import { now } from "#platform/clock.server.ts";
import { type Tx, transaction } from "#platform/database.server.ts";
import { readDeclaredRaces } from "../read-declared-races.server.ts";
import { raceChanges, raceResults, runners } from "../tables.server.ts";
import { describeRaceResult, formatOrder, formatRaceSubject } from "./describe-race-result.ts";
import { lockRace } from "./lock-race.server.ts";
import { findResult, type RaceReference, type StoredRaceResult } from "./read-results.server.ts";

/** The entry of the confirming admin, made without seeing the first admin's entry. */
export type SecondEntry = {
  status: ResultStatus;
  /** The horse numbers of the first three positions; empty for a race that was not run. */
  positions: readonly (readonly number[])[];
};

/** A value that the two admins entered differently. */
export type EntryDifference = {
  /** 1 to 3, or null for the status of the race. */
  position: number | null;
  first: string;
  second: string;
};

type ConfirmationRefusal =
  | {
      ok: false;
      refusal: /** It never existed, or was discarded or entered again since. */
        | "no-such-result"
        /** Another admin confirmed it. */
        | "confirmed"
        /** This admin entered it, and there is another one to confirm it. */
        | "same-admin"
        | "unofficial"
        /** A runner was scratched, reinstated, added or renumbered after the result was entered. */
        | "runners-changed";
    }
  | { ok: false; refusal: "different"; differences: EntryDifference[] };

export type CompareRaceResultOutcome =
  | {
      ok: true;
      result: StoredRaceResult;
      /** True if the only admin entered and confirms the result, which will then be marked. */
      isOnePerson: boolean;
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

/**
 * Compares the second entry of an unconfirmed result with the first. Records differences in the audit
 * log, so that an admin who guesses the first entry by trial and error is noticed.
 */
export async function compareRaceResult(
  actorId: string,
  race: RaceReference,
  entry: { resultId: string; second: SecondEntry },
): Promise<CompareRaceResultOutcome> {
  return await transaction((tx) => compare(tx, actorId, race, entry));
}

/**
 * Confirms an unconfirmed result, which makes it official. Refuses the admin who entered it, unless there
 * is no other admin; the result is then marked as entered by one person. Takes a transaction because the
 * caller must settle the race's tips in the same one.
 */
export async function confirmRaceResult(
  tx: Tx,
  actorId: string,
  race: RaceReference,
  entry: { resultId: string; second: SecondEntry },
): Promise<ConfirmRaceResultOutcome> {
  const compared = await compare(tx, actorId, race, entry);
  if (!compared.ok) return compared;
  const { result, isOnePerson } = compared;
  if (result.confirmedAt) return { ok: true, result, isNew: false };
  const [confirmed] = await tx
    .update(raceResults)
    .set({ confirmedBy: actorId, confirmedAt: now(), isEnteredByOnePerson: isOnePerson })
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
      enteredByOnePerson: isOnePerson,
      ...(result.reason ? { reason: result.reason } : {}),
    },
  });
  return { ok: true, result: { ...confirmed, runners: result.runners }, isNew: true };
}

async function compare(
  tx: Tx,
  actorId: string,
  race: RaceReference,
  { resultId, second }: { resultId: string; second: SecondEntry },
): Promise<CompareRaceResultOutcome> {
  const locked = isId(resultId) ? await lockRace(tx, race) : null;
  const result = locked && (await findResult(resultId, tx));
  if (!result || result.raceDayId !== locked.raceDayId || result.raceNumber !== race.raceNumber)
    return { ok: false, refusal: "no-such-result" };
  if (result.confirmedAt)
    return result.confirmedBy === actorId
      ? { ok: true, result, isOnePerson: result.isEnteredByOnePerson }
      : { ok: false, refusal: "confirmed" };
  const isOnePerson = result.enteredBy === actorId;
  if (isOnePerson && !(await isOnlyAdmin(actorId, tx))) return { ok: false, refusal: "same-admin" };
  if (result.status === "unofficial") return { ok: false, refusal: "unofficial" };
  if (isRunStatus(result.status) && (await haveRunnersChanged(tx, race, result)))
    return { ok: false, refusal: "runners-changed" };
  const differences = findDifferences(result, second);
  if (differences.length === 0) return { ok: true, result, isOnePerson };
  await writeAudit(tx, {
    actorId,
    action: "differ-on-race-result",
    subject: formatRaceSubject(race),
    details: {
      race: result.raceNumber,
      version: result.version,
      differences: differences.map(
        ({ position, first, second }) =>
          `${position ?? "status"}: ${first || "none"}, then ${second || "none"}`,
      ),
    },
  });
  return { ok: false, refusal: "different", differences };
}

/** Returns the differences between the entered result and its second entry. */
function findDifferences(result: StoredRaceResult, second: SecondEntry): EntryDifference[] {
  if (result.status !== second.status)
    return [{ position: null, first: result.status, second: second.status }];
  const first = listPositions(result.runners);
  return Array.from({ length: CONFIRMED_POSITIONS }, (_, index) => ({
    position: index + 1,
    first: formatOrder([first[index] ?? []]),
    second: formatOrder([[...(second.positions[index] ?? [])].sort((a, b) => a - b)]),
  })).filter((each) => each.first !== each.second);
}

/** Returns true if the declared runners no longer match the result. */
async function haveRunnersChanged(
  tx: Tx,
  { venueId, raceDate, raceNumber }: RaceReference,
  result: StoredRaceResult,
): Promise<boolean> {
  const races = await readDeclaredRaces(venueId, raceDate, tx);
  const declared = races.find((race) => race.raceNumber === raceNumber)?.runners ?? [];
  if (declared.length === 0) return result.runners.some(({ horseName }) => horseName !== null);
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
