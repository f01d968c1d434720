import { eq } from "drizzle-orm";
import { now } from "#platform/clock.server.ts";
import type { Tx } from "#platform/database.server.ts";
import { wallets } from "./tables.server.ts";

/** Stops (or lets go) the opening of cards from a wallet while a dispute about its owner is open. */
export async function setWalletFrozen(tx: Tx, userId: string, frozen: boolean): Promise<void> {
  await tx
    .update(wallets)
    .set({ frozenAt: frozen ? now() : null })
    .where(eq(wallets.userId, userId));
}
