import { now } from "#platform/clock.server.ts";
import type { RaceCardPreview } from "./race-card-preview.server.ts";
import { readRaceCardPublic } from "./read-race-card-public.server.ts";

/** The race card with this id if it can be bought right now, else null. */
export async function findRaceCardOnSale(raceCardId: string): Promise<RaceCardPreview | null> {
  const raceCard = await readRaceCardPublic(raceCardId, now());
  return raceCard?.isOnSale ? raceCard : null;
}
