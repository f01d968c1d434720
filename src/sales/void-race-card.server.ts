import { notifyCreator } from "#creators/creators.server.ts";
import { formatDate } from "#domain/calendar.ts";
import { type Tx, transaction } from "#platform/database.server.ts";
import { publishUpdate } from "#platform/notify.server.ts";
import { readRaceCardSummaries, type VoidAllTipsResult, voidAllTips } from "#tips/tips.server.ts";
import { enqueueCoinReturns } from "./return-coins.server.ts";

/** Voids every race of a race card for an admin, for example when a meeting was abandoned. Idempotent. */
export async function voidRaceCard(
  actorId: string,
  params: { raceCardId: string; reason: string },
): Promise<VoidAllTipsResult> {
  const result = await transaction(async (tx) => {
    const outcome = await voidAllTips(tx, { ...params, actorId });
    if (outcome.ok) await enqueueCoinReturns(tx, [params.raceCardId]);
    if (outcome.ok && outcome.voided > 0) await notifyCreatorOfVoidRaceCard(tx, params);
    return outcome;
  });
  if (result.ok) await publishUpdate("race-cards");
  return result;
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
