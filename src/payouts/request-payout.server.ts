import { now } from "#platform/clock.server.ts";
import { transaction } from "#platform/database.server.ts";
import { type MakePayoutAnswer, makePayout } from "./make-payout.server.ts";

/** Asks for everything a creator can be paid now, or answers what stands against it. */
export async function requestPayout(creatorId: string): Promise<MakePayoutAnswer> {
  return await transaction((tx) => makePayout(tx, { creatorId, payableBy: now(), isRun: false }));
}
