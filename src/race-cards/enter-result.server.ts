import type { TipResult } from "#domain/tip.ts";
import { transaction } from "#platform/database.server.ts";
import { announce } from "#platform/notify.server.ts";
import {
  type CorrectResultAnswer,
  correctResult,
  type VoidAllTipsAnswer,
  voidAllTips,
} from "#tipping/tipping.server.ts";
import { returnVoidCard } from "./return-void-card.server.ts";

/**
 * Enters or corrects the result of a tip, for the operator. When no race of its card is left that
 * could have counted, the card's buyers get their coins back, asked for in the same transaction.
 */
export async function enterResult(
  actorId: string,
  entry: { tipId: string; result: TipResult; reason: string },
): Promise<CorrectResultAnswer> {
  const answer = await transaction(async (tx) => {
    const corrected = await correctResult(tx, { ...entry, actorId });
    if (corrected.ok && corrected.isCardVoid) await returnVoidCard(tx, corrected.raceCardId);
    return corrected;
  });
  if (answer.ok) await announce("race-cards");
  return answer;
}

/** Voids every race of a card, for the operator: a meeting that was abandoned. Twice is once. */
export async function voidRaceCard(
  actorId: string,
  wish: { raceCardId: string; reason: string },
): Promise<VoidAllTipsAnswer> {
  const answer = await transaction(async (tx) => {
    const voided = await voidAllTips(tx, { ...wish, actorId });
    if (voided.ok) await returnVoidCard(tx, wish.raceCardId);
    return voided;
  });
  if (answer.ok) await announce("race-cards");
  return answer;
}
