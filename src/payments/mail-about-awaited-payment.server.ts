import { eq } from "drizzle-orm";
import { readUsers } from "#identity/identity.server.ts";
import type { Tx } from "#platform/database.server.ts";
import { enqueueMail } from "#platform/mail/mailer.server.ts";
import { awaitedPaymentMail } from "./awaited-payment.email.tsx";
import type { Order } from "./find-order.server.ts";
import { pendingRegistrations } from "./tables.server.ts";

/**
 * Emails the buyer that a payment is awaited, or that an awaited one has failed. Must be called in the
 * transaction that changes the order's status, which happens once for each.
 */
export async function mailAboutAwaitedPayment(
  tx: Tx,
  order: Order,
  { hasFailed }: { hasFailed: boolean },
): Promise<void> {
  const buyer = await readBuyer(tx, order);
  if (!buyer) return;
  await enqueueMail(tx, {
    to: buyer.email,
    userId: order.userId,
    kind: "awaited-payment",
    ...(await awaitedPaymentMail({ name: buyer.name, order, hasFailed })),
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
