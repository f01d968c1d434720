import { and, eq, notExists } from "drizzle-orm";
import { database, type Tx } from "#platform/database.server.ts";
import { ledgerPostings, wallets } from "./tables.server.ts";

function neverMoved(userId: string) {
  return and(
    eq(wallets.userId, userId),
    notExists(
      database()
        .select({ id: ledgerPostings.id })
        .from(ledgerPostings)
        .where(eq(ledgerPostings.ownerId, userId)),
    ),
  );
}

/** Whether no coin ever moved in a user's wallet. With a transaction the wallet is locked for it. */
export async function isWalletUntouched(userId: string, tx?: Tx): Promise<boolean> {
  const query = (tx ?? database())
    .select({ userId: wallets.userId })
    .from(wallets)
    .where(neverMoved(userId));
  const rows = tx ? await query.for("update") : await query;
  return rows.length > 0;
}

/** Takes away the wallet of a user who is being removed; false when coins have moved in it. */
export async function discardUntouchedWallet(tx: Tx, userId: string): Promise<boolean> {
  const rows = await tx
    .delete(wallets)
    .where(neverMoved(userId))
    .returning({ userId: wallets.userId });
  return rows.length > 0;
}
