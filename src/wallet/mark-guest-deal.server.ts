import { eq } from "drizzle-orm";
import { now } from "#platform/clock.server.ts";
import type { Tx } from "#platform/database.server.ts";
import { wallets } from "./tables.server.ts";

/** Records that a wallet received welcome coins, so that its sales are monitored for abuse. */
export async function markGuestDeal(tx: Tx, userId: string): Promise<void> {
  await tx.update(wallets).set({ guestDealAt: now() }).where(eq(wallets.userId, userId));
}
