import type { RaceCardPreview } from "#tips/tips.server.ts";
import type { OpenedTip } from "./opened-cards.server.ts";
import type { ListedRaceCard } from "./race-card-list.ui.tsx";

/** A race card as a list shows it to this viewer, with no more about its creator than is shown. */
export function listedRaceCard(
  front: RaceCardPreview,
  {
    viewerId,
    opened,
    visit,
  }: {
    viewerId: string | null;
    opened: Map<string, OpenedTip[]> | null;
    /** Names this making of the page: with it, each wish to open a card has a name of its own. */
    visit: string;
  },
): ListedRaceCard {
  const { creator, venue } = front;
  return {
    raceCard: {
      id: front.id,
      raceDate: front.raceDate,
      teaser: front.teaser,
      isMeetingConfirmed: front.isMeetingConfirmed,
      venue: { name: venue.name, location: venue.location },
      creator: {
        slug: creator.slug,
        name: creator.name,
        kind: creator.kind,
        profileImage: creator.profileImage,
        record: creator.record,
        level: creator.level,
      },
      races: front.races.map(({ raceNumber, offAt, tipType, confidence }) => ({
        raceNumber,
        offAt,
        tipType,
        confidence,
      })),
    },
    tips: opened?.get(front.id) ?? null,
    isOwn: creator.id === viewerId,
    idempotencyKey: viewerId && `${visit}:${front.id}`,
  };
}
