import { and, desc, eq } from "drizzle-orm";
import { database } from "#platform/database.server.ts";
import { coinPurchases, orders } from "./tables.server.ts";

/** One purchase as its buyer sees it, with what has been refunded or disputed of it since. */
export type Purchase = {
  id: string;
  packageName: string;
  coins: number;
  amountCents: number;
  refundedCents: number;
  disputeStatus: "open" | "won" | "lost" | null;
  stripeSessionId: string;
  boughtAt: Date;
};

/** What a user has bought, newest first. */
export async function readPurchases(
  userId: string,
  { limit = 10 }: { limit?: number } = {},
): Promise<Purchase[]> {
  return await database()
    .select({
      id: coinPurchases.id,
      packageName: coinPurchases.packageName,
      coins: coinPurchases.coins,
      amountCents: coinPurchases.amountCents,
      refundedCents: coinPurchases.refundedCents,
      disputeStatus: coinPurchases.disputeStatus,
      stripeSessionId: coinPurchases.stripeSessionId,
      boughtAt: coinPurchases.createdAt,
    })
    .from(coinPurchases)
    .where(eq(coinPurchases.userId, userId))
    .orderBy(desc(coinPurchases.createdAt), desc(coinPurchases.id))
    .limit(limit);
}

/** An order whose payment was promised and has not arrived. */
export type AwaitedOrder = {
  id: string;
  packageName: string;
  coins: number;
  amountCents: number;
  sessionId: string | null;
  orderedAt: Date;
};

/** The orders of a user whose payments are awaited, newest first. */
export async function readAwaitedOrders(
  userId: string,
  { limit = 10 }: { limit?: number } = {},
): Promise<AwaitedOrder[]> {
  return await database()
    .select({
      id: orders.id,
      packageName: orders.packageTitle,
      coins: orders.coins,
      amountCents: orders.amountCents,
      sessionId: orders.sessionId,
      orderedAt: orders.createdAt,
    })
    .from(orders)
    .where(and(eq(orders.userId, userId), eq(orders.status, "awaiting_payment")))
    .orderBy(desc(orders.createdAt))
    .limit(limit);
}
