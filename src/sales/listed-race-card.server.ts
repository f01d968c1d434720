import type { RaceCardPreview } from "#tips/tips.server.ts";
import type { OpenedTip } from "./opened-cards.server.ts";
import type { ListedRaceCard } from "./race-card-list.ui.tsx";

/** Returns a race card for a list, with only the fields that the list shows to this viewer. */
export function toListedRaceCard(
  preview: RaceCardPreview,
  {
    viewerId,
    opened,
    requestId,
  }: {
    viewerId: string | null;
    opened: Map<string, OpenedTip[]> | null;
    /** Unique per page request, so that each page has its own idempotency keys. */
    requestId: string;
  },
): ListedRaceCard {
  const { creator, venue } = preview;
  return {
    raceCard: {
      id: preview.id,
      raceDate: preview.raceDate,
      teaser: preview.teaser,
      isMeetingConfirmed: preview.isMeetingConfirmed,
      venue: { name: venue.name, location: venue.location },
      creator: {
        slug: creator.slug,
        name: creator.name,
        kind: creator.kind,
        profileImage: creator.profileImage,
        record: creator.record,
        hasOnePersonResults: creator.hasOnePersonResults,
        level: creator.level,
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
