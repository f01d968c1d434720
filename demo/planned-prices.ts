import type { StartingPrice } from "#domain/race-result.ts";
import type { DemoRace, Meeting } from "./meetings.ts";
import { type Random, seededRandom } from "./random.ts";

/** The starting prices of a race by horse number, the favourite first. */
export type PlannedPrices = ReadonlyMap<number, StartingPrice>;

const FAVOURITE_PRICES: readonly [numerator: number, denominator: number][] = [
  [8, 10],
  [13, 10],
  [16, 10],
  [2, 1],
  [22, 10],
];
const OTHER_PRICES: readonly [numerator: number, denominator: number][] = [
  [3, 1],
  [9, 2],
  [7, 1],
  [10, 1],
  [14, 1],
  [20, 1],
  [25, 1],
  [33, 1],
  [40, 1],
  [50, 1],
  [66, 1],
  [80, 1],
];

/**
 * Returns the starting prices of a race. Each price wins as often as it implies, so that a record is only as good as
 * its selections. Among the other horses, those that finish better usually have shorter prices.
 */
export function planPrices(
  { raceDate, venueSlug }: Pick<Meeting, "raceDate" | "venueSlug">,
  { raceNumber, finish }: Pick<DemoRace, "raceNumber" | "finish">,
): PlannedPrices {
  const random = seededRandom(raceDate, venueSlug, raceNumber, "prices");
  const prices = [random.pick(FAVOURITE_PRICES), ...OTHER_PRICES]
    .slice(0, finish.length)
    .map(([numerator, denominator]) => ({ numerator, denominator }));
  const [winner = 0, ...others] = finish;
  const ordered = others
    .map((number, index) => ({ number, order: index + random.next() * finish.length }))
    .sort((a, b) => a.order - b.order)
    .map(({ number }) => number);
  ordered.splice(pickWeighted(prices.map(toChance), random), 0, winner);
  const longest = { numerator: 100, denominator: 1 };
  return new Map(ordered.map((number, index) => [number, prices[index] ?? longest]));
}

/** Returns the chance of winning that a price implies, from 0 to 1. The chances of a field add up to more than 1. */
export function toChance({ numerator, denominator }: StartingPrice): number {
  return denominator / (numerator + denominator);
}

/** Returns a random index, with a probability in proportion to its weight. */
export function pickWeighted(weights: readonly number[], random: Random): number {
  let rest = random.next() * weights.reduce((sum, weight) => sum + weight, 0);
  const index = weights.findIndex((weight) => {
    rest -= weight;
    return rest < 0;
  });
  return index < 0 ? weights.length - 1 : index;
}
