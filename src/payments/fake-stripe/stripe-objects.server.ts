import { env } from "#platform/env.server.ts";
import type { fakeStripeSessions } from "./tables.server.ts";

type Session = typeof fakeStripeSessions.$inferSelect;
type StripeObject = Record<string, unknown>;

// Objects in the format of the provider's API, with the fields that the application reads.

/** A checkout session; when expanded, with its payment and charge. */
export function buildSession(session: Session, { expanded = false } = {}): StripeObject {
  return {
    id: session.id,
    object: "checkout.session",
    amount_subtotal: session.amountCents,
    amount_total: session.amountCents,
    cancel_url: session.cancelUrl,
    client_reference_id: session.clientReferenceId,
    created: toUnixSeconds(session.createdAt),
    currency: session.currency,
    customer_details: { email: session.customerEmail },
    customer_email: session.customerEmail,
    expires_at: toUnixSeconds(session.expiresAt),
    livemode: false,
    metadata: {
      order: session.clientReferenceId,
      attempt: session.request["metadata[attempt]"],
    },
    mode: "payment",
    payment_intent: expanded
      ? buildPaymentIntent(session, { expanded: true })
      : session.paymentIntentId,
    payment_status: session.paymentStatus === "paid" ? "paid" : "unpaid",
    status: session.status,
    success_url: session.successUrl,
    ui_mode: "hosted_page",
    url: session.status === "open" ? `${env().appUrl}/demo/checkout/${session.id}` : null,
  };
}

/** The payment of a session; null before the first attempt to pay. */
export function buildPaymentIntent(
  session: Session,
  { expanded = false } = {},
): StripeObject | null {
  if (!session.paymentIntentId) return null;
  const isPaid = session.paymentStatus === "paid";
  return {
    id: session.paymentIntentId,
    object: "payment_intent",
    amount: session.amountCents,
    amount_received: isPaid ? session.amountCents : 0,
    created: toUnixSeconds(session.createdAt),
    currency: session.currency,
    latest_charge: isPaid ? (expanded ? buildCharge(session) : toChargeId(session)) : null,
    livemode: false,
    metadata: { order: session.clientReferenceId },
    status: isPaid
      ? "succeeded"
      : session.paymentStatus === "failed"
        ? "requires_payment_method"
        : "processing",
  };
}

/** The charge of a successful payment. */
export function buildCharge(session: Session): StripeObject {
  return {
    id: toChargeId(session),
    object: "charge",
    amount: session.amountCents,
    amount_captured: session.amountCents,
    billing_details: { email: session.customerEmail, name: session.cardHolder },
    // As with the provider, includes refunds that failed later.
    amount_refunded: session.refundedCents + session.failedRefundCents,
    captured: true,
    created: toUnixSeconds(session.createdAt),
    currency: session.currency,
    disputed: session.disputeStatus !== null,
    livemode: false,
    paid: true,
    payment_intent: session.paymentIntentId,
    payment_method_details: session.cardLast4
      ? {
          type: "card",
          card: {
            brand: "visa",
            last4: session.cardLast4,
            fingerprint: session.cardFingerprint,
            wallet: session.cardWallet ? { type: session.cardWallet } : null,
          },
        }
      : { type: "customer_balance" },
    refunded: session.refundedCents === session.amountCents,
    status: "succeeded",
  };
}

/** Counted from the payment, because the time of the dispute is not stored. */
const EVIDENCE_SECONDS = 14 * 24 * 60 * 60;

/** The dispute of a payment; at most one. */
export function buildDispute(session: Session): StripeObject | null {
  if (!session.disputeStatus) return null;
  return {
    id: session.paymentIntentId?.replace("pi_", "dp_"),
    object: "dispute",
    amount: session.disputedCents ?? session.amountCents,
    charge: toChargeId(session),
    currency: session.currency,
    evidence_details: {
      due_by: toUnixSeconds(session.createdAt) + EVIDENCE_SECONDS,
      has_evidence: false,
    },
    livemode: false,
    payment_intent: session.paymentIntentId,
    reason: "fraudulent",
    status: session.disputeStatus,
  };
}

/** The refunds of a payment, at most two: the successful total and the failed total. */
export function buildRefunds(session: Session): StripeObject[] {
  const buildRefund = (status: "succeeded" | "failed", amount: number) => ({
    id: session.paymentIntentId?.replace("pi_", `re_${status}_`),
    object: "refund",
    amount,
    charge: toChargeId(session),
    currency: session.currency,
    payment_intent: session.paymentIntentId,
    status,
  });
  return [
    buildRefund("succeeded", session.refundedCents),
    buildRefund("failed", session.failedRefundCents),
  ].filter(({ amount }) => amount > 0);
}

function toChargeId(session: Session): string | undefined {
  return session.paymentIntentId?.replace("pi_", "ch_");
}

function toUnixSeconds(instant: Date): number {
  return Math.floor(instant.getTime() / 1000);
}
