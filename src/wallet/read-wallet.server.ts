import { eq } from "drizzle-orm";
import { database, type Tx } from "#platform/database.server.ts";
import { wallets } from "./tables.server.ts";

/** The balance and debt of a user in coins. Frozen while a payment dispute is open. */
export type Wallet = { balanceCoins: number; owedCoins: number; isFrozen: boolean };

/** Returns the wallet of a user; empty if there is none. Locks it when a transaction is given. */
export async function readWallet(userId: string, tx?: Tx): Promise<Wallet> {
  const query = (tx ?? database())
    .select({
      balanceCoins: wallets.balanceCoins,
      owedCoins: wallets.owedCoins,
      frozenAt: wallets.frozenAt,
    })
    .from(wallets)
    .where(eq(wallets.userId, userId));
  const [row] = tx ? await query.for("update") : await query;
  return {
    balanceCoins: row?.balanceCoins ?? 0,
    owedCoins: row?.owedCoins ?? 0,
    isFrozen: row?.frozenAt != null,
  };
}
