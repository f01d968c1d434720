import { eq } from "drizzle-orm";
import { now } from "#platform/clock.server.ts";
import type { Tx } from "#platform/database.server.ts";
import { wallets } from "./tables.server.ts";

/** Freezes or unfreezes a wallet. A frozen wallet cannot unlock race cards. */
export async function setWalletFrozen(tx: Tx, userId: string, frozen: boolean): Promise<void> {
  await tx
    .update(wallets)
    .set({ frozenAt: frozen ? now() : null })
    .where(eq(wallets.userId, userId));
}
