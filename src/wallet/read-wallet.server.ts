import { eq } from "drizzle-orm";
import { database, type Tx } from "#platform/database.server.ts";
import { wallets } from "./tables.server.ts";

/** What a user holds and owes, in coins; frozen while a dispute about their payment is open. */
export type Wallet = { balanceCoins: number; owedCoins: number; isFrozen: boolean };

/** The wallet of a user; empty for someone who has none. With a transaction it is locked for it. */
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
