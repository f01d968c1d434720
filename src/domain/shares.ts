import { CARD_PRICE_COINS } from "./coins.ts";

/**
 * What each race of a card carries of its price, in hundredths of a coin: equal shares, the odd
 * hundredths on the first races, always adding up to exactly 4.00. The card has at least one race.
 */
export function splitIntoShares(raceCount: number): number[] {
  const total = CARD_PRICE_COINS * 100;
  const share = Math.floor(total / raceCount);
  const odd = total - share * raceCount;
  return Array.from({ length: raceCount }, (_, index) => (index < odd ? share + 1 : share));
}
