import { CARD_PRICE_COINS } from "./coins.ts";

/** A sale, the coins returned for it so far, and the state of its earning. */
export type ReturnableSale = {
  /** The share of each tip of the sale in hundredths of a coin. */
  sharesHundredths: readonly number[];
  /** Whether each tip's share goes back, in the same order: the tip is void, or the sale was made after its races. */
  isDue: readonly boolean[];
  /** The coins returned for the sale so far. */
  returnedCoins: number;
  /** The coins of the sale that its buyer has not paid for, because payments were refunded or lost in disputes. */
  lackingCoins: number;
  /** The creator's earning when the race card was sold. */
  fullEarningCents: number;
  /** The amount of the earning, after all reductions. */
  earningCents: number;
  /** True if the earning is part of a payout. Its amount then stays the same. */
  isInPayout: boolean;
  /** Why the whole earning is reversed; null when it is not. */
  reversalReason: ReversalReason | null;
};

/** Nothing reverses for 'refund' or 'dispute' any more. Those reversals are final, and their sales cost nothing. */
export type ReversalReason = "refund" | "dispute" | "lost" | "void" | "review" | "closed";

/** The changes that bring a sale in line with the results of its tips and the payments of its buyer. */
export type CoinReturnPlan = {
  /** Coins to return to the buyer. */
  coins: number;
  /** The reduction of the earning in cents; negative when it is raised again after a correction. */
  reducedCents: number;
  /** The reason for which the rest of the earning is reversed; 'none' undoes that before the reduction applies. */
  reversal: "void" | "lost" | "none" | null;
  /** The change in the amount owed to the creator, in cents. */
  payableCents: number;
};

/**
 * Returns the coins that go back to the buyer of a sale: the shares of the tips that are due, rounded up to whole
 * coins, at most the price.
 */
export function calculateDueCoins(
  sharesHundredths: readonly number[],
  isDue: readonly boolean[],
): number {
  const voidHundredths = sharesHundredths.reduce(
    (sum, share, index) => (isDue[index] ? sum + share : sum),
    0,
  );
  return Math.min(CARD_PRICE_COINS, Math.ceil(voidHundredths / 100));
}

/**
 * Returns the part of the creator's earning from a sale that belongs to a number of its coins, rounded down to the
 * cent. `earning_of_coins` in SQL applies the same rule.
 */
export function calculateEarningOfCoins(fullEarningCents: number, coins: number): number {
  return Math.floor((fullEarningCents * coins) / CARD_PRICE_COINS);
}

/**
 * Returns the changes to a sale after the results of its tips or the payments of its buyer changed, or null if nothing
 * changes.
 *
 * - Returned coins stay with the buyer, even if a correction makes the tip valid again.
 * - The earning is that of the coins which are neither due for void tips nor lacking. It follows both in both
 *   directions, unless it is in a payout, or was reversed by a review or because its creator closed the account.
 */
export function planCoinReturn(sale: ReturnableSale): CoinReturnPlan | null {
  const { earningCents, fullEarningCents, reversalReason } = sale;
  if (reversalReason === "refund" || reversalReason === "dispute") return null;
  const dueCoins = calculateDueCoins(sale.sharesHundredths, sale.isDue);
  const coins = Math.max(0, dueCoins - sale.returnedCoins);
  const unchanged = { coins, reducedCents: 0, reversal: null, payableCents: 0 };
  const plan = coins === 0 ? null : unchanged;
  if (sale.isInPayout || reversalReason === "review" || reversalReason === "closed") return plan;
  const unpaidCoins = dueCoins + sale.lackingCoins;
  if (unpaidCoins >= CARD_PRICE_COINS) {
    const reversal = dueCoins === CARD_PRICE_COINS ? "void" : "lost";
    if (reversal === reversalReason || (reversalReason !== null && coins === 0)) return plan;
    return { ...unchanged, reversal, payableCents: reversalReason === null ? -earningCents : 0 };
  }
  const remainingCents = fullEarningCents - calculateEarningOfCoins(fullEarningCents, unpaidCoins);
  const reducedCents = earningCents - remainingCents;
  if (reversalReason !== null)
    return { ...unchanged, reducedCents, reversal: "none", payableCents: remainingCents };
  return reducedCents === 0 ? plan : { ...unchanged, reducedCents, payableCents: -reducedCents };
}
