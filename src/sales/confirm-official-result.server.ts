import { transaction } from "#platform/database.server.ts";
import { publishUpdate } from "#platform/notify.server.ts";
import {
  type ConfirmRaceResultOutcome,
  confirmRaceResult,
  type RaceReference,
  type SecondEntry,
} from "#racing/racing.server.ts";
import { readRaceCardsOfRace } from "#tips/tips.server.ts";
import { applyOfficialResult } from "./apply-official-result.server.ts";
import { enqueueCoinReturns } from "./return-coins.server.ts";

/**
 * Confirms the result of a race as a second admin. Settles the race's tips by it and returns the coins of
 * void ones in the same transaction. Here and not in racing, because tips and sales are above racing.
 */
export async function confirmOfficialResult(
  actorId: string,
  race: RaceReference,
  entry: { resultId: string; second: SecondEntry },
): Promise<ConfirmRaceResultOutcome> {
  const outcome = await transaction(async (tx) => {
    const confirmation = await confirmRaceResult(tx, actorId, race, entry);
    if (confirmation.ok && confirmation.isNew) await applyOfficialResult(tx, confirmation.result);
    // A repeated confirmation repeats coin returns that failed.
    else if (confirmation.ok) await enqueueCoinReturns(tx, await readRaceCardsOfRace(tx, race));
    return confirmation;
  });
  // Also when it was confirmed before: the process may have ended before the notice.
  if (outcome.ok) await publishUpdate("race-cards");
  return outcome;
}
