import { and, asc, eq, inArray, isNull, lt, lte, or, sql } from "drizzle-orm";
import { raiseAlert, raiseAlertThrottled } from "#platform/alerts.server.ts";
import { now } from "#platform/clock.server.ts";
import { database, isDatabaseUnavailable, transaction } from "#platform/database.server.ts";
import { logFailure } from "#platform/log-failure.server.ts";
import type { Job } from "#platform/queue.server.ts";
import { fulfilPurchase } from "./fulfil-purchase.server.ts";
import { handleWebhookEvent } from "./handle-webhook-event.server.ts";
import { GatewayError, listEvents, readSession } from "./stripe/gateway.server.ts";
import { syncPayment } from "./sync-payment.server.ts";
import { orders, paymentPositions, pendingRegistrations, stripeEvents } from "./tables.server.ts";
import { markEventHandled, markEventTried, recordWebhookEvent } from "./webhook-events.server.ts";

type StoredEvent = typeof stripeEvents.$inferSelect;

const MINUTE = 60 * 1000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const POSITION = "provider-events";
/** The provider can list an event some time after its creation, so each run reads this much again. */
const OVERLAP = HOUR;
const BATCH_SIZE = 100;

/**
 * Catches up on what webhooks missed: paid sessions, events that were never delivered, and stored events
 * whose handling failed. Also expires orders that can no longer be paid.
 */
export const reconcilePayments: Job = {
  name: "reconcile-payments",
  schedule: "*/5 * * * *",
  async run() {
    await runStep("open orders", resolveOpenOrders);
    await runStep("stored events", retryStoredEvents);
    await runStep("missed events", handleMissedEvents);
    await runStep("stale orders", expireStaleOrders);
  },
};

/** Runs one step and logs its failure, so that the other steps still run. Returns the error, or null. */
async function runStep(name: string, step: () => Promise<void>): Promise<unknown> {
  try {
    await step();
    return null;
  } catch (error) {
    logFailure("warn", { step: name, error }, "payment reconciliation failed");
    return error ?? new Error("failed");
  }
}

/** Number of consecutive provider failures that count as an outage: further calls would fail as well. */
const OUTAGE_AFTER = 3;

/** Distinguishes one failing request from an outage of the provider. */
function outageDetector() {
  let consecutiveFailures = 0;
  return {
    note(error: unknown) {
      consecutiveFailures =
        error instanceof GatewayError && !error.isAboutRequest ? consecutiveFailures + 1 : 0;
    },
    get isDetected() {
      return consecutiveFailures >= OUTAGE_AFTER;
    },
  };
}

async function resolveOpenOrders(): Promise<void> {
  const at = now().getTime();
  const open = await database()
    .select({ id: orders.id, sessionId: orders.sessionId })
    .from(orders)
    .where(
      or(
        and(eq(orders.status, "pending"), lt(orders.updatedAt, new Date(at - 2 * MINUTE))),
        // A delayed payment method can take days.
        and(eq(orders.status, "awaiting_payment"), lt(orders.updatedAt, new Date(at - HOUR))),
      ),
    )
    .orderBy(asc(orders.updatedAt))
    .limit(BATCH_SIZE);
  const outage = outageDetector();
  for (const order of open) {
    const error = await runStep(`order ${order.id}`, async () => {
      const session = order.sessionId && (await readSession(order.sessionId));
      if (session) await fulfilPurchase(session);
    });
    outage.note(error);
    if (outage.isDetected) return;
    await moveToEnd(order.id);
    if (error && !isOutage(error)) await alertAboutOrder(order.id);
  }
}

function isOutage(error: unknown): boolean {
  return (error instanceof GatewayError && !error.isAboutRequest) || isDatabaseUnavailable(error);
}

async function alertAboutOrder(orderId: string): Promise<void> {
  await raiseAlertThrottled(DAY, {
    kind: "order-unreadable",
    subject: orderId,
    message: `The payment page of order ${orderId} cannot be read at the payment provider. The other orders were handled.`,
  });
}

/** Moves the order to the end of the queue, so that the next run reads the others first. */
async function moveToEnd(orderId: string): Promise<void> {
  await database()
    .update(orders)
    .set({ updatedAt: now() })
    .where(and(eq(orders.id, orderId), inArray(orders.status, ["pending", "awaiting_payment"])));
}

async function retryStoredEvents(): Promise<void> {
  const at = now().getTime();
  const stored = await database()
    .select()
    .from(stripeEvents)
    .where(and(isNull(stripeEvents.handledAt), lte(stripeEvents.receivedAt, new Date(at - MINUTE))))
    .orderBy(sql`${stripeEvents.lastAttemptAt} nulls first`, asc(stripeEvents.receivedAt))
    .limit(BATCH_SIZE);
  const outage = outageDetector();
  for (const event of stored) {
    if (!outage.isDetected) {
      await markEventTried(event.id);
      outage.note(await runStep(`event ${event.id}`, () => retryEvent(event)));
    }
    if (event.receivedAt.getTime() <= at - 5 * MINUTE) await alertIfUnhandled(event);
  }
}

/** Only the id of its session or payment is stored with an event, so the current state is read from the provider. */
async function retryEvent(event: StoredEvent): Promise<void> {
  const eventId = event.id;
  if (event.sessionId) {
    const session = await readSession(event.sessionId);
    const hasFailed = event.type === "checkout.session.async_payment_failed";
    if (session)
      await fulfilPurchase(session, { eventId, hasFailed: hasFailed && !session.isPaid });
  } else if (event.paymentIntentId) await syncPayment(event.paymentIntentId, { eventId });
  else await transaction((tx) => markEventHandled(tx, eventId, "ignored"));
}

async function alertIfUnhandled(event: StoredEvent): Promise<void> {
  const [unhandled] = await database()
    .select({ id: stripeEvents.id })
    .from(stripeEvents)
    .where(and(eq(stripeEvents.id, event.id), isNull(stripeEvents.handledAt)));
  if (unhandled)
    await raiseAlert({
      kind: "event-unprocessed",
      subject: event.id,
      message: `Event ${event.id} (${event.type}) could not be processed for more than five minutes.`,
    });
}

async function handleMissedEvents(): Promise<void> {
  const startedAt = now();
  const [position] = await database()
    .select()
    .from(paymentPositions)
    .where(eq(paymentPositions.name, POSITION));
  const since = new Date((position?.reachedAt ?? startedAt).getTime() - (position ? OVERLAP : DAY));
  const { events, unreadableIds } = await listEvents(since);
  const outage = outageDetector();
  for (const event of events) {
    // Recorded first, so that a later run can retry it as a stored event.
    const isUnhandled = await recordWebhookEvent(event);
    if (isUnhandled && !outage.isDetected)
      outage.note(await runStep(`event ${event.id}`, () => handleWebhookEvent(event)));
  }
  for (const eventId of unreadableIds)
    await raiseAlertThrottled(DAY, {
      kind: "event-unreadable",
      subject: eventId,
      message: `Event ${eventId} of the payment provider cannot be read and was not handled.`,
    });
  await database()
    .insert(paymentPositions)
    .values({ name: POSITION, reachedAt: startedAt })
    .onConflictDoUpdate({ target: paymentPositions.name, set: { reachedAt: startedAt } });
}

/**
 * Expires orders that are still pending two days after their creation, and deletes their guests'
 * passwords immediately and the rest of the registration after 30 days.
 */
async function expireStaleOrders(): Promise<void> {
  const at = now().getTime();
  await transaction(async (tx) => {
    const ended = await tx
      .update(orders)
      .set({ status: "expired", updatedAt: now() })
      .where(and(eq(orders.status, "pending"), lt(orders.createdAt, new Date(at - 2 * DAY))))
      .returning({ id: orders.id });
    const ids = ended.map((order) => order.id);
    if (ids.length > 0)
      await tx
        .update(pendingRegistrations)
        .set({ passwordHash: null })
        .where(inArray(pendingRegistrations.orderId, ids));
    await tx
      .delete(pendingRegistrations)
      .where(
        and(
          isNull(pendingRegistrations.passwordHash),
          lt(pendingRegistrations.agreedAt, new Date(at - 30 * DAY)),
        ),
      );
  });
}
