import { notifyCreator } from "#creators/creators.server.ts";
import { formatDate } from "#domain/calendar.ts";
import type { TipResult } from "#domain/tip.ts";
import { type Tx, transaction } from "#platform/database.server.ts";
import { publishNotice } from "#platform/notify.server.ts";
import {
  type CorrectResultOutcome,
  correctResult,
  describeTip,
  readRaceCardSummaries,
  type VoidAllTipsResult,
  voidAllTips,
} from "#tips/tips.server.ts";
import { refundVoidRaceCard } from "./refund-void-race-card.server.ts";

/**
 * Enters or corrects the result of a tip, for the operator. If this makes the card void,
 * enqueues the refund of its buyers in the same transaction.
 */
export async function enterResult(
  actorId: string,
  entry: { tipId: string; result: TipResult; reason: string },
): Promise<CorrectResultOutcome> {
  const outcome = await transaction(async (tx) => {
    const corrected = await correctResult(tx, { ...entry, actorId });
    if (corrected.ok && corrected.isCardVoid) await refundVoidRaceCard(tx, corrected.raceCardId);
    if (corrected.ok && corrected.previous !== entry.result)
      await notifyCreatorOfResult(tx, entry, corrected);
    return corrected;
  });
  if (outcome.ok) await publishNotice("race-cards");
  return outcome;
}

/** Voids every race of a card for the operator, for example of an abandoned meeting. Idempotent. */
export async function voidRaceCard(
  actorId: string,
  params: { raceCardId: string; reason: string },
): Promise<VoidAllTipsResult> {
  const result = await transaction(async (tx) => {
    const voided = await voidAllTips(tx, { ...params, actorId });
    if (voided.ok) await refundVoidRaceCard(tx, params.raceCardId);
    if (voided.ok && voided.voided > 0) await notifyCreatorOfVoidCard(tx, params);
    return voided;
  });
  if (result.ok) await publishNotice("race-cards");
  return result;
}

async function notifyCreatorOfResult(
  tx: Tx,
  { tipId, result, reason }: { tipId: string; result: TipResult; reason: string },
  { previous, isCardVoid }: Extract<CorrectResultOutcome, { ok: true }>,
): Promise<void> {
  const described = await describeTip(tx, tipId);
  if (!described) return;
  const { creatorId, tip } = described;
  const change = previous ? `from ${previous} to ${result}` : `as ${result}`;
  await notifyCreator(tx, {
    creatorId,
    title: previous ? "A result was corrected" : "A result was entered",
    message: `we ${previous ? "corrected" : "entered"} the result of your tip for ${tip} ${change}.${
      isCardVoid
        ? " Every race on the race card is now void, so its buyers get their coins back."
        : ""
    }`,
    reason,
  });
}

async function notifyCreatorOfVoidCard(
  tx: Tx,
  { raceCardId, reason }: { raceCardId: string; reason: string },
): Promise<void> {
  const card = (await readRaceCardSummaries([raceCardId])).get(raceCardId);
  if (!card) return;
  await notifyCreator(tx, {
    creatorId: card.creator.id,
    title: "One of your race cards was voided",
    message: `every race on your race card at ${card.venue.name} on ${formatDate(card.raceDate)} was declared void. Its buyers get their coins back, and earnings that were not paid out are reversed.`,
    reason,
  });
}
