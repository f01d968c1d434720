import { CARD_PRICE_COINS, CREATOR_EARNING_CENTS, EARNING_CENTS_PER_COIN } from "./coins.ts";

/** A sale with what was returned for it, and the state of its earning. */
export type ReturnableSale = {
  /** The share of each tip of the sale in hundredths of a coin. */
  sharesHundredths: readonly number[];
  /** Whether each tip is void, in the same order. */
  isVoid: readonly boolean[];
  /** The coins returned for the sale so far. */
  returnedCoins: number;
  /** The amount of the earning, after all reductions. */
  earningCents: number;
  /** The earning is part of a payout, which keeps its amount. */
  isInPayout: boolean;
  /** Why the whole earning is reversed; null when it is not. */
  reversalReason: "refund" | "dispute" | "void" | "review" | null;
};

/** The changes that bring a sale in line with the results of its tips. */
export type CoinReturnPlan = {
  /** Coins to return to the buyer. */
  coins: number;
  /** The reduction of the earning in cents; negative when it is raised again after a correction. */
  reducedCents: number;
  /** 'reverse' takes the rest of the earning back; 'restore' undoes that, before the reduction. */
  reversal: "reverse" | "restore" | null;
  /** The change of what the creator is owed, in cents. */
  payableCents: number;
};

/**
 * Returns the coins that a buyer is due for the void tips of a sale: their shares, rounded up to whole
 * coins, at most the price.
 */
export function calculateDueCoins(
  sharesHundredths: readonly number[],
  isVoid: readonly boolean[],
): number {
  const voidHundredths = sharesHundredths.reduce(
    (sum, share, index) => (isVoid[index] ? sum + share : sum),
    0,
  );
  return Math.min(CARD_PRICE_COINS, Math.ceil(voidHundredths / 100));
}

/**
 * Returns the changes of a sale after results of its tips have changed; null when there is nothing to change.
 *
 * - A sale that was reversed for a refund or dispute was returned as money, so it returns no coins.
 * - Coins are never taken back: after a correction the buyer keeps them.
 * - The earning follows the results in both directions. An earning in a payout keeps its amount, and an
 *   earning that a review reversed stays reversed.
 */
export function planCoinReturn(sale: ReturnableSale): CoinReturnPlan | null {
  const { earningCents, reversalReason } = sale;
  if (reversalReason === "refund" || reversalReason === "dispute") return null;
  const dueCoins = calculateDueCoins(sale.sharesHundredths, sale.isVoid);
  const coins = Math.max(0, dueCoins - sale.returnedCoins);
  const unchanged = { coins, reducedCents: 0, reversal: null, payableCents: 0 };
  const plan = coins === 0 ? null : unchanged;
  if (sale.isInPayout || reversalReason === "review") return plan;
  if (dueCoins === CARD_PRICE_COINS)
    return reversalReason === "void"
      ? plan
      : { ...unchanged, reversal: "reverse", payableCents: -earningCents };
  const remainingCents = CREATOR_EARNING_CENTS - dueCoins * EARNING_CENTS_PER_COIN;
  const reducedCents = earningCents - remainingCents;
  if (reversalReason === "void")
    return { ...unchanged, reducedCents, reversal: "restore", payableCents: remainingCents };
  return reducedCents === 0 ? plan : { ...unchanged, reducedCents, payableCents: -reducedCents };
}
