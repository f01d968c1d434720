import type { RaceCardSummary } from "#tips/tips.server.ts";
import type { CoinReturn, OpenedTip } from "./opened-cards.server.ts";
import type { ListedRaceCard } from "./race-card-list.ui.tsx";
import type { PanelRaceCard } from "./race-card-panel.ui.tsx";
import type { Selection } from "./selections.ui.tsx";

/** Returns a race card for its buyer, whether or not it is still listed. */
export function toOpenedRaceCard(
  summary: RaceCardSummary,
  tips: readonly OpenedTip[],
  coinReturn: CoinReturn | undefined,
): ListedRaceCard {
  return {
    raceCard: { ...toUnlistedRaceCard(summary, tips), coinReturn },
    tips,
    isOwn: false,
    idempotencyKey: null,
  };
}

/** Returns a race card that is no longer listed, with the races of these selections only. */
export function toUnlistedRaceCard(
  { id, raceDate, venue, creator }: RaceCardSummary,
  selections: readonly Selection[],
): PanelRaceCard {
  return {
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
    races: selections.map(({ raceNumber, offAt, tipType, confidence }) => ({
      raceNumber,
      offAt: offAt === null ? null : new Date(offAt),
      tipType,
      confidence,
    })),
    teaser: "",
  };
}
