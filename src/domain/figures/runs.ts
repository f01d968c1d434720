import type { CalendarDate } from "../calendar.ts";
import type { SettledTip } from "./figures.ts";
import { findStartingPriceProfit } from "./returns.ts";

/** The deepest fall of the running profit at the starting price below its highest point so far. */
export type Drawdown = {
  /** Zero if the profit never fell below its highest point. */
  cents: number;
  /** The race date of the highest point; null if that is the start. */
  from: CalendarDate | null;
  /** The race date of the lowest point. */
  until: CalendarDate | null;
};

/** The running profit at the starting price after a race date. */
export type ProfitPoint = {
  raceDate: CalendarDate;
  /** The tips with a known starting price so far. */
  tips: number;
  profitCents: number;
  /** How far the profit is below its highest point so far; zero or more. */
  drawdownCents: number;
  /** The running profit of the favourites of the same races, for the same stakes. */
  favouriteProfitCents: number;
};

/** Limits the size of the stored figures. A chart cannot show many more points. */
const MAX_POINTS = 400;

/** Returns the largest number of lost tips in a row. The tips must be sorted by off. */
export function computeLongestLosingRun(tips: readonly SettledTip[]): number {
  let longest = 0;
  let current = 0;
  for (const { outcome } of tips) {
    current = outcome === "lost" ? current + 1 : 0;
    longest = Math.max(longest, current);
  }
  return longest;
}

/** Returns the worst drawdown. The tips must be sorted by off. */
export function computeWorstDrawdown(tips: readonly SettledTip[]): Drawdown {
  let worst: Drawdown = { cents: 0, from: null, until: null };
  let profitCents = 0;
  let peak: { cents: number; raceDate: CalendarDate | null } = { cents: 0, raceDate: null };
  for (const tip of tips) {
    const change = findStartingPriceProfit(tip);
    if (change === null) continue;
    profitCents += change;
    if (profitCents >= peak.cents) peak = { cents: profitCents, raceDate: tip.raceDate };
    else if (peak.cents - profitCents > worst.cents)
      worst = { cents: peak.cents - profitCents, from: peak.raceDate, until: tip.raceDate };
  }
  return worst;
}

/**
 * Returns the running profit by race date, oldest first. More than 400 dates are sampled evenly, always with
 * the last one. The tips must be sorted by off.
 */
export function computeProfitSeries(tips: readonly SettledTip[]): ProfitPoint[] {
  const points: ProfitPoint[] = [];
  let peakCents = 0;
  let current = { tips: 0, profitCents: 0, favouriteProfitCents: 0 };
  for (const tip of tips) {
    const change = findStartingPriceProfit(tip);
    if (change === null) continue;
    const favouriteChange =
      tip.favouriteReturnCents === null || !tip.win
        ? 0
        : tip.favouriteReturnCents - tip.win.stakeCents;
    current = {
      tips: current.tips + 1,
      profitCents: current.profitCents + change,
      favouriteProfitCents: current.favouriteProfitCents + favouriteChange,
    };
    peakCents = Math.max(peakCents, current.profitCents);
    if (points.at(-1)?.raceDate === tip.raceDate) points.pop();
    points.push({
      raceDate: tip.raceDate,
      ...current,
      drawdownCents: peakCents - current.profitCents,
    });
  }
  const step = Math.ceil(points.length / MAX_POINTS);
  return points.filter((_, index) => (points.length - 1 - index) % step === 0);
}
