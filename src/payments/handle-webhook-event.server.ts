import { raiseAlert } from "#platform/alerts.server.ts";
import { transaction } from "#platform/database.server.ts";
import { fulfilPurchase } from "./fulfil-purchase.server.ts";
import { findOrder } from "./orders.server.ts";
import {
  type CheckoutSessionDetails,
  movesRealMoney,
  type PaymentEvent,
  readSession,
} from "./stripe/gateway.server.ts";
import { syncPayment } from "./sync-payment.server.ts";
import { markEventHandled, recordWebhookEvent } from "./webhook-events.server.ts";

/**
 * Deals with a signed event: it is kept once, and what it tells is done before this returns. Coming
 * again, or beside another of the same payment, changes nothing more. Throws when it could not be dealt
 * with now; then it waits, kept, for the next delivery or the reconciler.
 */
export async function handleEvent(event: PaymentEvent): Promise<void> {
  if (!(await recordWebhookEvent(event))) return;
  const eventId = event.id;
  if (event.isLive !== movesRealMoney()) await refuseOtherMode(event);
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

async function handleSession(event: PaymentEvent, told: CheckoutSessionDetails): Promise<void> {
  const eventId = event.id;
  if (told.isPaid) {
    await fulfilPurchase(await withCard(told), { eventId });
    return;
  }
  const hasFailed = event.type === "checkout.session.async_payment_failed";
  const isOver = hasFailed || event.type === "checkout.session.expired";
  // Events come in any order: what is said to be over may have been paid after all.
  const session = (isOver && (await readSession(told.sessionId))) || told;
  await fulfilPurchase(session, { eventId, hasFailed: hasFailed && !session.isPaid });
}

/** An event does not say by which card was paid, and a guest's welcome coins hang on that. */
async function withCard(told: CheckoutSessionDetails): Promise<CheckoutSessionDetails> {
  const order = await findOrder(told.orderId);
  if (!order || order.userId !== null || order.status === "fulfilled") return told;
  const session = await readSession(told.sessionId);
  return session
    ? {
        ...told,
        cardFingerprint: session.cardFingerprint,
        cardWallet: session.cardWallet,
        payer: session.payer,
      }
    : told;
}
