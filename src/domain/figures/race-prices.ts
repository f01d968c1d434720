import type { StartingPrice } from "../race-result.ts";
import { computeReturnAtPrice, type OfficialResult } from "../settlement.ts";

/** The figures of a bet to win on a horse that follow from the starting prices of its race. */
export type PricedRace = {
  /** The horse's chance of winning, from 0 to 1. */
  expectedWin: number;
  /** The return of the stake on the favourite. Joint favourites share the stake equally. */
  favouriteReturnCents: number;
};

/**
 * Compares a bet to win with the prices of its race. Returns null if the price of any starter is unknown. The
 * chance is 1 over the decimal price, divided by the sum of these values of all starters. The return on each joint
 * favourite is rounded down to the cent.
 */
export function comparePrices(
  bet: { horseNumber: number; stakeCents: number },
  result: Pick<OfficialResult, "starters" | "runners">,
): PricedRace | null {
  const priced = result.runners.flatMap(({ outcome, startingPrice, ...runner }) =>
    outcome === "non-runner" || !startingPrice ? [] : [{ ...runner, price: startingPrice }],
  );
  const horse = priced.find((runner) => runner.number === bet.horseNumber);
  if (!horse || priced.length !== result.starters) return null;
  const total = priced.reduce((sum, { price }) => sum + toProbability(price), 0);

  const favourites = priced.filter(({ price }) =>
    priced.every((other) => comparePrice(price, other.price) <= 0),
  );
  const winners = priced.filter((runner) => runner.position === 1);
  const favouriteReturnCents = favourites
    .filter((runner) => runner.position === 1)
    .reduce(
      (sum, { price }) =>
        sum +
        computeReturnAtPrice({
          stakeCents: bet.stakeCents,
          price,
          // Joint favourites share the stake, and in a dead heat only part of each share wins.
          deadHeatCount: favourites.length * winners.length,
        }),
      0,
    );
  return { expectedWin: toProbability(horse.price) / total, favouriteReturnCents };
}

function toProbability({ numerator, denominator }: StartingPrice): number {
  return denominator / (numerator + denominator);
}

/** Compares odds exactly: 2/1 equals 4/2. */
function comparePrice(a: StartingPrice, b: StartingPrice): number {
  return a.numerator * b.denominator - b.numerator * a.denominator;
}
