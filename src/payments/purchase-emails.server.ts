import { and, eq, isNull } from "drizzle-orm";
import { readUsers, sendConfirmation } from "#accounts/accounts.server.ts";
import { isId } from "#domain/id.ts";
import { writeAudit } from "#platform/audit/audit.server.ts";
import { now } from "#platform/clock.server.ts";
import { database, type Tx, transaction } from "#platform/database.server.ts";
import { enqueueEmail } from "#platform/mail/mailer.server.ts";
import type { Job } from "#platform/queue.server.ts";
import { consumeEmailLimit, isWithinLimit } from "#platform/rate-limits.server.ts";
import { readRaceCardName } from "#tips/tips.server.ts";
import { readRepaidCoins } from "#wallet/wallet.server.ts";
import { renderDelayedPaymentEmail } from "./delayed-payment.email.tsx";
import type { Order } from "./orders.server.ts";
import type { Purchase } from "./purchases.server.ts";
import { renderReceiptEmail } from "./receipt.email.tsx";
import { coinPurchases, orders, pendingRegistrations } from "./tables.server.ts";

/**
 * Emails the receipt of a purchase, once, and the confirmation link to a guest with a new account. Enqueued
 * in the transaction of the purchase.
 */
export const sendPurchaseEmails: Job<{ purchaseId: string }> = {
  name: "send-purchase-email",
  async run({ purchaseId }) {
    const guest = await transaction(async (tx) => {
      const [purchase] = await tx
        .update(coinPurchases)
        .set({ receiptMailedAt: now() })
        .where(and(eq(coinPurchases.id, purchaseId), isNull(coinPurchases.receiptMailedAt)))
        .returning();
      if (!purchase) return null;
      const guestOutcome = await enqueueReceipt(tx, purchase);
      if (guestOutcome === null || guestOutcome === "existing-account") return null;
      await sendConfirmation(tx, purchase.userId);
      return (await readUsers([purchase.userId], tx)).get(purchase.userId) ?? null;
    });
    // Both are always sent; they count towards the limit on resending.
    if (guest) for (const _ of ["receipt", "confirmation"]) await consumeEmailLimit(guest.email);
  },
};

/** Enqueues the receipt of a purchase. Returns the guest outcome of its order. */
export async function enqueueReceipt(tx: Tx, purchase: Purchase): Promise<Order["guestOutcome"]> {
  const [order] = await tx.select().from(orders).where(eq(orders.id, purchase.orderId));
  const user = (await readUsers([purchase.userId], tx)).get(purchase.userId);
  if (!order || !user || user.isClosed) return null;
  await enqueueEmail(tx, {
    to: user.email,
    userId: purchase.userId,
    kind: "receipt",
    ...(await renderReceiptEmail({
      name: user.name,
      email: user.email,
      purchase,
      raceCard: order.raceCardId ? await readRaceCardName(tx, order.raceCardId) : null,
      guestOutcome: order.guestOutcome,
      repaidCoins: await readRepaidCoins(purchase.transactionId, tx),
    })),
  });
  return order.guestOutcome;
}

export type ResendReceiptResult =
  | { ok: true }
  | { ok: false; refusal: "no-such-purchase" | "just-sent" };

/** At most one receipt a minute, so that a double click sends one. */
const RESEND_LIMIT = { max: 1, seconds: 60 };

/** Resends the receipt of a purchase to its buyer, for an admin. */
export async function resendReceipt(
  actorId: string,
  purchaseId: string,
): Promise<ResendReceiptResult> {
  const [purchase] = isId(purchaseId)
    ? await database().select().from(coinPurchases).where(eq(coinPurchases.id, purchaseId))
    : [];
  if (!purchase) return { ok: false, refusal: "no-such-purchase" };
  if (!(await isWithinLimit(`receipt-again:${purchaseId}`, RESEND_LIMIT)))
    return { ok: false, refusal: "just-sent" };
  await transaction(async (tx) => {
    await enqueueReceipt(tx, purchase);
    await writeAudit(tx, { actorId, action: "send-receipt", subject: purchaseId });
  });
  return { ok: true };
}

/**
 * Emails the buyer that a delayed payment is pending or has failed. Must be called in the transaction that
 * changes the order's status, which happens once for each status.
 */
export async function enqueueDelayedPaymentEmail(
  tx: Tx,
  order: Order,
  { hasFailed }: { hasFailed: boolean },
): Promise<void> {
  const buyer = await readBuyer(tx, order);
  if (!buyer) return;
  await enqueueEmail(tx, {
    to: buyer.email,
    userId: order.userId,
    kind: "delayed-payment",
    ...(await renderDelayedPaymentEmail({ name: buyer.name, order, hasFailed })),
  });
}

async function readBuyer(tx: Tx, order: Order): Promise<{ name: string; email: string } | null> {
  if (order.userId) {
    const user = (await readUsers([order.userId], tx)).get(order.userId);
    return user && !user.isClosed ? user : null;
  }
  const [guest] = await tx
    .select({ name: pendingRegistrations.name, email: pendingRegistrations.email })
    .from(pendingRegistrations)
    .where(eq(pendingRegistrations.orderId, order.id));
  return guest ?? null;
}
