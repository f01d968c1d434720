import { GatewayError, type RefundResult } from "../gateway.ts";
import { canRefund, getGateway } from "../gateways.server.ts";
import type { coinPurchases } from "../tables.server.ts";

/** A refund as it was stored before it was requested from the provider. */
type StoredRefund = {
  id: string;
  amountCents: number;
  /** What had gone back of the payment before. */
  returnedCentsBefore: number;
  reason: string;
};

/**
 * Requests a refund of a purchase from its provider, once: a repeated call has the same key. Returns the status of the
 * refund, "failed" also when the provider rejects it. Throws when the outcome is not known.
 */
export async function sendRefund(
  { provider, paymentId }: Pick<typeof coinPurchases.$inferSelect, "provider" | "paymentId">,
  { id, amountCents, returnedCentsBefore, reason }: StoredRefund,
): Promise<RefundResult["status"]> {
  const gateway = getGateway(provider);
  if (!canRefund(provider) || paymentId === null) return "failed";
  try {
    // A provider forgets the key of a request after some time, in which its answer can have been lost.
    const payment = await gateway.readPayment(paymentId);
    const returnedCents = payment ? payment.refundedCents + payment.lostCents : 0;
    if (returnedCents >= returnedCentsBefore + amountCents) return "done";
    const { status } = await gateway.refund({ paymentId, amountCents, reason, idempotencyKey: id });
    return status;
  } catch (error) {
    if (error instanceof GatewayError && error.problem === "refused") return "failed";
    throw error;
  }
}
