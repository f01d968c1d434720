import { eq } from "drizzle-orm";
import { now } from "#platform/clock.server.ts";
import type { Tx } from "#platform/database.server.ts";
import { wallets } from "./tables.server.ts";

/** Remembers that this wallet was given welcome coins, so that its sales are watched for repetition. */
export async function markGuestDeal(tx: Tx, userId: string): Promise<void> {
  await tx.update(wallets).set({ guestDealAt: now() }).where(eq(wallets.userId, userId));
}
