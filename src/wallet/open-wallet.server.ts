import type { Tx } from "#platform/database.server.ts";
import { wallets } from "./tables.server.ts";

/** Gives a new user their empty wallet, within the transaction that makes the user; twice is once. */
export async function openWallet(tx: Tx, userId: string): Promise<void> {
  await tx.insert(wallets).values({ userId }).onConflictDoNothing();
}
