import { and, desc, eq, inArray, isNull, or } from "drizzle-orm";
import { now } from "#platform/clock.server.ts";
import { database, type Tx, transaction } from "#platform/database.server.ts";
import type { CreatedCheckout, PaymentGateway, ProviderName } from "./gateway.ts";
import type { Order } from "./orders.server.ts";
import { orders, paymentAttempts } from "./tables.server.ts";

/** The answer to an attempt that has had none for this long is lost. */
export const LOST_AFTER_MS = 2 * 60_000;

export type PaymentAttempt = typeof paymentAttempts.$inferSelect;

/** Returns the latest attempt of an order that has a payment page, or undefined. */
export async function findOpenAttempt(orderId: string): Promise<PaymentAttempt | undefined> {
  const [attempt] = await database()
    .select()
    .from(paymentAttempts)
    .where(and(eq(paymentAttempts.orderId, orderId), eq(paymentAttempts.state, "open")))
    .orderBy(desc(paymentAttempts.number))
    .limit(1);
  return attempt;
}

/** Records an attempt before the provider is called. A repeated attempt starts again. */
export async function startAttempt(
  order: Order,
  { number, expiresAt }: { number: number; expiresAt: Date },
): Promise<void> {
  await database()
    .insert(paymentAttempts)
    .values({
      orderId: order.id,
      number,
      provider: order.provider,
      expiresAt,
      createdAt: now(),
    })
    .onConflictDoUpdate({
      target: [paymentAttempts.orderId, paymentAttempts.number],
      set: { state: "started" },
      setWhere: eq(paymentAttempts.state, "none"),
    });
}

type AttemptKey = { orderId: string; number: number };

const isAttempt = ({ orderId, number }: AttemptKey) =>
  and(eq(paymentAttempts.orderId, orderId), eq(paymentAttempts.number, number));

/**
 * Records the provider's answer to an attempt. Its checkout becomes that of the order, also in place of one whose address
 * nobody has.
 */
export async function recordCheckout(
  attempt: AttemptKey,
  { sessionId, url }: CreatedCheckout,
): Promise<void> {
  await transaction(async (tx) => {
    await tx
      .update(paymentAttempts)
      .set({ state: "open", sessionId, checkoutUrl: url })
      .where(
        and(
          isAttempt(attempt),
          url === null ? isNull(paymentAttempts.sessionId) : isNull(paymentAttempts.checkoutUrl),
        ),
      );
    const withoutAddress = tx
      .select({ sessionId: paymentAttempts.sessionId })
      .from(paymentAttempts)
      .where(
        and(eq(paymentAttempts.orderId, attempt.orderId), isNull(paymentAttempts.checkoutUrl)),
      );
    await tx
      .update(orders)
      .set({ sessionId, updatedAt: now() })
      .where(
        and(
          eq(orders.id, attempt.orderId),
          eq(orders.status, "unpaid"),
          url === null
            ? isNull(orders.sessionId)
            : or(isNull(orders.sessionId), inArray(orders.sessionId, withoutAddress)),
        ),
      );
  });
}

/** Records that the provider has no checkout for an attempt. */
export async function recordNoCheckout(attempt: AttemptKey): Promise<void> {
  await database()
    .update(paymentAttempts)
    .set({ state: "none" })
    .where(and(isAttempt(attempt), eq(paymentAttempts.state, "started")));
}

/** Returns whether a checkout belongs to an attempt of the order. */
export async function isCheckoutOfOrder(
  tx: Tx,
  orderId: string,
  checkout: { provider: ProviderName; sessionId: string },
): Promise<boolean> {
  const rows = await tx
    .select({ number: paymentAttempts.number })
    .from(paymentAttempts)
    .where(
      and(
        eq(paymentAttempts.orderId, orderId),
        eq(paymentAttempts.provider, checkout.provider),
        eq(paymentAttempts.sessionId, checkout.sessionId),
      ),
    );
  return rows.length > 0;
}

/**
 * Asks the provider for the checkout of an attempt whose answer was lost by a crash or a cut connection, and records the
 * answer. Returns the id of its session, or null.
 */
export async function findLostCheckout(
  gateway: PaymentGateway,
  { orderId, number, createdAt }: PaymentAttempt,
): Promise<string | null> {
  const checkout = await gateway.findCheckout({ orderId, attempt: number, startedAt: createdAt });
  if (checkout) await recordCheckout({ orderId, number }, checkout);
  else await recordNoCheckout({ orderId, number });
  return checkout?.sessionId ?? null;
}
