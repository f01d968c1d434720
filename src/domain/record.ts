/** What a creator's settled tips add up to. Void tips count nowhere. */
export type Record = { tips: number; settled: number; won: number };

export const LEVELS = ["Expert", "Advanced", "Good", "Developing"] as const;
export type Level = (typeof LEVELS)[number];

/** Fewer settled tips than this say nothing about anyone, so they earn no level. */
export const SETTLED_FOR_LEVEL = 20;

/** Won over settled, in per cent to two decimals; null before the first settled tip. */
export function winRate(record: Pick<Record, "settled" | "won">): number | null {
  return record.settled === 0 ? null : Math.round((record.won / record.settled) * 10000) / 100;
}

/** The level that a record has earned; null before 20 settled tips. */
export function level(record: Pick<Record, "settled" | "won">): Level | null {
  if (!isProven(record)) return null;
  const rate = (record.won / record.settled) * 100;
  if (rate >= 80) return "Expert";
  if (rate >= 65) return "Advanced";
  if (rate >= 50) return "Good";
  return "Developing";
}

/** 95 in 100: how sure the range of a record is to hold the true rate. */
const Z = 1.96;

/** Between which rates, in per cent, a record's true win rate lies. */
export type RateRange = { lowPercent: number; highPercent: number };

/**
 * The range in which the true win rate lies with 95 % confidence (Wilson's interval), in per cent;
 * null before the first settled tip. Three of three says less than 300 of 1,000.
 */
export function rateRange(record: Pick<Record, "settled" | "won">): RateRange | null {
  const { settled, won } = record;
  if (settled === 0) return null;
  const rate = won / settled;
  const spread = 1 + (Z * Z) / settled;
  const centre = rate + (Z * Z) / (2 * settled);
  const margin = Z * Math.sqrt((rate * (1 - rate)) / settled + (Z * Z) / (4 * settled * settled));
  const percent = (share: number) => Math.min(1, Math.max(0, share)) * 100;
  return {
    lowPercent: percent((centre - margin) / spread),
    highPercent: percent((centre + margin) / spread),
  };
}

/** Whether enough is settled to say anything: only then a record has a level and a rank. */
export function isProven(record: Pick<Record, "settled">): boolean {
  return record.settled >= SETTLED_FOR_LEVEL;
}

/**
 * Orders records best first: the proven before the rest, then by the rate they prove, which is the
 * low end of their range, then by how much stands behind it. So three of three does not stand above
 * 300 of 1,000.
 */
export function compareRecords(
  a: Pick<Record, "settled" | "won">,
  b: Pick<Record, "settled" | "won">,
): number {
  const least = (record: Pick<Record, "settled" | "won">) => rateRange(record)?.lowPercent ?? -1;
  return Number(isProven(b)) - Number(isProven(a)) || least(b) - least(a) || b.settled - a.settled;
}

/** The home leaderboard's sales score: what sells stands first, and the board says that it is so. */
export function salesScore(totals: { sales: number; coinsEarned: number; tips: number }): number {
  return totals.sales * 50 + totals.coinsEarned * 5 + totals.tips * 20;
}

/**
 * What one tip adds to its creator's record. A void tip adds nothing; one published too late is a tip,
 * but its result is not counted.
 */
export function contributionOf(tip: {
  isLate: boolean;
  result: "won" | "lost" | "void" | null;
}): Record {
  if (tip.result === "void") return { tips: 0, settled: 0, won: 0 };
  const counts = tip.result !== null && !tip.isLate;
  return { tips: 1, settled: counts ? 1 : 0, won: counts && tip.result === "won" ? 1 : 0 };
}
