import type { SettledTip } from "./figures.ts";

/** The winners of tips for races with all prices, compared with what the prices expect. */
export type Luck = {
  tips: number;
  /** The horses that won; a dead heat for first is won. */
  won: number;
  /** The sum of the chances to win. */
  expectedWins: number;
  /** Won over expected. */
  actualToExpected: number;
  /** The chance, from 0 to 1, that so many or more win if the prices are right. */
  chance: number;
};

/** Returns the comparison with the prices, or null without a tip for a race with all prices. */
export function computeLuck(tips: readonly SettledTip[]): Luck | null {
  const priced = tips.flatMap(({ expectedWin, outcome }) =>
    expectedWin === null ? [] : [{ expectedWin, hasWon: outcome === "won" }],
  );
  if (priced.length === 0) return null;
  const won = priced.filter((tip) => tip.hasWon).length;
  const chances = priced.map((tip) => tip.expectedWin);
  const expectedWins = chances.reduce((total, chance) => total + chance, 0);
  return {
    tips: priced.length,
    won,
    expectedWins,
    actualToExpected: won / expectedWins,
    chance: computeChanceOfAtLeast(won, chances),
  };
}

/** Up to this number of tips the chance is exact. Its computation takes the square of the number. */
const MAX_EXACT_TIPS = 5_000;

/**
 * Returns the chance that at least `wins` of independent events with these chances happen: the tail of the
 * Poisson binomial distribution. Exact up to 5,000 events; the refined normal approximation above, which is
 * then within 0.0001.
 */
export function computeChanceOfAtLeast(wins: number, chances: readonly number[]): number {
  if (wins <= 0) return 1;
  if (wins > chances.length) return 0;
  return chances.length <= MAX_EXACT_TIPS
    ? computeExactTail(wins, chances)
    : approximateTail(wins, chances);
}

function computeExactTail(wins: number, chances: readonly number[]): number {
  // byWins[k] is the chance of exactly k wins so far; of `wins` and more for the last k, which is never left.
  const byWins = new Float64Array(wins + 1);
  byWins[0] = 1;
  for (const chance of chances) {
    byWins[wins] = (byWins[wins] ?? 0) + (byWins[wins - 1] ?? 0) * chance;
    for (let k = wins - 1; k > 0; k -= 1)
      byWins[k] = (byWins[k] ?? 0) * (1 - chance) + (byWins[k - 1] ?? 0) * chance;
    byWins[0] = (byWins[0] ?? 0) * (1 - chance);
  }
  return Math.min(1, byWins[wins] ?? 0);
}

/** Source: A. Y. Volkova, A refinement of the central limit theorem for sums of independent random indicators (1996). */
function approximateTail(wins: number, chances: readonly number[]): number {
  let mean = 0;
  let variance = 0;
  let thirdMoment = 0;
  for (const chance of chances) {
    mean += chance;
    variance += chance * (1 - chance);
    thirdMoment += chance * (1 - chance) * (1 - 2 * chance);
  }
  if (variance === 0) return wins <= mean ? 1 : 0;
  const deviation = Math.sqrt(variance);
  const skewness = thirdMoment / deviation ** 3;
  const x = (wins - 0.5 - mean) / deviation;
  const density = Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
  const below = computeNormalShareBelow(x) + (skewness * (1 - x * x) * density) / 6;
  return Math.min(1, Math.max(0, 1 - below));
}

/** The normal distribution function, within 0.0000001. Source: Abramowitz and Stegun, 26.2.17. */
function computeNormalShareBelow(x: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(x));
  const density = Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
  const above =
    density *
    t *
    (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return x >= 0 ? 1 - above : above;
}
