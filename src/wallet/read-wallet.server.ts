import { eq } from "drizzle-orm";
import { queryPrepared, type Tx } from "#platform/database.server.ts";
import { wallets } from "./tables.server.ts";

/** The balance and owed coins of a user. A wallet is frozen while a payment is disputed or refunded to its owner. */
export type Wallet = { balanceCoins: number; owedCoins: number; isFrozen: boolean };

type Row = { balance_coins: number; owed_coins: number; frozen_at: Date | null };

/** Returns the wallet of a user; empty if there is none. */
export async function readWallet(userId: string): Promise<Wallet> {
  // Every page of a user reads the wallet, so the statement is prepared.
  const [row] = await queryPrepared<Row>(
    "read-wallet",
    `select "balance_coins", "owed_coins", "frozen_at" from "wallets" where "wallets"."user_id" = $1`,
    [userId],
  );
  return toWallet(row);
}

/**
 * Returns the wallet of a user, locked until the end of the transaction; empty if there is none. With the coins that a
 * closed account left to the house, which a refund can take back.
 */
export async function lockWallet(
  tx: Tx,
  userId: string,
): Promise<Wallet & { forfeitedCoins: number }> {
  const [row] = await tx
    .select({
      balance_coins: wallets.balanceCoins,
      owed_coins: wallets.owedCoins,
      frozen_at: wallets.frozenAt,
      forfeited_coins: wallets.forfeitedCoins,
    })
    .from(wallets)
    .where(eq(wallets.userId, userId))
    .for("update");
  return { ...toWallet(row), forfeitedCoins: row?.forfeited_coins ?? 0 };
}

function toWallet(row: Row | undefined): Wallet {
  return {
    balanceCoins: row?.balance_coins ?? 0,
    owedCoins: row?.owed_coins ?? 0,
    isFrozen: row?.frozen_at != null,
  };
}
