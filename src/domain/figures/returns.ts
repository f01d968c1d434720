import { BETTING_TAX_PERCENT, type SettledBet } from "../settlement.ts";
import type { SettledTip } from "./figures.ts";

/** Level stakes and what they returned on one basis. Before tax, unless the name says otherwise. */
export type Returns = {
  /** The tips with a known return on this basis. */
  tips: number;
  /** The tips that have such a bet, but whose price or dividend is not known. In no amount. */
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

/** In per cent: the yield and 1.96 standard errors on each side. */
export type YieldRange = { lowPercent: number; highPercent: number };

/** The same races and stakes on the favourite. Joint favourites share the stake equally. */
export type AgainstFavourite = {
  /** The tips with a bet to win in a race with all prices. */
  tips: number;
  stakedCents: number;
  profitCents: number;
  favouriteProfitCents: number;
};

/** The price that a return is computed from. */
export type PriceBasis = "starting-price" | "tote";

/** The smallest number of tips for the range of a yield; with fewer it would suggest a certainty that is not there. */
export const MIN_TIPS_FOR_YIELD_RANGE = 50;
const Z_SCORE_95 = 1.96;

/** Returns the stakes and returns of tips on one basis. */
export function computeReturns(tips: readonly SettledTip[], basis: PriceBasis): Returns {
  const bets = tips.map((tip) => findStakeAndReturn(tip, basis));
  const priced = bets.filter((bet) => bet !== null && bet !== "unpriced");
  const stakedCents = sum(priced, (bet) => bet.stakeCents);
  const returnedCents = sum(priced, (bet) => bet.returnCents);
  const taxCents = sum(priced, (bet) => bet.taxCents);
  const profitCents = returnedCents - stakedCents;
  return {
    tips: priced.length,
    unpriced: bets.filter((bet) => bet === "unpriced").length,
    stakedCents,
    returnedCents,
    profitCents,
    profitAfterTaxCents: profitCents - taxCents,
    yieldPercent: toPercent(profitCents, stakedCents),
    yieldAfterTaxPercent: toPercent(profitCents - taxCents, stakedCents),
    yieldRange: computeYieldRange(priced),
  };
}

/** Returns the profit of a tip at the starting price in cents, or null if it is not known. */
export function findStartingPriceProfit(tip: SettledTip): number | null {
  const bet = findStakeAndReturn(tip, "starting-price");
  return bet === null || bet === "unpriced" ? null : bet.returnCents - bet.stakeCents;
}

/** Returns the comparison with the favourites of the same races. */
export function computeAgainstFavourite(tips: readonly SettledTip[]): AgainstFavourite {
  const compared = tips.flatMap((tip) => {
    const profitCents = findStartingPriceProfit(tip);
    return profitCents === null || tip.favouriteReturnCents === null || !tip.win
      ? []
      : [{ profitCents, stakeCents: tip.win.stakeCents, returnCents: tip.favouriteReturnCents }];
  });
  return {
    tips: compared.length,
    stakedCents: sum(compared, (bet) => bet.stakeCents),
    profitCents: sum(compared, (bet) => bet.profitCents),
    favouriteProfitCents: sum(compared, (bet) => bet.returnCents - bet.stakeCents),
  };
}

type PricedBet = { stakeCents: number; returnCents: number; taxCents: number };

/**
 * Returns the stake and the return of a tip on a basis: the win bet at the starting price, or all bets at the
 * tote. Returns null for a tip without such a bet.
 */
function findStakeAndReturn(tip: SettledTip, basis: PriceBasis): PricedBet | "unpriced" | null {
  const bets = (basis === "tote" ? [tip.win, tip.place] : [tip.win]).filter((bet) => bet !== null);
  if (bets.length === 0) return null;
  const priced = bets.map((bet) => priceBet(bet, basis)).filter((bet) => bet !== null);
  // An each-way tip with one known half would count with half of its stake.
  if (priced.length < bets.length) return "unpriced";
  return {
    stakeCents: sum(priced, (bet) => bet.stakeCents),
    returnCents: sum(priced, (bet) => bet.returnCents),
    taxCents: sum(priced, (bet) => bet.taxCents),
  };
}

function priceBet(bet: SettledBet, basis: PriceBasis): PricedBet | null {
  const { stakeCents } = bet;
  const returnCents = basis === "tote" ? bet.toteReturnCents : bet.startingPriceReturnCents;
  if (returnCents === null) return null;
  const winningsCents = Math.max(0, returnCents - stakeCents);
  return {
    stakeCents,
    returnCents,
    taxCents: Math.ceil((winningsCents * BETTING_TAX_PERCENT) / 100),
  };
}

/**
 * Returns the yield with 1.96 standard errors on each side. For equal stakes the error is s/√n of the single
 * yields; the win half of an each-way tip weighs half.
 */
function computeYieldRange(bets: readonly PricedBet[]): YieldRange | null {
  const count = bets.length;
  if (count < MIN_TIPS_FOR_YIELD_RANGE) return null;
  const staked = sum(bets, (bet) => bet.stakeCents);
  const rate = sum(bets, (bet) => bet.returnCents - bet.stakeCents) / staked;
  const squares = sum(bets, ({ stakeCents, returnCents }) => {
    const deviation = returnCents - stakeCents - rate * stakeCents;
    return deviation * deviation;
  });
  const error = Math.sqrt((squares / (count - 1)) * count) / staked;
  return {
    lowPercent: (rate - Z_SCORE_95 * error) * 100,
    highPercent: (rate + Z_SCORE_95 * error) * 100,
  };
}

function toPercent(part: number, whole: number): number | null {
  return whole === 0 ? null : (part / whole) * 100;
}

function sum<T>(items: readonly T[], amountOf: (item: T) => number): number {
  return items.reduce((total, item) => total + amountOf(item), 0);
}
