import { notifyCreator } from "#creators/creators.server.ts";
import type { TipResult } from "#domain/tip.ts";
import { type Tx, transaction } from "#platform/database.server.ts";
import { publishUpdate } from "#platform/notify.server.ts";
import { describeTip, type SetTipResultOutcome, setTipResult } from "#tips/tips.server.ts";
import { returnCoinsForVoidTips } from "./return-coins.server.ts";

/**
 * Enters or corrects the result of a tip, for an admin. If the tip becomes void or is no longer void,
 * enqueues the coin returns of its buyers in the same transaction.
 */
export async function enterResult(
  actorId: string,
  entry: { tipId: string; result: TipResult; reason: string },
): Promise<SetTipResultOutcome> {
  const outcome = await transaction(async (tx) => {
    const correction = await setTipResult(tx, { ...entry, actorId });
    if (correction.ok && (entry.result === "void" || correction.previous === "void"))
      await returnCoinsForVoidTips(tx, [entry.tipId]);
    if (correction.ok && (correction.previous !== entry.result || correction.wasClaim))
      await notifyCreatorOfResult(tx, entry, correction);
    return correction;
  });
  if (outcome.ok) await publishUpdate("race-cards");
  return outcome;
}

async function notifyCreatorOfResult(
  tx: Tx,
  { tipId, result, reason }: { tipId: string; result: TipResult; reason: string },
  { previous, wasClaim, isCardVoid }: Extract<SetTipResultOutcome, { ok: true }>,
): Promise<void> {
  const description = await describeTip(tx, tipId);
  if (!description) return;
  const { creatorId, tip } = description;
  if (wasClaim && previous === result)
    return await notifyCreator(tx, {
      creatorId,
      title: "A result was confirmed",
      message: `we confirmed the result of your tip for ${tip}: ${result}.`,
      reason,
    });
  const change = previous ? `from ${previous} to ${result}` : `as ${result}`;
  await notifyCreator(tx, {
    creatorId,
    title: previous ? "A result was corrected" : "A result was entered",
    message: `we ${previous ? "corrected" : "entered"} the result of your tip for ${tip} ${change}.${describeCoinReturn({ result, previous, isCardVoid })}`,
    reason,
  });
}

function describeCoinReturn({
  result,
  previous,
  isCardVoid,
}: {
  result: TipResult;
  previous: TipResult | null;
  isCardVoid: boolean;
}): string {
  if (isCardVoid)
    return " Every visible race on the race card is now void. Its buyers get back the coins that are due, and earnings that have not been sent to the bank are reduced or reversed to match.";
  if (result === "void")
    return " Buyers of the race card get back the coins that are due for its void races, and earnings that have not been sent to the bank are reduced to match.";
  if (previous === "void")
    return " Earnings that were reduced for it and have not been sent to the bank are restored.";
  return "";
}
