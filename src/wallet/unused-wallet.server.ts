import { and, eq, notExists } from "drizzle-orm";
import { database, type Tx } from "#platform/database.server.ts";
import { ledgerPostings, wallets } from "./tables.server.ts";

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
