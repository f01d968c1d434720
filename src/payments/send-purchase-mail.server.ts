import { and, eq, isNull } from "drizzle-orm";
import { readUsers, sendConfirmation } from "#identity/identity.server.ts";
import { now } from "#platform/clock.server.ts";
import { type Tx, transaction } from "#platform/database.server.ts";
import { enqueueMail } from "#platform/mail/mailer.server.ts";
import type { Job } from "#platform/queue.server.ts";
import { countMail } from "#platform/rate-limits.server.ts";
import { receiptMail } from "./receipt.email.tsx";
import { coinPurchases, orders } from "./tables.server.ts";

/**
 * What is mailed after a purchase, once: the receipt, and to a guest whose account is new the link that
 * confirms the address. It is asked for with the purchase and runs apart from it.
 */
export const sendPurchaseMail: Job<{ purchaseId: string }> = {
  name: "mail-about-purchase",
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
    // Both are sent whatever came before; whoever asks for another is told how many there may be.
    if (guest) for (const _ of ["receipt", "confirmation"]) await countMail(guest.email);
  },
};

/** Puts the receipt of a purchase into the mail, with the amounts of its order. */
export async function enqueueReceipt(
  tx: Tx,
  purchase: typeof coinPurchases.$inferSelect,
): Promise<(typeof orders.$inferSelect)["guestOutcome"]> {
  const [order] = await tx.select().from(orders).where(eq(orders.id, purchase.orderId));
  const user = (await readUsers([purchase.userId], tx)).get(purchase.userId);
  if (!order || !user || user.isClosed) return null;
  await enqueueMail(tx, {
    to: user.email,
    userId: purchase.userId,
    kind: "receipt",
    ...(await receiptMail({
      name: user.name,
      email: user.email,
      purchase,
      guestOutcome: order.guestOutcome,
    })),
  });
  return order.guestOutcome;
}
