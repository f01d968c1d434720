import { and, eq, notExists } from "drizzle-orm";
import { database, type Tx } from "#platform/database.server.ts";
import { ledgerPostings, wallets } from "./tables.server.ts";

/** Whether no coin ever moved in a user's wallet. With a transaction the wallet is locked for it. */
export async function isWalletUntouched(userId: string, tx?: Tx): Promise<boolean> {
  // A statement of its own: one that waits for the lock still sees the postings as they were before.
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

/** Takes away the wallet of a user who is being removed; false when coins have moved in it. */
export async function discardUntouchedWallet(tx: Tx, userId: string): Promise<boolean> {
  if (!(await isWalletUntouched(userId, tx))) return false;
  await tx.delete(wallets).where(eq(wallets.userId, userId));
  return true;
}
