import { computeWinRateInterval, type WinRateInterval } from "../track-record.ts";

/** Won tips as a percentage of settled ones, with the 95 % confidence interval (Wilson). */
export type StrikeRate = { percent: number } & WinRateInterval;

/** Returns the strike rate, or null without a settled tip. */
export function computeStrikeRate(record: { settled: number; won: number }): StrikeRate | null {
  const interval = computeWinRateInterval(record);
  return interval && { percent: (record.won / record.settled) * 100, ...interval };
}
