import { eq } from "drizzle-orm";
import { transaction } from "#platform/database.server.ts";
import { applyRefundOrDispute } from "./apply-refund-or-dispute.server.ts";
import { mergePaymentReport, nextReadNumber } from "./payment-report.server.ts";
import { GatewayError, readPayment } from "./stripe/gateway.server.ts";
import { coinPurchases } from "./tables.server.ts";
import { markEventHandled } from "./webhook-events.server.ts";

/**
 * Reads the current state of a payment from the provider, with all its refunds and disputes, and applies
 * it to the purchase. The content of events is never trusted, so they may arrive in any order and any
 * number of times. Stores the report ("kept") when the purchase does not exist yet. Throws a GatewayError
 * when the provider does not return the payment.
 */
export async function syncPayment(
  paymentIntentId: string,
  { eventId }: { eventId?: string } = {},
): Promise<"applied" | "kept"> {
  // Assigned before the request, so that of two concurrent reads the one that started later wins.
  const readNumber = await nextReadNumber();
  const details = await readPayment(paymentIntentId);
  if (!details)
    throw new GatewayError(`the provider does not know payment ${paymentIntentId}`, {
      isRequestError: true,
    });
  return await transaction(async (tx) => {
    const report = await mergePaymentReport(tx, details, readNumber);
    const [purchase] = await tx
      .select()
      .from(coinPurchases)
      .where(eq(coinPurchases.paymentIntentId, details.paymentIntentId))
      .for("update");
    if (purchase) await applyRefundOrDispute(tx, purchase, report);
    const outcome = purchase ? "applied" : "kept";
    if (eventId) await markEventHandled(tx, eventId, outcome);
    return outcome;
  });
}
