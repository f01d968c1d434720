import { eq } from "drizzle-orm";
import { raiseAlert } from "#platform/alerts.server.ts";
import { database, transaction } from "#platform/database.server.ts";
import { fulfilPurchase } from "./fulfil-purchase.server.ts";
import { GatewayError, type GatewayEvent } from "./gateway.ts";
import { getGateway } from "./gateways.server.ts";
import { syncPayment } from "./sync-payment.server.ts";
import { orders } from "./tables.server.ts";
import { markEventHandled, recordWebhookEvent } from "./webhook-events.server.ts";

/**
 * Records a signed event and applies it. Idempotent: a repeated or concurrent delivery changes nothing.
 * Throws when the event cannot be handled now; it then stays stored for the next delivery or the
 * reconciler.
 */
export async function handleWebhookEvent(event: GatewayEvent): Promise<void> {
  if (await recordWebhookEvent(event)) await applyWebhookEvent(event);
}

/**
 * Applies a recorded event: reads the current state of its checkout or payment from the provider, because
 * events arrive late, repeatedly and in any order.
 */
export async function applyWebhookEvent(event: GatewayEvent): Promise<void> {
  const { id: eventId, provider, subject } = event;
  if (event.isLive !== getGateway(provider).isLiveMode()) await refuseOtherMode(event);
  else if (subject?.kind === "checkout") await syncCheckout(event, subject.sessionId);
  else if (subject?.kind === "payment")
    await syncPayment({ provider, paymentId: subject.paymentId }, { eventId });
  else await transaction((tx) => markEventHandled(tx, eventId, "ignored"));
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
    await markEventHandled(tx, event.id, "mismatch");
  });
}

async function syncCheckout(event: GatewayEvent, sessionId: string): Promise<void> {
  const eventId = event.id;
  // Nothing about a credited checkout changes; its refunds and disputes are events of the payment.
  if (await isFulfilled(sessionId)) {
    await transaction((tx) => markEventHandled(tx, eventId, "already"));
    return;
  }
  const session = await getGateway(event.provider).readCheckout(sessionId);
  if (!session)
    throw new GatewayError(`the provider does not know checkout ${sessionId}`, {
      problem: "refused",
    });
  await fulfilPurchase(session, { eventId });
}

async function isFulfilled(sessionId: string): Promise<boolean> {
  const [order] = await database()
    .select({ status: orders.status })
    .from(orders)
    .where(eq(orders.sessionId, sessionId));
  return order?.status === "fulfilled";
}
