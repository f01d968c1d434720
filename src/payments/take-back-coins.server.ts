import { sql } from "drizzle-orm";
import { CARD_PRICE_COINS } from "#domain/coins.ts";
import type { Tx } from "#platform/database.server.ts";
import { restoreSales, reverseNewestSales, reverseSaleOfCard } from "#sales/sales.server.ts";
import { readWallet } from "#wallet/wallet.server.ts";
import type { coinPurchases } from "./tables.server.ts";

type Purchase = typeof coinPurchases.$inferSelect;
type Kind = "refund" | "dispute";
type PurchasedCoins = { walletCoins: number; saleCoins: number; owedCoins: number };
type WelcomeCoins = { welcomeWalletCoins: number; welcomeSaleCoins: number };

/** The sources from which coins of a purchase were taken back, purchased and welcome coins separately. */
export type CoinsTaken = PurchasedCoins & WelcomeCoins;

/** Returns the coins taken by all adjustments of a purchase so far. */
export async function readCoinsTaken(
  tx: Tx,
  purchase: Purchase,
): Promise<CoinsTaken & { adjustments: number }> {
  const { rows } = await tx.execute<CoinsTaken & { adjustments: number }>(sql`
    select count(*)::integer as adjustments,
      coalesce(sum(wallet_coins), 0)::integer as "walletCoins",
      coalesce(sum(sale_coins), 0)::integer as "saleCoins",
      coalesce(sum(owed_coins), 0)::integer as "owedCoins",
      coalesce(sum(welcome_wallet_coins), 0)::integer as "welcomeWalletCoins",
      coalesce(sum(welcome_sale_coins), 0)::integer as "welcomeSaleCoins"
    from purchase_adjustments where purchase_id = ${purchase.id}`);
  const [sums] = rows;
  if (!sums) throw new Error("the totals of adjustments are always one row");
  return sums;
}

/**
 * Adjusts the purchased coins taken back to `coinsDue`, and returns the change per source. Coins are taken
 * from the wallet first, then by reversing whole sales; the rest is owed. The debt of earlier adjustments
 * is recomputed each time, so that several partial refunds end like one refund of their total. Coins are
 * returned in the opposite order: debt, sales, wallet.
 */
export async function adjustPurchasedCoins(
  tx: Tx,
  purchase: Purchase,
  { kind, before, coinsDue }: { kind: Kind; before: PurchasedCoins; coinsDue: number },
): Promise<PurchasedCoins> {
  const wallet = await readWallet(purchase.userId, tx);
  const debt = Math.min(before.owedCoins, wallet.owedCoins);
  // Debt repaid by a later purchase also came from the buyer's coins.
  const paid = before.walletCoins + before.owedCoins - debt;
  const newlyDue = coinsDue - purchase.recoveredCoins;

  const fromWallet = newlyDue > 0 ? Math.min(newlyDue, wallet.balanceCoins) : 0;
  const uncovered = coinsDue - paid - fromWallet - before.saleCoins;
  const saleCoins =
    newlyDue > 0
      ? await reverseSales(tx, purchase, kind, uncovered)
      : -(await restoreReversedSales(tx, purchase, Math.min(-uncovered, before.saleCoins)));

  const rest = coinsDue - before.saleCoins - saleCoins - paid;
  const toWallet = Math.min(rest, 0);
  // Restoring a whole sale can leave more uncovered than the earlier debt.
  const beyondDebt = Math.min(Math.max(rest - debt, 0), wallet.balanceCoins);
  const walletCoins = newlyDue > 0 ? fromWallet : toWallet || beyondDebt;
  return { walletCoins, saleCoins, owedCoins: rest - walletCoins - debt };
}

async function reverseSales(tx: Tx, purchase: Purchase, kind: Kind, upToCoins: number) {
  if (upToCoins < CARD_PRICE_COINS) return 0;
  const { coins } = await reverseNewestSales(tx, {
    buyerId: purchase.userId,
    afterTransactionId: purchase.transactionId,
    exceptRaceCardId: welcomeRaceCard(purchase),
    upToCoins,
    reason: kind,
    purchaseId: purchase.id,
  });
  return coins;
}

/** Restores whole sales: a sale no longer covered in full is restored, and the missing part is owed. */
async function restoreReversedSales(tx: Tx, purchase: Purchase, coins: number) {
  if (coins <= 0) return 0;
  const restored = await restoreSales(tx, {
    purchaseId: purchase.id,
    exceptRaceCardId: welcomeRaceCard(purchase),
    upToCoins: Math.ceil(coins / CARD_PRICE_COINS) * CARD_PRICE_COINS,
  });
  return restored.coins;
}

/**
 * Takes back the welcome coins of a guest deal once its payment is fully returned, or returns them when it
 * no longer is. Reverses the sale that they paid for, or takes the unspent coins. They were a gift, so what
 * cannot be taken is not owed. `walletCoins` is the amount about to be taken from the wallet.
 */
export async function adjustWelcomeCoins(
  tx: Tx,
  purchase: Purchase,
  {
    kind,
    before,
    isDue,
    walletCoins,
  }: { kind: Kind; before: WelcomeCoins; isDue: boolean; walletCoins: number },
): Promise<WelcomeCoins> {
  const { welcomeWalletCoins, welcomeSaleCoins } = before;
  const isTaken = welcomeWalletCoins + welcomeSaleCoins > 0;
  const nothing = { welcomeWalletCoins: 0, welcomeSaleCoins: 0 };
  if (purchase.welcomeCoins === 0 || isDue === isTaken) return nothing;
  if (isTaken)
    return {
      welcomeWalletCoins: -welcomeWalletCoins,
      welcomeSaleCoins: -(await restoreWelcomeSale(tx, purchase, welcomeSaleCoins)),
    };
  const source = { buyerId: purchase.userId, reason: kind, purchaseId: purchase.id };
  const raceCardId = welcomeRaceCard(purchase);
  if (raceCardId) {
    const outcome = await reverseSaleOfCard(tx, { ...source, raceCardId });
    if (outcome === "reversed") return { ...nothing, welcomeSaleCoins: purchase.welcomeCoins };
    if (outcome === "stays") return nothing;
  }
  const wallet = await readWallet(purchase.userId, tx);
  const inWallet = Math.min(purchase.welcomeCoins, wallet.balanceCoins - walletCoins);
  if (inWallet > 0) return { ...nothing, welcomeWalletCoins: inWallet };
  const { coins } = await reverseNewestSales(tx, {
    ...source,
    afterTransactionId: purchase.transactionId,
    upToCoins: purchase.welcomeCoins,
  });
  return { ...nothing, welcomeSaleCoins: coins };
}

async function restoreWelcomeSale(tx: Tx, purchase: Purchase, upToCoins: number) {
  const onlyRaceCardId = welcomeRaceCard(purchase);
  const { coins } = await restoreSales(tx, {
    purchaseId: purchase.id,
    upToCoins,
    ...(onlyRaceCardId ? { onlyRaceCardId } : {}),
  });
  return coins;
}

/** Returns the race card paid for with welcome coins; all others were paid for with purchased coins. */
function welcomeRaceCard(purchase: Purchase): string | null {
  return purchase.welcomeCoins > 0 ? purchase.openedRaceCardId : null;
}
