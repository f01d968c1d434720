import { and, eq, notExists } from "drizzle-orm";
import { now } from "#platform/clock.server.ts";
import { database, queryPrepared, type Tx } from "#platform/database.server.ts";
import { ledgerPostings, wallets } from "./tables.server.ts";

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

/** Creates an empty wallet within the transaction that creates the user. Idempotent. */
export async function openWallet(tx: Tx, userId: string): Promise<void> {
  await tx.insert(wallets).values({ userId }).onConflictDoNothing();
}

/** Returns true for a wallet without any postings. Locks the wallet when a transaction is given. */
export async function hasNoPostings(userId: string, tx?: Tx): Promise<boolean> {
  // Reads the postings in a separate statement, because the statement that waits for the lock uses a
  // snapshot from before the wait.
  if (tx)
    await tx
      .select({ userId: wallets.userId })
      .from(wallets)
      .where(eq(wallets.userId, userId))
      .for("update");
  const rows = await (tx ?? database())
    .select({ userId: wallets.userId })
    .from(wallets)
    .where(
      and(
        eq(wallets.userId, userId),
        notExists(
          database()
            .select({ id: ledgerPostings.id })
            .from(ledgerPostings)
            .where(eq(ledgerPostings.ownerId, userId)),
        ),
      ),
    );
  return rows.length > 0;
}

/** Deletes the wallet of a removed user. Returns false when it has postings. */
export async function deleteUnusedWallet(tx: Tx, userId: string): Promise<boolean> {
  if (!(await hasNoPostings(userId, tx))) return false;
  await tx.delete(wallets).where(eq(wallets.userId, userId));
  return true;
}

/** Freezes or unfreezes a wallet. A frozen wallet cannot unlock race cards. */
export async function setWalletFrozen(tx: Tx, userId: string, frozen: boolean): Promise<void> {
  await tx
    .update(wallets)
    .set({ frozenAt: frozen ? now() : null })
    .where(eq(wallets.userId, userId));
}

/** Records that a wallet received welcome coins, so that its sales are monitored for abuse. */
export async function markGuestDeal(tx: Tx, userId: string): Promise<void> {
  await tx.update(wallets).set({ guestDealAt: now() }).where(eq(wallets.userId, userId));
}
