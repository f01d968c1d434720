import type { Tx } from "#platform/database.server.ts";
import { wallets } from "./tables.server.ts";

/** Creates an empty wallet within the transaction that creates the user. Idempotent. */
export async function openWallet(tx: Tx, userId: string): Promise<void> {
  await tx.insert(wallets).values({ userId }).onConflictDoNothing();
}
