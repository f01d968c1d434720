import { isId } from "#domain/id.ts";
import { now } from "#platform/clock.server.ts";
import { findOpenedCards } from "#sales/sales.server.ts";
import { readPublicRaceCard, readRaceCardSummaries } from "#tips/tips.server.ts";
import type { RequestedRaceCard } from "./requested-race-card.ts";

/**
 * Returns the race card that a buyer wants to open, with what this buyer can do with it now. Null for an unknown
 * race card.
 */
export async function readRequestedRaceCard(
  raceCardId: string | null,
  userId: string | null,
): Promise<RequestedRaceCard | null> {
  if (raceCardId === null || !isId(raceCardId)) return null;
  const readAt = now();
  const [preview, summaries, opened] = await Promise.all([
    readPublicRaceCard(raceCardId, readAt),
    readRaceCardSummaries([raceCardId]),
    userId === null ? null : findOpenedCards(userId, [raceCardId]),
  ]);
  const summary = summaries.get(raceCardId);
  if (!summary) return null;
  const canBeOpened = preview?.isOnSale && summary.creator.id !== userId;
  return {
    id: summary.id,
    venue: summary.venue.name,
    tipster: summary.creator.name,
    raceDate: summary.raceDate,
    state: opened?.has(raceCardId) ? "opened" : canBeOpened ? "on-sale" : "off-sale",
    races: preview?.races.map(({ offAt }) => ({ offAt })) ?? [],
    readAt,
  };
}
