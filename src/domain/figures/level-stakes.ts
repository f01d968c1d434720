import { BETTING_TAX_PERCENT, type SettledBet } from "../settlement.ts";
import { ASSUMED_CARD_CENTS, type SettledTip } from "./figures.ts";
import { MIN_TIPS_FOR_YIELD_RANGE } from "./returns.ts";

/** The fields of a settled tip that the result of a level stake depends on. */
export type StakedTip = Pick<SettledTip, "raceCardId" | "win" | "place">;

/** The result of the same stake on every tip, after betting tax and the price of the race cards. */
export type LevelStakeResult = {
  stakeCents: number;
  /** The tips whose starting price and dividends are known. */
  tips: number;
  /** The tips left out of the amounts because a price or dividend is unknown. */
  unpriced: number;
  /** The number of race cards of all tips, including unpriced ones. */
  cards: number;
  cardsCostCents: number;
  stakedCents: number;
  /** After tax and the price of the race cards. */
  profitCents: number;
  /** The 95 % range of the profit. Null for fewer than 50 tips. */
  range: { lowCents: number; highCents: number } | null;
};

const Z_SCORE_95 = 1.96;

/**
 * Computes the result of the same stake on each of these tips: win bets at the starting price, place bets at the
 * tote dividend, each-way tips with half the stake on each. Settled returns are scaled to the stake and rounded
 * down to the cent; the tax on each bet is rounded up.
 */
export function computeLevelStakeResult(
  tips: readonly StakedTip[],
  stakeCents: number,
): LevelStakeResult {
  const profits = tips
    .map((tip) => computeProfit(tip, stakeCents))
    .filter((profit) => profit !== null);
  const cards = new Set(tips.map((tip) => tip.raceCardId)).size;
  const cardsCostCents = cards * ASSUMED_CARD_CENTS;
  const profitCents = profits.reduce((total, profit) => total + profit, 0) - cardsCostCents;
  return {
    stakeCents,
    tips: profits.length,
    unpriced: tips.length - profits.length,
    cards,
    cardsCostCents,
    stakedCents: profits.length * stakeCents,
    profitCents,
    range: computeRange(profits, profitCents),
  };
}

/** Returns the profit on a tip after tax, or null if a price or dividend is unknown. */
function computeProfit({ win, place }: StakedTip, stakeCents: number): number | null {
  const bets = [
    win && { ...win, returnCents: win.startingPriceReturnCents },
    place && { ...place, returnCents: place.toteReturnCents },
  ].filter((bet): bet is SettledBet & { returnCents: number | null } => bet !== null);
  const unitCents = bets.reduce((total, bet) => total + bet.stakeCents, 0);
  let profitCents = 0;
  for (const bet of bets) {
    if (bet.returnCents === null) return null;
    const betStakeCents = (stakeCents * bet.stakeCents) / unitCents;
    const returnCents = Math.floor((bet.returnCents * stakeCents) / unitCents);
    const taxCents = Math.ceil(
      (Math.max(0, returnCents - betStakeCents) * BETTING_TAX_PERCENT) / 100,
    );
    profitCents += returnCents - taxCents - betStakeCents;
  }
  return bets.length === 0 ? null : profitCents;
}

/**
 * Returns the total plus and minus 1.96 standard errors (√n · s). The price of the race cards is fixed, so it does
 * not widen the range.
 */
function computeRange(profits: readonly number[], totalCents: number): LevelStakeResult["range"] {
  const count = profits.length;
  if (count < MIN_TIPS_FOR_YIELD_RANGE) return null;
  const mean = profits.reduce((total, profit) => total + profit, 0) / count;
  const squares = profits.reduce((total, profit) => total + (profit - mean) ** 2, 0);
  const margin = Z_SCORE_95 * Math.sqrt((squares / (count - 1)) * count);
  return { lowCents: Math.round(totalCents - margin), highCents: Math.round(totalCents + margin) };
}
