import { sql } from "drizzle-orm";
import { CARD_PRICE_COINS } from "#domain/coins.ts";
import type { Tx } from "#platform/database.server.ts";
import { restoreSales, reverseNewestSales, reverseSaleOfCard } from "#sales/sales.server.ts";
import { readWallet } from "#wallet/wallet.server.ts";
import type { coinPurchases } from "./tables.server.ts";

type Purchase = typeof coinPurchases.$inferSelect;
type Kind = "refund" | "dispute";
type BoughtCoins = { walletCoins: number; saleCoins: number; owedCoins: number };
type WelcomeCoins = { welcomeWalletCoins: number; welcomeSaleCoins: number };

/** Where the coins that a purchase lost were taken from. Bought and welcome coins count separately. */
export type CoinsTaken = BoughtCoins & WelcomeCoins;

/** What all adjustments of a purchase so far have taken. */
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
  if (!sums) throw new Error("the sums of adjustments are always one row");
  return sums;
}

/**
 * Brings the bought coins that a purchase has lost to `coinsDue`, and returns by how much each source
 * changes. Coins come from the wallet first, then from whole sales, and the rest is owed. A debt of
 * earlier parts is counted again with each part, so that several partial refunds end where one refund
 * of their sum does. Coins go back in the opposite order: debt, sales, wallet.
 */
export async function takeOrGiveBackCoins(
  tx: Tx,
  purchase: Purchase,
  { kind, before, coinsDue }: { kind: Kind; before: BoughtCoins; coinsDue: number },
): Promise<BoughtCoins> {
  const wallet = await readWallet(purchase.userId, tx);
  const debt = Math.min(before.owedCoins, wallet.owedCoins);
  // What a later purchase has repaid of the debt is gone from the buyer's wallet, too.
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
  // A sale that is restored in whole can leave more to cover than the debt that was there.
  const beyondDebt = Math.min(Math.max(rest - debt, 0), wallet.balanceCoins);
  const walletCoins = newlyDue > 0 ? fromWallet : toWallet || beyondDebt;
  return { walletCoins, saleCoins, owedCoins: rest - walletCoins - debt };
}

async function reverseSales(tx: Tx, purchase: Purchase, kind: Kind, upToCoins: number) {
  if (upToCoins < CARD_PRICE_COINS) return 0;
  const { coins } = await reverseNewestSales(tx, {
    buyerId: purchase.userId,
    afterTransactionId: purchase.transactionId,
    exceptRaceCardId: welcomeCard(purchase),
    upToCoins,
    reason: kind,
    purchaseId: purchase.id,
  });
  return coins;
}

/** Whole sales: one that is no longer covered in full counts again, and the missing part is owed. */
async function restoreReversedSales(tx: Tx, purchase: Purchase, coins: number) {
  if (coins <= 0) return 0;
  const restored = await restoreSales(tx, {
    purchaseId: purchase.id,
    exceptRaceCardId: welcomeCard(purchase),
    upToCoins: Math.ceil(coins / CARD_PRICE_COINS) * CARD_PRICE_COINS,
  });
  return restored.coins;
}

/**
 * Takes the welcome coins of a guest deal back once nothing of its payment is left, or gives them back
 * when some is: the sale that they paid for, or the coins themselves where they paid for none yet. They
 * were a gift, so what cannot be taken is not owed. `walletCoins` are about to leave the wallet.
 */
export async function takeOrGiveBackWelcome(
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
  const raceCardId = welcomeCard(purchase);
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
  const onlyRaceCardId = welcomeCard(purchase);
  const { coins } = await restoreSales(tx, {
    purchaseId: purchase.id,
    upToCoins,
    ...(onlyRaceCardId ? { onlyRaceCardId } : {}),
  });
  return coins;
}

/** The card that welcome coins paid for; any other opened card was paid for by coins bought. */
function welcomeCard(purchase: Purchase): string | null {
  return purchase.welcomeCoins > 0 ? purchase.openedRaceCardId : null;
}
