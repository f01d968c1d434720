import { desc, eq } from "drizzle-orm";
import { database } from "#platform/database.server.ts";
import { coinPurchases, orders } from "./tables.server.ts";

/** What a user set out to buy and how far it came; with the purchase where it was paid. */
export type ListedOrder = {
  id: string;
  packageTitle: string;
  coins: number;
  amountCents: number;
  status: (typeof orders.$inferSelect)["status"];
  /** Why it was not credited, where that is known. */
  note: string | null;
  purchaseId: string | null;
  refundedCents: number | null;
  disputeStatus: "open" | "won" | "lost" | null;
  orderedAt: Date;
};

/** The latest orders of a user, newest first, paid or not. */
export async function listOrders(
  userId: string,
  { limit = 20 }: { limit?: number } = {},
): Promise<ListedOrder[]> {
  return await database()
    .select({
      id: orders.id,
      packageTitle: orders.packageTitle,
      coins: orders.coins,
      amountCents: orders.amountCents,
      status: orders.status,
      note: orders.note,
      purchaseId: coinPurchases.id,
      refundedCents: coinPurchases.refundedCents,
      disputeStatus: coinPurchases.disputeStatus,
      orderedAt: orders.createdAt,
    })
    .from(orders)
    .leftJoin(coinPurchases, eq(coinPurchases.orderId, orders.id))
    .where(eq(orders.userId, userId))
    .orderBy(desc(orders.createdAt), desc(orders.id))
    .limit(limit);
}
