import { isId } from "#domain/id.ts";
import { pool, queryPrepared } from "#platform/database.server.ts";
import { likePrefix } from "#platform/query-parts.server.ts";
import { isSessionIdPrefix } from "./gateways.server.ts";

/** An order, with its purchase when it was paid. */
export type FoundPayment = {
  orderId: string;
  purchaseId: string | null;
  /** Null for a guest's order that was not paid. */
  userId: string | null;
  coinPackTitle: string;
  amountCents: number;
  orderedAt: Date;
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
