import { and, inArray, isNotNull, lt, or, sql } from "drizzle-orm";
import { database } from "#platform/database.server.ts";
import { coinPurchases, guestDeals, orders, paymentAttempts } from "./tables.server.ts";

const isUnpaidAndOld = (before: Date) =>
  and(inArray(orders.status, ["failed", "expired"]), lt(orders.createdAt, before));

/** Removes personal data from failed and expired orders created before an instant. */
export async function anonymiseOldOrders(before: Date): Promise<void> {
  await database()
    .update(orders)
    .set({ userId: null, guestTokenHash: null })
    .where(
      and(isUnpaidAndOld(before), or(isNotNull(orders.userId), isNotNull(orders.guestTokenHash))),
    );
  await database()
    .update(paymentAttempts)
    .set({ checkoutUrl: null })
    .where(
      and(
        isNotNull(paymentAttempts.checkoutUrl),
        inArray(
          paymentAttempts.orderId,
          database().select({ id: orders.id }).from(orders).where(isUnpaidAndOld(before)),
        ),
      ),
    );
}

/**
 * Removes the email address and payment card from purchases and guest deals created before an instant. The
 * guest deals themselves stay, because the integrity checks count them.
 */
export async function anonymiseOldBuyers(before: Date): Promise<void> {
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
