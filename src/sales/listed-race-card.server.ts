import { randomUUID } from "node:crypto";
import type { RaceCardPreview } from "#tips/tips.server.ts";
import { type OpenedTip, readOpenedTips } from "./opened-cards.server.ts";
import type { ListedRaceCard } from "./race-card-list.ui.tsx";

/** The viewer of a list and the race cards that they have opened. */
type ListViewer = {
  viewerId: string | null;
  opened: Map<string, OpenedTip[]> | null;
  /** Unique per page request, so that each page has its own idempotency keys. */
  requestId: string;
};

/** Returns race cards for the list of a page, with the tips of those that the viewer has opened. */
export async function readListedRaceCards(
  previews: readonly RaceCardPreview[],
  viewerId: string | null,
): Promise<ListedRaceCard[]> {
  const opened = viewerId
    ? await readOpenedTips(
        viewerId,
        previews.map(({ id }) => id),
      )
    : null;
  const requestId = randomUUID();
  return previews.map((preview) => toListedRaceCard(preview, { viewerId, opened, requestId }));
}

/** Returns a race card for a list, with only the fields that the list shows to this viewer. */
export function toListedRaceCard(
  preview: RaceCardPreview,
  { viewerId, opened, requestId }: ListViewer,
): ListedRaceCard {
  const { creator, venue } = preview;
  return {
    raceCard: {
      id: preview.id,
      raceDate: preview.raceDate,
      teaser: preview.teaser,
      isMeetingConfirmed: preview.isMeetingConfirmed,
      scratchedRaces: preview.scratchedRaces,
      venue: { name: venue.name, location: venue.location },
      creator: {
        slug: creator.slug,
        name: creator.name,
        kind: creator.kind,
        photo: creator.photo,
        record: creator.record,
        hasOnePersonResults: creator.hasOnePersonResults,
      },
      races: preview.races.map(({ raceNumber, offAt, tipType, confidence }) => ({
        raceNumber,
        offAt,
        tipType,
        confidence,
      })),
    },
    tips: opened?.get(preview.id) ?? null,
    isOwn: creator.id === viewerId,
    idempotencyKey: viewerId && `${requestId}:${preview.id}`,
  };
}
