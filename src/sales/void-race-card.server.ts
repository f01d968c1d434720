import { notifyCreator } from "#creators/creators.server.ts";
import { formatDate } from "#domain/calendar.ts";
import { dryRun, type Tx, transaction } from "#platform/database.server.ts";
import { publishUpdate } from "#platform/notify.server.ts";
import { readRaceCardSummaries, type VoidAllTipsResult, voidAllTips } from "#tips/tips.server.ts";
import type { TipResultEffect } from "./enter-tip-result.server.ts";
import { enqueueCoinReturns, sumCoinReturnsOfRaceCards } from "./return-coins.server.ts";

/**
 * Voids every race of a race card for an admin, for example when a meeting was abandoned. Waits until another admin
 * does the same. Idempotent.
 */
export async function voidRaceCard(
  actorId: string,
  params: { raceCardId: string; reason: string },
): Promise<VoidAllTipsResult> {
  const result = await transaction(async (tx) => {
    const outcome = await voidAllTips(tx, { ...params, actorId });
    if (!outcome.ok || outcome.voided === null) return outcome;
    await enqueueCoinReturns(tx, [params.raceCardId]);
    if (outcome.voided > 0)
      await notifyCreatorOfVoidRaceCard(tx, { ...params, reason: outcome.reason });
    return outcome;
  });
  if (result.ok && result.voided !== null) await publishUpdate("race-cards");
  return result;
}

/** Returns what voiding a race card will change. It is voided in a transaction that is rolled back. */
export async function previewVoidRaceCard(
  actorId: string,
  params: { raceCardId: string; reason: string },
): Promise<TipResultEffect | null> {
  return await dryRun(async (tx) => {
    const outcome = await voidAllTips(tx, { ...params, actorId });
    if (!outcome.ok || !outcome.voided) return null;
    const { voided: tips, isOnePerson } = outcome;
    return { tips, isOnePerson, ...(await sumCoinReturnsOfRaceCards(tx, [params.raceCardId])) };
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
    message: `every race on your race card at ${raceCard.venue.name} on ${formatDate(raceCard.raceDate)} was declared void. Its buyers get their coins back, and earnings that have not been sent to the bank are reversed.`,
    reason,
  });
}
