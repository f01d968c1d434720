import { and, inArray, isNotNull, lt, or, sql } from "drizzle-orm";
import { database } from "#platform/database.server.ts";
import { coinPurchases, guestDeals, orders } from "./tables.server.ts";

/** Takes the person out of orders begun before an instant of which nothing came. */
export async function deleteOldOrders(before: Date): Promise<void> {
  await database()
    .update(orders)
    .set({ userId: null, browserHash: null, checkoutUrl: null })
    .where(
      and(
        inArray(orders.status, ["failed", "expired"]),
        lt(orders.createdAt, before),
        or(isNotNull(orders.userId), isNotNull(orders.browserHash), isNotNull(orders.checkoutUrl)),
      ),
    );
}

/**
 * Forgets by which address and payment card purchases before an instant were known. That there was a
 * guest deal stays, for the books: only whose it was goes.
 */
export async function deleteOldBuyers(before: Date): Promise<void> {
  await database()
    .update(guestDeals)
    .set({
      email: sql`${guestDeals.orderId} || '.' || gen_random_uuid() || '@closed.invalid'`,
      cardFingerprint: sql`'forgotten:' || ${guestDeals.orderId}`,
      payerHash: null,
    })
    .where(
      and(
        lt(guestDeals.createdAt, before),
        sql`${guestDeals.cardFingerprint} not like 'forgotten:%'`,
      ),
    );
  await database()
    .update(coinPurchases)
    .set({ cardFingerprint: null })
    .where(and(lt(coinPurchases.createdAt, before), isNotNull(coinPurchases.cardFingerprint)));
}
