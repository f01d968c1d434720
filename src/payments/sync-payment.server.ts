import { eq } from "drizzle-orm";
import { transaction } from "#platform/database.server.ts";
import { applyRefundOrDispute } from "./apply-refund-or-dispute.server.ts";
import { mergePaymentReport, nextReadNumber } from "./payment-report.server.ts";
import { GatewayError, readPayment } from "./stripe/gateway.server.ts";
import { coinPurchases } from "./tables.server.ts";
import { markEventHandled } from "./webhook-events.server.ts";

/**
 * Asks the provider where a payment stands, with all its refunds and disputes, and brings its purchase
 * there. An event is only the reason to ask, so events may come in any order and any number of times.
 * Before the purchase is known, the answer is kept for it. Throws a GatewayError when there is none.
 */
export async function syncPayment(
  paymentIntentId: string,
  { eventId }: { eventId?: string } = {},
): Promise<"applied" | "kept"> {
  // Taken before the provider is asked: of two answers, the one asked for later counts.
  const readNumber = await nextReadNumber();
  const facts = await readPayment(paymentIntentId);
  if (!facts)
    throw new GatewayError(`the provider does not know payment ${paymentIntentId}`, {
      isAboutRequest: true,
    });
  return await transaction(async (tx) => {
    const report = await mergePaymentReport(tx, facts, readNumber);
    const [purchase] = await tx
      .select()
      .from(coinPurchases)
      .where(eq(coinPurchases.paymentIntentId, facts.paymentIntentId))
      .for("update");
    if (purchase) await applyRefundOrDispute(tx, purchase, report);
    const outcome = purchase ? "applied" : "kept";
    if (eventId) await markEventHandled(tx, eventId, outcome);
    return outcome;
  });
}
