import { and, eq } from "drizzle-orm";
import { syncTransfer } from "#payouts/payouts.server.ts";
import { raiseAlert } from "#platform/alerts.server.ts";
import { database, transaction } from "#platform/database.server.ts";
import { fulfilPurchase } from "./fulfil-purchase.server.ts";
import {
  GatewayError,
  type GatewayEvent,
  type ProviderName,
  TRANSFER_REVERSED,
} from "./gateway.ts";
import { getGateway } from "./gateways.server.ts";
import { syncPayment } from "./sync-payment.server.ts";
import { orders } from "./tables.server.ts";
import { type EventKey, markEventHandled, recordWebhookEvent } from "./webhook-events.server.ts";

/**
 * Records a signed event and applies it. Idempotent: a repeated or concurrent delivery changes nothing.
 * Throws when the event cannot be handled now; it then stays stored for the next delivery or the
 * reconciler.
 */
export async function handleWebhookEvent(event: GatewayEvent): Promise<void> {
  if (!(await recordWebhookEvent(event))) return;
  if (event.isLive !== getGateway(event.provider).isLiveMode()) await refuseOtherMode(event);
  else await syncSubject(event, event.subject);
}

/**
 * Reads the current state of what a recorded event is about from the provider and applies it, because events
 * arrive late, repeatedly and in any order.
 */
export async function syncSubject(
  event: EventKey & { type: string },
  subject: GatewayEvent["subject"],
): Promise<void> {
  if (subject?.kind === "checkout") await syncCheckout(event, subject.sessionId);
  else if (subject?.kind === "payment")
    await syncPayment({ provider: event.provider, paymentId: subject.paymentId }, { event });
  else if (subject?.kind === "transfer") await syncTransferOf(event, subject.reference);
  else await transaction((tx) => markEventHandled(tx, event, "ignored"));
}

async function syncTransferOf(
  event: EventKey & { type: string },
  reference: string,
): Promise<void> {
  const outcome = await syncTransfer(reference);
  // Each event is handled once, so that one that is ahead of what can be read waits for it.
  if (event.type === TRANSFER_REVERSED && outcome === "paid")
    throw new GatewayError(`transfer ${reference} is reversed but still reads as paid`, {
      problem: "refused",
    });
  if (outcome === "unknown")
    throw new GatewayError(`the provider does not know transfer ${reference}`, {
      problem: "refused",
    });
  await transaction((tx) => markEventHandled(tx, event, outcome ?? "ignored"));
}

async function refuseOtherMode(event: GatewayEvent): Promise<void> {
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
    await markEventHandled(tx, event, "mismatch");
  });
}

async function syncCheckout(event: EventKey, sessionId: string): Promise<void> {
  // Nothing about a credited checkout changes; its refunds and disputes are events of the payment.
  if (await isPaid(event.provider, sessionId)) {
    await transaction((tx) => markEventHandled(tx, event, "already"));
    return;
  }
  const session = await getGateway(event.provider).readCheckout(sessionId);
  if (!session)
    throw new GatewayError(`the provider does not know checkout ${sessionId}`, {
      problem: "refused",
    });
  await fulfilPurchase(session, { event });
}

async function isPaid(provider: ProviderName, sessionId: string): Promise<boolean> {
  const [order] = await database()
    .select({ status: orders.status })
    .from(orders)
    .where(and(eq(orders.sessionId, sessionId), eq(orders.provider, provider)));
  return order?.status === "paid";
}
