import { isId } from "#domain/id.ts";
import { prepared } from "#platform/database.server.ts";
import { FRONTS, type FrontRow, frontOf, type RaceCardFront } from "./race-card-front.server.ts";

/**
 * A race card as everyone may see it at an instant, on sale or not any more; null when there is none,
 * or nothing of it is left to be seen.
 */
export async function readRaceCardPublic(
  raceCardId: string,
  at: Date,
): Promise<RaceCardFront | null> {
  if (!isId(raceCardId)) return null;
  const [row] = await prepared<FrontRow>("race-card-public", `${FRONTS} where c.id = $2`, [
    at,
    raceCardId,
  ]);
  return row ? frontOf(row, at) : null;
}
