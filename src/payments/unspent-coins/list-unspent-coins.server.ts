import { sql } from "drizzle-orm";
import { database, type Tx } from "#platform/database.server.ts";
import { readWallet } from "#wallet/wallet.server.ts";

/** The unspent coins of a purchase, and what was paid for them. */
export type UnspentCoins = {
  purchaseId: string;
  coins: number;
  amountCents: number;
  /** What was refunded or lost of the payment before. */
  returnedCents: number;
  /** False for the coins of a claim code: their payment could not be refunded. */
  isRefundable: boolean;
};

/**
 * Returns the bought coins among the last `balanceCoins` that a user received, the newest first: the oldest coins are
 * spent first, and those of a purchase before its welcome coins. Welcome coins and grants are not listed.
 */
export async function listUnspentCoins(
  userId: string,
  balanceCoins: number,
  tx: Tx | ReturnType<typeof database> = database(),
): Promise<UnspentCoins[]> {
  if (balanceCoins === 0) return [];
  const { rows } = await tx.execute<UnspentCoins>(sql`
    select purchase_id as "purchaseId", coins, amount_cents as "amountCents", returned_cents as "returnedCents",
      is_refundable as "isRefundable"
    from list_unspent_coins(${userId}, ${balanceCoins})`);
  return rows;
}

/** What becomes of the coins of an account that is closed. */
export type CoinsAtClosing = { refundedCoins: number; refundedCents: number; lapsedCoins: number };

/** Returns what would become of a user's coins if the account were closed now. */
export async function previewCoinsAtClosing(userId: string): Promise<CoinsAtClosing> {
  const { balanceCoins } = await readWallet(userId);
  return sumCoinsAtClosing(balanceCoins, await listUnspentCoins(userId, balanceCoins));
}

/** Returns the totals of unspent coins. The others of the balance lapse. */
export function sumCoinsAtClosing(
  balanceCoins: number,
  unspentCoins: readonly UnspentCoins[],
): CoinsAtClosing {
  const refundedCoins = unspentCoins.reduce((total, { coins }) => total + coins, 0);
  const refundedCents = unspentCoins.reduce((total, { amountCents }) => total + amountCents, 0);
  return { refundedCoins, refundedCents, lapsedCoins: balanceCoins - refundedCoins };
}
