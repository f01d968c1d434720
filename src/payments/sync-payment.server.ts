import { eq } from "drizzle-orm";
import { transaction } from "#platform/database.server.ts";
import { applyRefundOrDispute } from "./apply-refund-or-dispute.server.ts";
import { mergePaymentReport, nextFetchSequence } from "./payment-report.server.ts";
import { GatewayError, readPayment } from "./stripe/gateway.server.ts";
import { coinPurchases } from "./tables.server.ts";
import { markEventHandled } from "./webhook-events.server.ts";

/**
 * Reads the current state of a payment from the provider, with all its refunds and disputes, and applies
 * it to the purchase. The content of events is never trusted, so they may arrive in any order and any
 * number of times. Stores the report ("stored") when the purchase does not exist yet. Throws a GatewayError
 * when the provider does not return the payment.
 */
export async function syncPayment(
  paymentIntentId: string,
  { eventId }: { eventId?: string } = {},
): Promise<"applied" | "stored"> {
  // Assigned before the request, so that of two concurrent reads the one that started later wins.
  const fetchSequence = await nextFetchSequence();
  const details = await readPayment(paymentIntentId);
  if (!details)
    throw new GatewayError(`the provider does not know payment ${paymentIntentId}`, {
      isRequestError: true,
    });
  return await transaction(async (tx) => {
    const { report, previousRefundedCents } = await mergePaymentReport(tx, details, fetchSequence);
    const [purchase] = await tx
      .select()
      .from(coinPurchases)
      .where(eq(coinPurchases.paymentIntentId, details.paymentIntentId))
      .for("update");
    if (purchase) await applyRefundOrDispute(tx, purchase, report, previousRefundedCents);
    const outcome = purchase ? "applied" : "stored";
    if (eventId) await markEventHandled(tx, eventId, outcome);
    return outcome;
  });
}
