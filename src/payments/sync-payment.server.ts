import { and, eq } from "drizzle-orm";
import { raiseAlert } from "#platform/alerts.server.ts";
import { type Tx, transaction } from "#platform/database.server.ts";
import { resolveAlertAbout } from "#platform/list-alerts.server.ts";
import type { Job } from "#platform/queue.server.ts";
import { applyRefundOrDispute } from "./apply-refund-or-dispute.server.ts";
import { GatewayError, type PaymentDetails } from "./gateway.ts";
import { getGateway } from "./gateways.server.ts";
import { mergePaymentReport, nextFetchSequence, type PaymentKey } from "./payment-report.server.ts";
import type { Purchase } from "./purchases.server.ts";
import { coinPurchases } from "./tables.server.ts";
import { type EventKey, markEventHandled } from "./webhook-events.server.ts";

/**
 * Reads the current state of a payment from the provider, with all its refunds and disputes, and applies
 * it to the purchase. The content of events is never trusted, so they may arrive in any order and any
 * number of times. Stores the report ("stored") when the purchase does not exist yet. Throws a GatewayError
 * when the provider does not return the payment.
 */
export async function syncPayment(
  payment: PaymentKey,
  { event }: { event?: EventKey } = {},
): Promise<"applied" | "stored"> {
  // Assigned before the request, so that of two concurrent reads the one that started later wins.
  const fetchSequence = await nextFetchSequence();
  const details = await getGateway(payment.provider).readPayment(payment.paymentId);
  if (!details)
    throw new GatewayError(`the provider does not know payment ${payment.paymentId}`, {
      problem: "refused",
    });
  return await transaction(async (tx) => {
    const { report, previousRefundedCents } = await mergePaymentReport(tx, details, fetchSequence);
    const [purchase] = await tx
      .select()
      .from(coinPurchases)
      .where(
        and(
          eq(coinPurchases.paymentId, details.paymentId),
          eq(coinPurchases.provider, details.provider),
        ),
      )
      .for("update");
    if (purchase)
      await applyRefundOrDispute(tx, purchase, report, {
        previousRefundedCents,
        // The deadlines of an older read may have changed since.
        disputes: report.fetchSequence === fetchSequence ? details.disputes : [],
      });
    if (purchase) await alertAboutStuckRefund(tx, purchase, details);
    const outcome = purchase ? "applied" : "stored";
    if (event) await markEventHandled(tx, event, outcome);
    return outcome;
  });
}

/** Reads a payment again whose dispute was reported before its purchase existed: the stored report has no deadlines. */
export const syncPaymentJob: Job<PaymentKey> = {
  name: "sync-payment",
  async run(payment) {
    await syncPayment(payment);
  },
};

async function alertAboutStuckRefund(
  tx: Tx,
  purchase: Purchase,
  { paymentId, stuckRefundIds: [refundId] }: PaymentDetails,
): Promise<void> {
  const about = { kind: "refund-stuck", subject: purchase.id } as const;
  if (refundId === undefined) return await resolveAlertAbout(tx, about);
  const message = `Refund ${refundId} of payment ${paymentId} cannot reach the buyer's card. Complete it at the provider with the buyer's bank account.`;
  await raiseAlert({ ...about, message }, tx);
}
