import { CARD_PRICE_COINS } from "./coins.ts";

/**
 * Splits the price of a race card among its races, in hundredths of a coin. The shares are equal,
 * with the remaining hundredths on the first races, and always add up to exactly 4.00. `raceCount`
 * is at least 1.
 */
export function splitIntoShares(raceCount: number): number[] {
  const total = CARD_PRICE_COINS * 100;
  const share = Math.floor(total / raceCount);
  const remainder = total - share * raceCount;
  return Array.from({ length: raceCount }, (_, index) => (index < remainder ? share + 1 : share));
}
