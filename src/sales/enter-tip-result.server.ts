import { notifyCreator } from "#creators/creators.server.ts";
import { formatCoins } from "#domain/coins.ts";
import { formatCents } from "#domain/format-cents.ts";
import type { TipResult } from "#domain/tip.ts";
import { dryRun, type Tx, transaction } from "#platform/database.server.ts";
import { publishUpdate } from "#platform/notify.server.ts";
import {
  describeTip,
  readRaceCardsOfTips,
  type SetTipResultOutcome,
  setTipResult,
} from "#tips/tips.server.ts";
import { enqueueCoinReturns, sumCoinReturns } from "./return-coins.server.ts";

type Entry = { tipId: string; result: TipResult; reason: string };

/**
 * Enters or corrects the result of a tip, for an admin. It waits until another admin enters the same. If the tip
 * becomes void or is no longer void, enqueues the coin returns of its buyers in the same transaction.
 */
export async function enterTipResult(actorId: string, entry: Entry): Promise<SetTipResultOutcome> {
  const outcome = await transaction(async (tx) => {
    const correction = await setTipResult(tx, { ...entry, actorId });
    if (!correction.ok || correction.isWaiting) return correction;
    if (entry.result === "void" || correction.previous === "void")
      await enqueueCoinReturns(tx, await readRaceCardsOfTips(tx, [entry.tipId]));
    if (correction.previous !== entry.result || correction.wasClaim)
      await notifyCreatorOfResult(tx, entry, correction);
    return correction;
  });
  if (outcome.ok && !outcome.isWaiting) await publishUpdate("race-cards");
  return outcome;
}

/** What an entry changes at once, or null if it is refused, changes nothing or waits for another admin. */
export type TipResultEffect = {
  tips: number;
  /** True if the results will be marked as the work of one person. */
  isOnePerson: boolean;
  /** The coins that go back to buyers, the sales concerned, and the change of what the creator earns, in cents. */
  coins: number;
  sales: number;
  earningsCents: number;
};

/** Returns what the result of a tip will change. It is set in a transaction that is rolled back. */
export async function previewTipResult(
  actorId: string,
  entry: Entry,
): Promise<TipResultEffect | null> {
  return await dryRun(async (tx) => {
    const outcome = await setTipResult(tx, { ...entry, actorId });
    if (!outcome.ok || outcome.isWaiting) return null;
    if (outcome.previous === entry.result && !outcome.wasClaim) return null;
    const isVoid = entry.result === "void" || outcome.previous === "void";
    const sums = await sumCoinReturns(tx, isVoid ? [entry.tipId] : []);
    return { tips: 1, isOnePerson: outcome.isOnePerson, ...sums };
  });
}

async function notifyCreatorOfResult(
  tx: Tx,
  { tipId, result }: Entry,
  { previous, wasClaim, isCardVoid, reason }: Extract<SetTipResultOutcome, { isWaiting: false }>,
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

/** Describes what a result changes, for the admin who confirms it. */
export function describeEffect(effect: TipResultEffect): string {
  const { tips, isOnePerson, coins, sales, earningsCents } = effect;
  return [
    tips === 1 ? "1 tip changes." : `${tips} tips change.`,
    coins > 0
      ? `${formatCoins(coins)} ${coins === 1 ? "goes" : "go"} back to buyers, for ${sales} ${sales === 1 ? "sale" : "sales"}.`
      : "No coins go back to buyers.",
    earningsCents === 0
      ? ""
      : `The tipster earns ${formatCents(Math.abs(earningsCents))} ${earningsCents < 0 ? "less" : "more"}.`,
    isOnePerson ? ONE_PERSON_MESSAGE : "",
  ]
    .filter(Boolean)
    .join(" ");
}

const ONE_PERSON_MESSAGE = "It will be marked as entered by one person.";
