import { type LockedTip, SPOKEN_TIP_TYPES } from "./tip.ts";

/**
 * Returns the teaser of a locked race card. It uses public details only: the number of races, their
 * confidence and the tip type.
 */
export function composeTeaser(card: {
  venueName: string;
  races: readonly Omit<LockedTip, "offAt">[];
}): string {
  const [first] = card.races;
  if (!first) return `Selections at ${card.venueName}.`;
  if (card.races.length === 1)
    return `One selection ${SPOKEN_TIP_TYPES[first.tipType]} in race ${first.raceNumber} at ${card.venueName}, with analysis.`;
  const highConfidenceRaces = card.races.filter((race) => race.confidence === "high");
  const races = `A selection with analysis in each of ${card.races.length} races at ${card.venueName}`;
  if (highConfidenceRaces.length === 0) return `${races}.`;
  if (highConfidenceRaces.length === card.races.length)
    return `${races}. High confidence in all of them.`;
  return `${races}. High confidence in ${formatRaceNumbers(highConfidenceRaces.map((race) => race.raceNumber))}.`;
}

function formatRaceNumbers(numbers: number[]): string {
  if (numbers.length === 1) return `race ${numbers[0]}`;
  return `races ${numbers.slice(0, -1).join(", ")} and ${numbers.at(-1)}`;
}
