import { and, desc, eq, lt } from "drizzle-orm";
import { isId } from "#domain/id.ts";
import { database, pool, queryPrepared, type Tx } from "#platform/database.server.ts";
import { likePrefix } from "#platform/query-parts.server.ts";
import type { DisputeStatus } from "./gateway.ts";
import { isSessionIdPrefix } from "./gateways.server.ts";
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

/** An order with its purchase, if it was paid. `note` says why it was not credited, when known. */
export type ListedOrder = Pick<
  Order,
  "id" | "coinPackTitle" | "coins" | "amountCents" | "status" | "sessionId" | "note"
> & {
  purchaseId: string | null;
  refundedCents: number | null;
  disputeStatus: DisputeStatus | null;
  orderedAt: Date;
};

/** Returns the latest orders of a user, newest first, optionally only those in a state or earlier than `before`. */
export async function listOrders(
  userId: string,
  {
    status,
    before,
    limit = 20,
  }: { status?: PaymentState; before?: Date | null; limit?: number } = {},
): Promise<ListedOrder[]> {
  return await database()
    .select({
      id: orders.id,
      coinPackTitle: orders.coinPackTitle,
      coins: orders.coins,
      amountCents: orders.amountCents,
      status: orders.status,
      sessionId: orders.sessionId,
      note: orders.note,
      purchaseId: coinPurchases.id,
      refundedCents: coinPurchases.refundedCents,
      disputeStatus: coinPurchases.disputeStatus,
      orderedAt: orders.createdAt,
    })
    .from(orders)
    .leftJoin(coinPurchases, eq(coinPurchases.orderId, orders.id))
    .where(
      and(
        eq(orders.userId, userId),
        status && eq(orders.status, status),
        before ? lt(orders.createdAt, before) : undefined,
      ),
    )
    .orderBy(desc(orders.createdAt), desc(orders.id))
    .limit(limit);
}

/** An order, with its purchase when it was paid. */
type FoundPayment = Pick<
  ListedOrder,
  "purchaseId" | "coinPackTitle" | "amountCents" | "orderedAt"
> & {
  orderId: string;
  /** Null for a guest's order that was not paid. */
  userId: string | null;
  /** True if the reference names this payment completely. */
  isExact: boolean;
};

/**
 * Returns the payments that a reference names: a receipt number, an order number, a payment id of the provider, or a
 * session id or the beginning of one.
 */
export async function findPayments(reference: string, limit: number): Promise<FoundPayment[]> {
  if (isId(reference))
    return await queryPrepared<FoundPayment>(
      "payments-by-number",
      `${SELECT}, true as "isExact" ${FROM} where o.id in (
         select id from orders where id = $1
         union select order_id from coin_purchases where id = $1
       )`,
      [reference],
    );
  // Not prepared, so that the plan fits the prefix.
  const { rows } = await pool().query<FoundPayment>(
    `with matching as materialized (
       select id, true as is_exact from orders where session_id = $1
       union all select order_id, true from payment_attempts where session_id = $1
       union all select order_id, true from coin_purchases where payment_id = $1
       union all (select order_id, session_id = $1 from coin_purchases where session_id like $2 limit $3)
     )
     ${SELECT}, m.is_exact as "isExact"
     from (select id, bool_or(is_exact) as is_exact from matching group by id limit $3) m
     cross join lateral (select * from orders where id = m.id offset 0) o
     left join coin_purchases p on p.order_id = o.id
     order by o.created_at desc, o.id`,
    [reference, isSessionIdPrefix(reference) ? likePrefix(reference) : "", limit],
  );
  return rows;
}

const SELECT = `select o.id as "orderId", p.id as "purchaseId", coalesce(p.user_id, o.user_id) as "userId",
  o.coin_pack_title as "coinPackTitle", o.amount_cents as "amountCents", o.created_at as "orderedAt"`;
const FROM = "from orders o left join coin_purchases p on p.order_id = o.id";
