import { sql } from "drizzle-orm";
import { CARD_PRICE_COINS } from "#domain/coins.ts";
import type { Tx } from "#platform/database.server.ts";
import { restoreSales, reverseNewestSales, reverseSaleOfRaceCard } from "#sales/sales.server.ts";
import { lockWallet } from "#wallet/wallet.server.ts";
import type { coinPurchases } from "./tables.server.ts";

type Purchase = typeof coinPurchases.$inferSelect;
type AdjustmentKind = "refund" | "dispute";
type PurchasedCoins = { walletCoins: number; saleCoins: number; owedCoins: number };
type WelcomeCoins = { welcomeWalletCoins: number; welcomeSaleCoins: number };

/** The sources from which coins of a purchase were recovered, purchased and welcome coins separately. */
export type RecoveredCoins = PurchasedCoins & WelcomeCoins;

/** Returns the coins recovered by all adjustments of a purchase so far. */
export async function readRecoveredCoins(
  tx: Tx,
  purchase: Purchase,
): Promise<RecoveredCoins & { adjustments: number }> {
  const { rows } = await tx.execute<RecoveredCoins & { adjustments: number }>(sql`
    select count(*)::integer as adjustments,
      coalesce(sum(wallet_coins), 0)::integer as "walletCoins",
      coalesce(sum(sale_coins), 0)::integer as "saleCoins",
      coalesce(sum(owed_coins), 0)::integer as "owedCoins",
      coalesce(sum(welcome_wallet_coins), 0)::integer as "welcomeWalletCoins",
      coalesce(sum(welcome_sale_coins), 0)::integer as "welcomeSaleCoins"
    from purchase_adjustments where purchase_id = ${purchase.id}`);
  const [totals] = rows;
  if (!totals) throw new Error("the totals of adjustments are always one row");
  return totals;
}

/**
 * Adjusts the recovered purchased coins to `coinsDue`, and returns the change per source. Coins are taken
 * from the wallet first, then by reversing whole sales; the rest is owed. The debt of earlier adjustments
 * is recomputed each time, so that several partial refunds end like one refund of their total. Coins are
 * returned in the opposite order: debt, sales, wallet.
 */
export async function adjustPurchasedCoins(
  tx: Tx,
  purchase: Purchase,
  {
    kind,
    recoveredBefore,
    coinsDue,
  }: { kind: AdjustmentKind; recoveredBefore: PurchasedCoins; coinsDue: number },
): Promise<PurchasedCoins> {
  const wallet = await lockRecoverableCoins(tx, purchase.userId);
  const debt = Math.min(recoveredBefore.owedCoins, wallet.owedCoins);
  // Debt repaid by a later purchase also came from the buyer's coins.
  const recoveredFromWallet = recoveredBefore.walletCoins + recoveredBefore.owedCoins - debt;
  const additionalCoins = coinsDue - purchase.recoveredCoins;

  const fromWallet = additionalCoins > 0 ? Math.min(additionalCoins, wallet.balanceCoins) : 0;
  const uncovered = coinsDue - recoveredFromWallet - fromWallet - recoveredBefore.saleCoins;
  const saleCoins =
    additionalCoins > 0
      ? await reverseSales(tx, purchase, kind, uncovered)
      : -(await restoreReversedSales(
          tx,
          purchase,
          kind,
          Math.min(-uncovered, recoveredBefore.saleCoins),
        ));

  const remainingCoins = coinsDue - recoveredBefore.saleCoins - saleCoins - recoveredFromWallet;
  const toWallet = Math.min(remainingCoins, 0);
  // Restoring a whole sale can leave more uncovered than the earlier debt.
  const beyondDebt = Math.min(Math.max(remainingCoins - debt, 0), wallet.balanceCoins);
  const walletCoins = additionalCoins > 0 ? fromWallet : toWallet || beyondDebt;
  return { walletCoins, saleCoins, owedCoins: remainingCoins - walletCoins - debt };
}

/**
 * Returns the coins that can be recovered before any sale is reversed: those in the wallet, or those that a closed account
 * left to the house. Locks the wallet.
 */
async function lockRecoverableCoins(
  tx: Tx,
  userId: string,
): Promise<{ balanceCoins: number; owedCoins: number }> {
  const { balanceCoins, forfeitedCoins, owedCoins } = await lockWallet(tx, userId);
  return { balanceCoins: balanceCoins + forfeitedCoins, owedCoins };
}

async function reverseSales(tx: Tx, purchase: Purchase, kind: AdjustmentKind, upToCoins: number) {
  if (upToCoins <= 0) return 0;
  const { coins } = await reverseNewestSales(tx, {
    buyerId: purchase.userId,
    afterTransactionId: purchase.transactionId,
    exceptRaceCardId: findWelcomeRaceCard(purchase),
    upToCoins,
    reason: kind,
    purchaseId: purchase.id,
  });
  return coins;
}

/** Restores whole sales: a sale no longer covered in full is restored, and the missing part is owed. */
async function restoreReversedSales(
  tx: Tx,
  purchase: Purchase,
  kind: AdjustmentKind,
  coins: number,
) {
  if (coins <= 0) return 0;
  const restored = await restoreSales(tx, {
    purchaseId: purchase.id,
    exceptRaceCardId: findWelcomeRaceCard(purchase),
    coveredCoins: coins,
    reason: kind,
  });
  return restored.coins;
}

/**
 * Recovers the welcome coins of a guest deal whose payment is fully returned. Reverses the sale that they
 * paid for, or takes the unspent coins. They were a gift, so coins that cannot be recovered are not owed.
 * `walletCoins` is the amount about to be taken from the wallet.
 */
export async function recoverWelcomeCoins(
  tx: Tx,
  purchase: Purchase,
  { kind, walletCoins }: { kind: AdjustmentKind; walletCoins: number },
): Promise<WelcomeCoins> {
  const readUntakenCoins = async () =>
    Math.max(0, (await lockRecoverableCoins(tx, purchase.userId)).balanceCoins - walletCoins);
  const source = { buyerId: purchase.userId, reason: kind, purchaseId: purchase.id };
  const raceCardId = findWelcomeRaceCard(purchase);
  if (raceCardId) {
    const sale = await reverseSaleOfRaceCard(tx, { ...source, raceCardId });
    if (sale.returnedCoins < CARD_PRICE_COINS)
      return {
        welcomeWalletCoins: Math.min(sale.returnedCoins, await readUntakenCoins()),
        welcomeSaleCoins: sale.reversedCoins,
      };
  }
  const coinsInWallet = Math.min(purchase.welcomeCoins, await readUntakenCoins());
  if (coinsInWallet > 0) return { welcomeWalletCoins: coinsInWallet, welcomeSaleCoins: 0 };
  const { coins } = await reverseNewestSales(tx, {
    ...source,
    afterTransactionId: purchase.transactionId,
    upToCoins: purchase.welcomeCoins,
  });
  return { welcomeWalletCoins: 0, welcomeSaleCoins: coins };
}

/**
 * Returns the welcome coins that were recovered, once the payment is no longer fully returned: restores the
 * sales they were recovered from, and returns the rest to the wallet. Must be called before the bought coins
 * are adjusted: the sales of welcome coins were reversed last, and restoreSales restores the newest reversal
 * first.
 */
export async function restoreWelcomeCoins(
  tx: Tx,
  purchase: Purchase,
  { kind, recoveredBefore }: { kind: AdjustmentKind; recoveredBefore: WelcomeCoins },
): Promise<WelcomeCoins> {
  const recoveredCoins = recoveredBefore.welcomeWalletCoins + recoveredBefore.welcomeSaleCoins;
  const saleCoins = await restoreWelcomeSales(tx, purchase, kind, recoveredBefore.welcomeSaleCoins);
  return {
    // Never takes coins from the wallet: coins that a restored sale has beyond the recovered ones are a gift.
    welcomeWalletCoins: Math.min(0, saleCoins - recoveredCoins),
    welcomeSaleCoins: -saleCoins,
  };
}

/** Restores the sale paid for with the welcome coins, or the other sales from which they were recovered. */
async function restoreWelcomeSales(
  tx: Tx,
  purchase: Purchase,
  kind: AdjustmentKind,
  coveredCoins: number,
): Promise<number> {
  if (coveredCoins <= 0) return 0;
  const params = { purchaseId: purchase.id, coveredCoins, reason: kind };
  const onlyRaceCardId = findWelcomeRaceCard(purchase);
  const { coins } = onlyRaceCardId
    ? await restoreSales(tx, { ...params, onlyRaceCardId })
    : { coins: 0 };
  return coins > 0 ? coins : (await restoreSales(tx, params)).coins;
}

/** Returns the race card paid for with welcome coins; all others were paid for with purchased coins. */
function findWelcomeRaceCard(purchase: Purchase): string | null {
  return purchase.welcomeCoins > 0 ? purchase.openedRaceCardId : null;
}
