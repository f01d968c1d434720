import { compareTrackRecords } from "#domain/track-record.ts";
import type { RaceCardPreview } from "#tips/tips.server.ts";
import type { Sort } from "./list-filter.ts";

/** A tipster's settled and won tips. */
type Tally = { settled: number; won: number };

type SortableRaceCard = {
  races: readonly Pick<RaceCardPreview["races"][number], "confidence" | "isOver">[];
  creator: { record: Tally };
};

const NO_TIPS: Tally = { settled: 0, won: 0 };

/**
 * Sorts race cards that are in the order of their next off. Race cards that compare as equal keep that
 * order. `findTallyHere` returns the tipster's tally at the race card's venue.
 */
export function sortRaceCards<RaceCard extends SortableRaceCard>(
  raceCards: readonly RaceCard[],
  sort: Sort,
  findTallyHere: (raceCard: RaceCard) => Tally | undefined,
): readonly RaceCard[] {
  switch (sort) {
    case "soonest":
      return raceCards;
    case "record":
      return raceCards.toSorted((a, b) => compareTrackRecords(a.creator.record, b.creator.record));
    case "here":
      return raceCards.toSorted((a, b) =>
        compareTrackRecords(findTallyHere(a) ?? NO_TIPS, findTallyHere(b) ?? NO_TIPS),
      );
    case "confidence":
      return raceCards.toSorted(
        (a, b) =>
          countToCome(b, "high") - countToCome(a, "high") ||
          countToCome(b, "medium") - countToCome(a, "medium"),
      );
  }
}

/** Counts the races to come with this confidence. */
function countToCome({ races }: SortableRaceCard, confidence: "high" | "medium"): number {
  return races.filter((race) => !race.isOver && race.confidence === confidence).length;
}

/** Groups consecutive and later items with the same key, in the order in which the keys appear. */
export function groupBy<Item>(items: readonly Item[], getKey: (item: Item) => string): Item[][] {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(getKey(item));
    if (group) group.push(item);
    else groups.set(getKey(item), [item]);
  }
  return [...groups.values()];
}
