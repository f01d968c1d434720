import type { Tip } from "./tip.ts";

/** The totals of a creator's tips. Void tips are not counted. */
export type TrackRecord = { tips: number; settled: number; won: number };

export const LEVELS = ["Expert", "Advanced", "Good", "Developing"] as const;
export type Level = (typeof LEVELS)[number];

/** The minimum number of settled tips for a level and a strike rate; fewer are not significant. */
export const MIN_SETTLED_FOR_LEVEL = 20;

/** The minimum number of settled tips for a rank. */
export const MIN_SETTLED_FOR_RANK = 50;

/** Returns won over settled in per cent with two decimals; null before the first settled tip. */
export function computeWinRate(record: Pick<TrackRecord, "settled" | "won">): number | null {
  return record.settled === 0 ? null : Math.round((record.won / record.settled) * 10000) / 100;
}

/** Returns the level of a track record; null before 20 settled tips. */
export function computeLevel(record: Pick<TrackRecord, "settled" | "won">): Level | null {
  if (!hasEnoughSettledTips(record)) return null;
  const rate = (record.won / record.settled) * 100;
  if (rate >= 80) return "Expert";
  if (rate >= 65) return "Advanced";
  if (rate >= 50) return "Good";
  return "Developing";
}

/** The z-score of a 95 % confidence interval. */
const Z_SCORE_95 = 1.96;

/** The confidence interval of a win rate in per cent. */
export type WinRateInterval = { lowPercent: number; highPercent: number };

/**
 * Returns the 95 % confidence interval of the true win rate (Wilson score interval) in per cent;
 * null before the first settled tip. Three wins of three give a wider interval than 300 of 1,000.
 */
export function computeWinRateInterval(
  record: Pick<TrackRecord, "settled" | "won">,
): WinRateInterval | null {
  const { settled, won } = record;
  if (settled === 0) return null;
  const rate = won / settled;
  const spread = 1 + (Z_SCORE_95 * Z_SCORE_95) / settled;
  const centre = rate + (Z_SCORE_95 * Z_SCORE_95) / (2 * settled);
  const margin =
    Z_SCORE_95 *
    Math.sqrt((rate * (1 - rate)) / settled + (Z_SCORE_95 * Z_SCORE_95) / (4 * settled * settled));
  const percent = (share: number) => Math.min(1, Math.max(0, share)) * 100;
  return {
    lowPercent: percent((centre - margin) / spread),
    highPercent: percent((centre + margin) / spread),
  };
}

/** Returns true when enough tips are settled for a level and a strike rate. */
export function hasEnoughSettledTips(record: Pick<TrackRecord, "settled">): boolean {
  return record.settled >= MIN_SETTLED_FOR_LEVEL;
}

/** Returns true when enough tips are settled for a rank. */
export function isRanked(record: Pick<TrackRecord, "settled">): boolean {
  return record.settled >= MIN_SETTLED_FOR_RANK;
}

/**
 * Sorts track records best first: records with enough settled tips for a rank first, then by the lower bound
 * of the confidence interval, then by the number of settled tips. This ranks three wins of three below
 * 300 of 1,000.
 */
export function compareTrackRecords(
  a: Pick<TrackRecord, "settled" | "won">,
  b: Pick<TrackRecord, "settled" | "won">,
): number {
  const lowerBound = (record: Pick<TrackRecord, "settled" | "won">) =>
    computeWinRateInterval(record)?.lowPercent ?? -1;
  return (
    Number(isRanked(b)) - Number(isRanked(a)) ||
    lowerBound(b) - lowerBound(a) ||
    b.settled - a.settled
  );
}

/** Returns the score by which the home page ranks creators by sales. */
export function computeSalesScore(totals: {
  sales: number;
  coinsEarned: number;
  tips: number;
}): number {
  return totals.sales * 50 + totals.coinsEarned * 5 + totals.tips * 20;
}

/**
 * Returns what one tip adds to its creator's track record. A void tip adds nothing. Late tips and tips whose
 * result is only the tipster's claim count as tips, but not as settled.
 */
export function computeContribution(tip: Pick<Tip, "isLate" | "isClaim" | "result">): TrackRecord {
  if (tip.result === "void") return { tips: 0, settled: 0, won: 0 };
  const isCounted = tip.result !== null && !tip.isLate && !tip.isClaim;
  return { tips: 1, settled: isCounted ? 1 : 0, won: isCounted && tip.result === "won" ? 1 : 0 };
}

/** Returns the track record of a list of tips, counted as in computeContribution. */
export function computeTrackRecord(
  tips: readonly Parameters<typeof computeContribution>[0][],
): TrackRecord {
  const record = { tips: 0, settled: 0, won: 0 };
  for (const tip of tips) {
    const contribution = computeContribution(tip);
    record.tips += contribution.tips;
    record.settled += contribution.settled;
    record.won += contribution.won;
  }
  return record;
}
