import type { TipResult } from "#domain/tip.ts";
import { dryRun, transaction } from "#platform/database.server.ts";
import { publishUpdate } from "#platform/notify.server.ts";
import {
  type CompareRaceResultOutcome,
  type ConfirmRaceResultOutcome,
  compareRaceResult,
  confirmRaceResult,
  type RaceReference,
  type SecondEntry,
} from "#racing/racing.server.ts";
import { readRaceCardsOfRace, settleRace } from "#tips/tips.server.ts";
import { applyOfficialResult } from "./apply-official-result.server.ts";
import { enqueueCoinReturns, sumCoinReturns } from "./return-coins.server.ts";

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

/** What the confirmation of a result will change. */
export type ResultEffect = {
  /** The number of tips whose result changes, by the result before and after. Null is a tip without a result. */
  tips: { from: TipResult | null; to: TipResult; count: number }[];
  /** The tips that are settled and keep their result. */
  unchangedTips: number;
  /** The coins that go back to buyers, the sales concerned, and the change of what creators earn, in cents. */
  coins: number;
  sales: number;
  earningsCents: number;
};

/**
 * Compares the second entry of a result with the first, and returns what its confirmation will change. It is confirmed
 * in a transaction that is rolled back, so that the preview follows the rules of the confirmation.
 */
export async function previewOfficialResult(
  actorId: string,
  race: RaceReference,
  entry: { resultId: string; second: SecondEntry },
): Promise<
  | Extract<CompareRaceResultOutcome, { ok: false }>
  | (Extract<CompareRaceResultOutcome, { ok: true }> & {
      /** True if the confirmation will mark the result as the work of one person. */
      isOnePerson: boolean;
      effect: ResultEffect | null;
    })
> {
  const compared = await compareRaceResult(actorId, race, entry);
  if (!compared.ok) return compared;
  const preview = await dryRun(async (tx) => {
    const confirmation = await confirmRaceResult(tx, actorId, race, entry);
    if (!confirmation.ok || !confirmation.isNew) return null;
    const { tipIds, changes, newlyVoidTipIds, restoredTipIds } = await settleRace(
      tx,
      confirmation.result,
    );
    const changed = changes.reduce((sum, { count }) => sum + count, 0);
    return {
      isOnePerson: confirmation.result.isEnteredByOnePerson,
      effect: {
        tips: changes,
        unchangedTips: tipIds.length - changed,
        ...(await sumCoinReturns(tx, [...newlyVoidTipIds, ...restoredTipIds])),
      },
    };
  });
  return {
    ...compared,
    isOnePerson: preview?.isOnePerson ?? compared.result.isEnteredByOnePerson,
    effect: preview?.effect ?? null,
  };
}
