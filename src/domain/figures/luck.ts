import type { SettledTip } from "./figures.ts";

/** The number of winning tips in races with all prices known, compared with the number that the prices imply. */
export type Luck = {
  tips: number;
  /** The tips whose horse won; a dead heat for first counts as a win. */
  won: number;
  /** The sum of the chances of winning. */
  expectedWins: number;
  /** Won over expected. */
  actualToExpected: number;
  /** The probability, from 0 to 1, of at least this many wins if the prices are right. */
  chance: number;
};

/** Compares wins with the prices. Returns null if no tip is for a race with all prices known. */
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

/** Above this number of tips the probability is approximated, because the exact computation is quadratic. */
const MAX_EXACT_TIPS = 5_000;

/**
 * Returns the probability that at least `wins` of these independent events happen: the upper tail of the
 * Poisson binomial distribution. Exact up to 5,000 events. Above that it uses the refined normal
 * approximation, whose error is below 0.0001.
 */
export function computeChanceOfAtLeast(wins: number, chances: readonly number[]): number {
  if (wins <= 0) return 1;
  if (wins > chances.length) return 0;
  return chances.length <= MAX_EXACT_TIPS
    ? computeExactTail(wins, chances)
    : approximateTail(wins, chances);
}

function computeExactTail(wins: number, chances: readonly number[]): number {
  // byWins[k] is the probability of exactly k wins so far. The last element is that of `wins` or more.
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
  const below = computeNormalCdf(x) + (skewness * (1 - x * x) * density) / 6;
  return Math.min(1, Math.max(0, 1 - below));
}

/** The standard normal cumulative distribution function, to 0.0000001 (Abramowitz and Stegun, 26.2.17). */
function computeNormalCdf(x: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(x));
  const density = Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
  const above =
    density *
    t *
    (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return x >= 0 ? 1 - above : above;
}
