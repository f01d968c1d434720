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
 * Enters or corrects the result of a tip, for the operator. If this makes the race card void,
 * enqueues the refund of its buyers in the same transaction.
 */
export async function enterResult(
  actorId: string,
  entry: { tipId: string; result: TipResult; reason: string },
): Promise<CorrectResultOutcome> {
  const outcome = await transaction(async (tx) => {
    const correction = await correctResult(tx, { ...entry, actorId });
    if (correction.ok && correction.isCardVoid) await refundVoidRaceCard(tx, correction.raceCardId);
    if (correction.ok && correction.previous !== entry.result)
      await notifyCreatorOfResult(tx, entry, correction);
    return correction;
  });
  if (outcome.ok) await publishNotice("race-cards");
  return outcome;
}

/** Voids every race of a race card for the operator, for example when a meeting was abandoned. Idempotent. */
export async function voidRaceCard(
  actorId: string,
  params: { raceCardId: string; reason: string },
): Promise<VoidAllTipsResult> {
  const result = await transaction(async (tx) => {
    const outcome = await voidAllTips(tx, { ...params, actorId });
    if (outcome.ok) await refundVoidRaceCard(tx, params.raceCardId);
    if (outcome.ok && outcome.voided > 0) await notifyCreatorOfVoidRaceCard(tx, params);
    return outcome;
  });
  if (result.ok) await publishNotice("race-cards");
  return result;
}

async function notifyCreatorOfResult(
  tx: Tx,
  { tipId, result, reason }: { tipId: string; result: TipResult; reason: string },
  { previous, isCardVoid }: Extract<CorrectResultOutcome, { ok: true }>,
): Promise<void> {
  const description = await describeTip(tx, tipId);
  if (!description) return;
  const { creatorId, tip } = description;
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

async function notifyCreatorOfVoidRaceCard(
  tx: Tx,
  { raceCardId, reason }: { raceCardId: string; reason: string },
): Promise<void> {
  const raceCard = (await readRaceCardSummaries([raceCardId])).get(raceCardId);
  if (!raceCard) return;
  await notifyCreator(tx, {
    creatorId: raceCard.creator.id,
    title: "One of your race cards was voided",
    message: `every race on your race card at ${raceCard.venue.name} on ${formatDate(raceCard.raceDate)} was declared void. Its buyers get their coins back, and earnings that were not paid out are reversed.`,
    reason,
  });
}
