import type { RaceCardSummary } from "#tips/tips.server.ts";
import type { CoinReturn, OpenedTip } from "./opened-cards.server.ts";
import type { ListedRaceCard } from "./race-card-list.ui.tsx";

/** Returns a race card for its buyer, whether or not it is still listed. */
export function toOpenedRaceCard(
  { id, raceDate, venue, creator }: RaceCardSummary,
  tips: readonly OpenedTip[],
  coinReturn: CoinReturn | undefined,
): ListedRaceCard {
  return {
    raceCard: {
      id,
      raceDate,
      venue: { name: venue.name, location: venue.location },
      creator: {
        slug: creator.slug,
        name: creator.name,
        kind: creator.kind,
        photo: creator.photo,
        record: creator.record,
        hasOnePersonResults: creator.hasOnePersonResults,
      },
      races: tips.map(({ raceNumber, offAt, tipType, confidence }) => ({
        raceNumber,
        offAt: offAt === null ? null : new Date(offAt),
        tipType,
        confidence,
      })),
      teaser: "",
      coinReturn,
    },
    tips,
    isOwn: false,
    idempotencyKey: null,
  };
}
