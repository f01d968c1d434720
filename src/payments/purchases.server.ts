import { and, desc, eq, sql } from "drizzle-orm";
import { addDays, type CalendarDate, instantAt } from "#domain/calendar.ts";
import { isId } from "#domain/id.ts";
import { now } from "#platform/clock.server.ts";
import { database, pool } from "#platform/database.server.ts";
import {
  addCursor,
  ascending,
  descending,
  isAfterCursor,
  toPage,
} from "#platform/keyset-paging.server.ts";
import { createQueryParts, likePrefix } from "#platform/query-parts.server.ts";
import { findEarliestCancellable } from "./refunds/cancellation-days.ts";
import { coinPurchases } from "./tables.server.ts";

export type Purchase = typeof coinPurchases.$inferSelect;

/**
 * Returns a page of the purchases of a user, newest first, after the purchase whose id is the cursor. One is cancellable
 * if it is recent enough for its buyer to cancel, not returned in full, and not disputed at the moment.
 */
export async function readPurchases(
  userId: string,
  { cursor, limit = 10 }: { cursor?: string | null; limit?: number } = {},
) {
  return await database()
    .select({
      isCancellable: sql<boolean>`${coinPurchases.createdAt} >= ${findEarliestCancellable(now())}
        and ${coinPurchases.refundedCents} + ${coinPurchases.lostCents} < ${coinPurchases.amountCents}
        and ${coinPurchases.disputeStatus} is distinct from 'open'`,
      id: coinPurchases.id,
      coinPackTitle: coinPurchases.coinPackTitle,
      coins: coinPurchases.coins,
      amountCents: coinPurchases.amountCents,
      refundedCents: coinPurchases.refundedCents,
      disputeStatus: coinPurchases.disputeStatus,
      sessionId: coinPurchases.sessionId,
      boughtAt: coinPurchases.createdAt,
    })
    .from(coinPurchases)
    .where(
      and(
        eq(coinPurchases.userId, userId),
        isAfterCursor(coinPurchases.createdAt, coinPurchases.id, cursor),
      ),
    )
    .orderBy(desc(coinPurchases.createdAt), desc(coinPurchases.id))
    .limit(limit);
}

/** A purchase as shown to admins. */
export type ListedPurchase = Pick<
  Purchase,
  | "id"
  | "orderId"
  | "userId"
  | "coinPackTitle"
  | "coins"
  | "amountCents"
  | "refundedCents"
  | "recoveredCoins"
  | "disputeStatus"
  | "provider"
  | "sessionId"
  | "paymentId"
  | "openedRaceCardId"
  | "welcomeCoins"
> & {
  /** What has neither been refunded, nor lost in a dispute, nor received by the holder of a claim code. */
  remainingCents: number;
  boughtAt: Date;
};

/** What is left to refund of a purchase `p`, in cents, as an SQL expression. */
export const REMAINING_CENTS = `greatest(0, p.amount_cents - p.refunded_cents - p.lost_cents - (
  select coalesce(sum(r.amount_cents), 0) from unspent_coin_refunds r
  where r.purchase_id = p.id and r.status in ('claimed', 'paid')))`;

const COLUMNS = `p.id, p.order_id as "orderId", p.user_id as "userId",
  p.coin_pack_title as "coinPackTitle", p.coins, p.amount_cents as "amountCents",
  p.refunded_cents as "refundedCents",
  ${REMAINING_CENTS} as "remainingCents",
  p.recovered_coins as "recoveredCoins",
  p.dispute_status as "disputeStatus", p.provider, p.session_id as "sessionId",
  p.payment_id as "paymentId", p.opened_race_card_id as "openedRaceCardId",
  p.welcome_coins as "welcomeCoins", p.created_at as "boughtAt"`;

export const PURCHASE_ORDERS = {
  newest: descending("p.created_at", "p.id"),
  oldest: ascending("p.created_at", "p.id"),
  largest: descending("p.amount_cents", "p.id"),
};

/** What was returned of a purchase, by which the list is filtered. */
export const RETURN_CONDITIONS = {
  refunded: "p.refunded_cents > 0",
  disputed: "p.dispute_status is not null",
};

/** Filters by what was returned, coin pack, buyers, the prefix of the session id, and the first and last date. */
export type PurchaseFilters = {
  returned?: keyof typeof RETURN_CONDITIONS | null;
  coinPackTitle?: string | null;
  buyerIds?: string[] | null;
  sessionPrefix?: string | null;
  from?: CalendarDate | null;
  to?: CalendarDate | null;
};

/** Adds the conditions of these filters on purchases `p` to a query. */
export function addPurchaseFilters(
  { bind, addCondition }: ReturnType<typeof createQueryParts>,
  { returned, coinPackTitle, buyerIds, sessionPrefix, from, to }: PurchaseFilters,
): void {
  // The first condition matches the partial index on refunded and disputed purchases.
  if (returned)
    addCondition(
      `(p.refunded_cents > 0 or p.dispute_status is not null) and ${RETURN_CONDITIONS[returned]}`,
    );
  if (coinPackTitle) addCondition(`p.coin_pack_title = ${bind(coinPackTitle)}`);
  if (buyerIds) addCondition(`p.user_id = any(${bind(buyerIds)}::uuid[])`);
  if (sessionPrefix) addCondition(`p.session_id like ${bind(likePrefix(sessionPrefix))}`);
  if (from) addCondition(`p.created_at >= ${bind(instantAt(from))}`);
  if (to) addCondition(`p.created_at < ${bind(instantAt(addDays(to, 1)))}`);
}

/** Returns a page of the filtered purchases for an admin, after the cursor. */
export async function listPurchases({
  order = "newest",
  cursor,
  limit = 50,
  ...filters
}: PurchaseFilters & {
  order?: keyof typeof PURCHASE_ORDERS;
  cursor?: string | null;
  limit?: number;
} = {}): Promise<{ purchases: ListedPurchase[]; next: string | null }> {
  const query = createQueryParts();
  const { bind, where, values } = query;
  const sortOrder = PURCHASE_ORDERS[order];
  addPurchaseFilters(query, filters);
  addCursor(query, sortOrder, cursor, { from: "coin_purchases p", idColumn: "p.id" });
  const { rows } = await pool().query<ListedPurchase>(
    `select ${COLUMNS} from coin_purchases p ${where()} order by ${sortOrder.orderBy} limit ${bind(limit + 1)}`,
    values,
  );
  const { page, next } = toPage(rows, limit, ({ id }) => id);
  return { purchases: page, next };
}

/** Returns the purchase with this id, or null. */
export async function findPurchase(id: string): Promise<ListedPurchase | null> {
  return (await readPurchasesById([id])).get(id) ?? null;
}

/** Returns the purchases with these ids. Omits unknown ones. */
export async function readPurchasesById(
  ids: readonly string[],
): Promise<Map<string, ListedPurchase>> {
  const valid = ids.filter(isId);
  if (valid.length === 0) return new Map();
  const { rows } = await pool().query<ListedPurchase>(
    `select ${COLUMNS} from coin_purchases p where p.id = any($1::uuid[])`,
    [valid],
  );
  return new Map(rows.map((purchase) => [purchase.id, purchase]));
}
