import { raiseAlert } from "#platform/alerts.server.ts";
import { transaction } from "#platform/database.server.ts";
import { fulfilPurchase } from "./fulfil-purchase.server.ts";
import { findOrder } from "./orders.server.ts";
import {
  type CheckoutSessionDetails,
  isLiveMode,
  type PaymentEvent,
  readSession,
} from "./stripe/gateway.server.ts";
import { syncPayment } from "./sync-payment.server.ts";
import { markEventHandled, recordWebhookEvent } from "./webhook-events.server.ts";

/**
 * Records a signed event and applies it. Idempotent: a repeated or concurrent delivery changes nothing.
 * Throws when the event cannot be handled now; it then stays stored for the next delivery or the
 * reconciler.
 */
export async function handleWebhookEvent(event: PaymentEvent): Promise<void> {
  if (!(await recordWebhookEvent(event))) return;
  const eventId = event.id;
  if (event.isLive !== isLiveMode()) await refuseOtherMode(event);
  else if (event.session) await handleSession(event, event.session);
  else if (event.paymentIntentId) await syncPayment(event.paymentIntentId, { eventId });
  else await transaction((tx) => markEventHandled(tx, eventId, "ignored"));
}

async function refuseOtherMode(event: PaymentEvent): Promise<void> {
  const mode = event.isLive ? "live money" : "test money";
  await transaction(async (tx) => {
    await raiseAlert(
      {
        kind: "payment-mismatch",
        subject: event.id,
        message: `Event ${event.id} (${event.type}) is for ${mode}, but our key is not. It was ignored.`,
      },
      tx,
    );
    await markEventHandled(tx, event.id, "mismatch");
  });
}

async function handleSession(event: PaymentEvent, reported: CheckoutSessionDetails): Promise<void> {
  const eventId = event.id;
  if (reported.isPaid) {
    await fulfilPurchase(await withCardDetails(reported), { eventId });
    return;
  }
  const hasFailed = event.type === "checkout.session.async_payment_failed";
  const isFinal = hasFailed || event.type === "checkout.session.expired";
  // Events arrive in any order: a session reported as expired or failed may be paid by now.
  const session = (isFinal && (await readSession(reported.sessionId))) || reported;
  await fulfilPurchase(session, { eventId, hasFailed: hasFailed && !session.isPaid });
}

/** Adds the payment card, which events do not contain; a guest's welcome coins depend on it. */
async function withCardDetails(reported: CheckoutSessionDetails): Promise<CheckoutSessionDetails> {
  const order = await findOrder(reported.orderId);
  if (!order || order.userId !== null || order.status === "fulfilled") return reported;
  const session = await readSession(reported.sessionId);
  return session
    ? {
        ...reported,
        cardFingerprint: session.cardFingerprint,
        cardWallet: session.cardWallet,
        payer: session.payer,
      }
    : reported;
}
