import { isId } from "#domain/id.ts";
import { prepared } from "#platform/database.server.ts";
import {
  type PreviewRow,
  previewOf,
  RACE_CARD_PREVIEWS,
  type RaceCardPreview,
} from "./race-card-preview.server.ts";

/**
 * A race card as everyone may see it at an instant, on sale or not any more; null when there is none,
 * or nothing of it is left to be seen.
 */
export async function readRaceCardPublic(
  raceCardId: string,
  at: Date,
): Promise<RaceCardPreview | null> {
  if (!isId(raceCardId)) return null;
  const [row] = await prepared<PreviewRow>(
    "race-card-public",
    `${RACE_CARD_PREVIEWS} where c.id = $2`,
    [at, raceCardId],
  );
  return row ? previewOf(row, at) : null;
}
