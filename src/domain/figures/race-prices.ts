import type { StartingPrice } from "../race-result.ts";
import { computeReturnAtPrice, type OfficialResult } from "../settlement.ts";

/** What the starting prices of a race say about a bet to win on one of its horses. */
export type PricedRace = {
  /** The chance of the horse to win, from 0 to 1. */
  expectedWin: number;
  /** The return of the stake on the favourite. Joint favourites share the stake equally. */
  favouriteReturnCents: number;
};

/**
 * Returns what the prices of a race say about a bet to win, or null unless the prices of all starters are known.
 * The chance is 1 over the decimal price, divided by the sum of these over all starters. Each share of joint
 * favourites is rounded down to the cent.
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
          // One share of the stake, of which a dead heat wins a part.
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
