import { now } from "#platform/clock.server.ts";
import type { RaceCardFront } from "./race-card-front.server.ts";
import { readRaceCardPublic } from "./read-race-card-public.server.ts";

/** The race card with this id if it can be bought right now, else null. */
export async function findRaceCardOnSale(raceCardId: string): Promise<RaceCardFront | null> {
  const raceCard = await readRaceCardPublic(raceCardId, now());
  return raceCard?.isOnSale ? raceCard : null;
}
