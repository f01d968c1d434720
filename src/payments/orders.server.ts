import { and, desc, eq, lt } from "drizzle-orm";
import { isId } from "#domain/id.ts";
import { database, type Tx } from "#platform/database.server.ts";
import type { DisputeStatus } from "./gateway.ts";
import type { PaymentState } from "./payment-state.ts";
import { coinPurchases, orders } from "./tables.server.ts";

export type Order = typeof orders.$inferSelect;

/** Returns the order with this id, or undefined, also for malformed ids. Locks it when given a transaction. */
export async function findOrder(orderId: string | null, tx?: Tx): Promise<Order | undefined> {
  if (orderId === null || !isId(orderId)) return undefined;
  const query = (tx ?? database()).select().from(orders).where(eq(orders.id, orderId));
  const [order] = tx ? await query.for("update") : await query;
  return order;
}

/** Returns the order that was created with this idempotency key, or undefined. */
export async function findOrderByKey(idempotencyKey: string, tx?: Tx): Promise<Order | undefined> {
  const [order] = await (tx ?? database())
    .select()
    .from(orders)
    .where(eq(orders.idempotencyKey, idempotencyKey));
  return order;
}

/** An order with its status, and its purchase when it was paid. */
export type ListedOrder = {
  id: string;
  coinPackTitle: string;
  coins: number;
  amountCents: number;
  status: PaymentState;
  /** Why it was not credited, when known. */
  note: string | null;
  purchaseId: string | null;
  refundedCents: number | null;
  disputeStatus: DisputeStatus | null;
  orderedAt: Date;
};

/** Returns the latest orders of a user, paid or not, newest first, optionally only those earlier than `before`. */
export async function listOrders(
  userId: string,
  { before, limit = 20 }: { before?: Date | null; limit?: number } = {},
): Promise<ListedOrder[]> {
  return await database()
    .select({
      id: orders.id,
      coinPackTitle: orders.coinPackTitle,
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
    .where(and(eq(orders.userId, userId), before ? lt(orders.createdAt, before) : undefined))
    .orderBy(desc(orders.createdAt), desc(orders.id))
    .limit(limit);
}
