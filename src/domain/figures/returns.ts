import { BETTING_TAX_PERCENT, type SettledBet } from "../settlement.ts";
import type { SettledTip } from "./figures.ts";

/** The stakes and returns of level-stake bets on one price basis. Amounts are before tax unless named otherwise. */
export type Returns = {
  /** The tips with a known return on this basis. */
  tips: number;
  /** The tips left out of the amounts because the price or dividend of their bet is unknown. */
  unpriced: number;
  stakedCents: number;
  returnedCents: number;
  profitCents: number;
  /** After the tax on winnings. The tax of each bet is rounded up to the cent. */
  profitAfterTaxCents: number;
  /** The profit as a share of the stakes. Null without a stake. */
  yieldPercent: number | null;
  yieldAfterTaxPercent: number | null;
  /** The 95 % range of the yield. Null for fewer than 50 tips. */
  yieldRange: YieldRange | null;
};

/** The sums over priced tips from which a yield and its range are computed, in cents and squared cents. */
export type ReturnSums = {
  tips: number;
  stakedCents: number;
  profitCents: number;
  profitSquares: number;
  profitByStake: number;
  stakeSquares: number;
};

/** The yield minus and plus 1.96 standard errors, in per cent. */
export type YieldRange = { lowPercent: number; highPercent: number };

/** The same races and stakes on the favourite. Joint favourites share the stake equally. */
export type AgainstFavourite = {
  /** The tips with a bet to win in a race with all prices known. */
  tips: number;
  stakedCents: number;
  profitCents: number;
  favouriteProfitCents: number;
};

/** The price that a return is computed from. */
export type PriceBasis = "starting-price" | "tote";

/** The smallest number of tips with a yield range. A range from fewer tips would be misleading. */
export const MIN_TIPS_FOR_YIELD_RANGE = 50;
const Z_SCORE_95 = 1.96;

/** Returns the stakes and returns of tips on one basis. */
export function computeReturns(tips: readonly SettledTip[], basis: PriceBasis): Returns {
  const sums: ReturnSums = {
    tips: 0,
    stakedCents: 0,
    profitCents: 0,
    profitSquares: 0,
    profitByStake: 0,
    stakeSquares: 0,
  };
  let unpriced = 0;
  let taxCents = 0;
  // One pass without intermediate arrays, because a creator can have hundreds of thousands of tips.
  for (const tip of tips) {
    const bet = findStakeAndReturn(tip, basis);
    if (bet === "unpriced") unpriced += 1;
    if (bet === "unpriced" || bet === null) continue;
    const { stakeCents } = bet;
    const profitCents = bet.returnCents - stakeCents;
    sums.tips += 1;
    sums.stakedCents += stakeCents;
    sums.profitCents += profitCents;
    sums.profitSquares += profitCents * profitCents;
    sums.profitByStake += profitCents * stakeCents;
    sums.stakeSquares += stakeCents * stakeCents;
    taxCents += bet.taxCents;
  }
  const { stakedCents, profitCents } = sums;
  return {
    tips: sums.tips,
    unpriced,
    stakedCents,
    returnedCents: stakedCents + profitCents,
    profitCents,
    profitAfterTaxCents: profitCents - taxCents,
    yieldPercent: toPercent(profitCents, stakedCents),
    yieldAfterTaxPercent: toPercent(profitCents - taxCents, stakedCents),
    yieldRange: computeYieldRange(sums),
  };
}

/** Returns the profit of a tip at the starting price in cents, or null if it is not known. */
export function findStartingPriceProfit(tip: SettledTip): number | null {
  const bet = findStakeAndReturn(tip, "starting-price");
  return bet === null || bet === "unpriced" ? null : bet.returnCents - bet.stakeCents;
}

/** Compares the tips with the favourites of the same races. */
export function computeAgainstFavourite(tips: readonly SettledTip[]): AgainstFavourite {
  const sums = { tips: 0, stakedCents: 0, profitCents: 0, favouriteProfitCents: 0 };
  for (const tip of tips) {
    const profitCents = findStartingPriceProfit(tip);
    if (profitCents === null || tip.favouriteReturnCents === null || !tip.win) continue;
    sums.tips += 1;
    sums.stakedCents += tip.win.stakeCents;
    sums.profitCents += profitCents;
    sums.favouriteProfitCents += tip.favouriteReturnCents - tip.win.stakeCents;
  }
  return sums;
}

type PricedBet = { stakeCents: number; returnCents: number; taxCents: number };

/**
 * Returns the stake and the return of a tip on a basis: the win bet at the starting price, or all bets at the
 * tote. Returns null for a tip without such a bet.
 */
function findStakeAndReturn(
  { win, place }: Pick<SettledTip, "win" | "place">,
  basis: PriceBasis,
): PricedBet | "unpriced" | null {
  if (basis === "starting-price") return win && priceBet(win, win.startingPriceReturnCents);
  const winBet = win && priceBet(win, win.toteReturnCents);
  const placeBet = place && priceBet(place, place.toteReturnCents);
  // An each-way tip with one unpriced half would otherwise count with half of its stake.
  if (winBet === "unpriced" || placeBet === "unpriced") return "unpriced";
  if (!winBet || !placeBet) return winBet ?? placeBet;
  return {
    stakeCents: winBet.stakeCents + placeBet.stakeCents,
    returnCents: winBet.returnCents + placeBet.returnCents,
    taxCents: winBet.taxCents + placeBet.taxCents,
  };
}

function priceBet({ stakeCents }: SettledBet, returnCents: number | null): PricedBet | "unpriced" {
  if (returnCents === null) return "unpriced";
  const winningsCents = Math.max(0, returnCents - stakeCents);
  return {
    stakeCents,
    returnCents,
    taxCents: Math.ceil((winningsCents * BETTING_TAX_PERCENT) / 100),
  };
}

/**
 * Returns the yield minus and plus 1.96 standard errors, or null for fewer than 50 tips. For equal stakes the
 * standard error is s/√n of the tips' yields. Tips are weighted by stake, so the win half of an each-way tip
 * weighs half.
 */
export function computeYieldRange(sums: ReturnSums): YieldRange | null {
  const { tips, stakedCents, profitCents } = sums;
  if (tips < MIN_TIPS_FOR_YIELD_RANGE) return null;
  const rate = profitCents / stakedCents;
  // The sum of (profit − rate × stake)².
  const deviations =
    sums.profitSquares - 2 * rate * sums.profitByStake + rate * rate * sums.stakeSquares;
  const error = Math.sqrt((Math.max(0, deviations) / (tips - 1)) * tips) / stakedCents;
  return {
    lowPercent: (rate - Z_SCORE_95 * error) * 100,
    highPercent: (rate + Z_SCORE_95 * error) * 100,
  };
}

function toPercent(part: number, whole: number): number | null {
  return whole === 0 ? null : (part / whole) * 100;
}
