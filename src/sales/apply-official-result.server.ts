import type { Tx } from "#platform/database.server.ts";
import { type RaceSettlement, type ResultVersion, settleRace } from "#tips/tips.server.ts";
import { returnCoinsForVoidTips } from "./return-coins.server.ts";

/**
 * Applies a confirmed result: settles all tips of the race, and enqueues the coin returns of the tips that
 * become void or are no longer void by it. Must be called in the transaction that confirms the result, with
 * the race locked.
 */
export async function applyOfficialResult(tx: Tx, result: ResultVersion): Promise<RaceSettlement> {
  const settlement = await settleRace(tx, result);
  await returnCoinsForVoidTips(tx, [...settlement.newlyVoidTipIds, ...settlement.restoredTipIds]);
  return settlement;
}
