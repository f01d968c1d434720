import { and, eq } from "drizzle-orm";
import { isId } from "#domain/id.ts";
import { writeAudit } from "#platform/audit/audit.server.ts";
import { type Tx, transaction } from "#platform/database.server.ts";
import { raceResults, resultRunners } from "../tables.server.ts";
import { describeRaceResult, formatRaceSubject } from "./describe-race-result.ts";
import { lockRace } from "./lock-race.server.ts";
import { findResult, type RaceReference, type StoredRaceResult } from "./read-results.server.ts";

export type DiscardRaceResultOutcome =
  | { ok: true }
  | { ok: false; refusal: "no-such-result" | "confirmed" };

/** Discards an unconfirmed result, so that it can be entered again. */
export async function discardRaceResult(
  actorId: string,
  race: RaceReference,
  resultId: string,
): Promise<DiscardRaceResultOutcome> {
  if (!isId(resultId)) return { ok: false, refusal: "no-such-result" };
  return await transaction(async (tx): Promise<DiscardRaceResultOutcome> => {
    const locked = await lockRace(tx, race);
    const result = locked && (await findResult(resultId, tx));
    if (!result || result.raceDayId !== locked.raceDayId || result.raceNumber !== race.raceNumber)
      return { ok: false, refusal: "no-such-result" };
    if (result.confirmedAt) return { ok: false, refusal: "confirmed" };
    await deleteUnconfirmedResult(tx, result);
    await writeAudit(tx, {
      actorId,
      action: "discard-race-result",
      subject: formatRaceSubject(race),
      details: describeRaceResult(result),
    });
    return { ok: true };
  });
}

/** Deletes an unconfirmed result with its runners. The race must be locked. */
export async function deleteUnconfirmedResult(
  tx: Tx,
  { raceDayId, raceNumber, version, id }: StoredRaceResult,
): Promise<void> {
  await tx
    .delete(resultRunners)
    .where(
      and(
        eq(resultRunners.raceDayId, raceDayId),
        eq(resultRunners.raceNumber, raceNumber),
        eq(resultRunners.version, version),
      ),
    );
  await tx.delete(raceResults).where(eq(raceResults.id, id));
}
