import { and, asc, eq, inArray, isNull, lt, lte, or, sql } from "drizzle-orm";
import { haveTransfers } from "#payouts/payouts.server.ts";
import { raiseAlert, raiseAlertThrottled } from "#platform/alerts.server.ts";
import { now } from "#platform/clock.server.ts";
import { database, isDatabaseLost, transaction } from "#platform/database.server.ts";
import { logFailure } from "#platform/log-failure.server.ts";
import { createOutageDetector, isOutage } from "#platform/outage-detector.ts";
import type { Job } from "#platform/queue.server.ts";
import { fulfilPurchase } from "./fulfil-purchase.server.ts";
import type { PaymentGateway } from "./gateway.ts";
import { listGateways } from "./gateways.server.ts";
import { handleWebhookEvent, syncSubject } from "./handle-webhook-event.server.ts";
import { findLostCheckout, LOST_AFTER_MS } from "./payment-attempts.server.ts";
import { sendPurchaseRefund } from "./refunds/refund-purchase.server.ts";
import {
  coinPurchases,
  orders,
  paymentAttempts,
  paymentEvents,
  paymentPositions,
  pendingRegistrations,
  purchaseRefunds,
  unspentCoinRefunds,
} from "./tables.server.ts";
import { sendUnspentCoinRefund } from "./unspent-coins/refund-unspent-coins.server.ts";
import { isEvent, recordEventAttempt, recordWebhookEvent } from "./webhook-events.server.ts";

type StoredEvent = typeof paymentEvents.$inferSelect;

const MINUTE_MS = 60 * 1000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** The provider can list an event some time after its creation, so each run reads this much again. */
const OVERLAP_MS = HOUR_MS;
const BATCH_SIZE = 100;

/**
 * Catches up on what webhooks missed: paid sessions, events that were never delivered, stored events
 * whose handling failed, and refunds that could not be sent. Reads each provider separately, so that the outage of one stops no other. Also
 * expires orders that can no longer be paid.
 */
export const reconcilePayments: Job = {
  name: "reconcile-payments",
  schedule: "*/5 * * * *",
  async run() {
    for (const gateway of listGateways()) {
      await runStep("lost attempts", () => resolveLostAttempts(gateway));
      await runStep("open orders", () => resolveOpenOrders(gateway));
      await runStep("stored events", () => retryStoredEvents(gateway));
      await runStep("missed events", () => handleMissedEvents(gateway));
      await runStep("requested refunds", () => sendRequestedRefunds(gateway));
    }
    await runStep("stale orders", expireStaleOrders);
  },
};

/**
 * Runs one step and logs its failure, so that the other steps still run. Returns the error, or null. Throws when the
 * database is lost.
 */
async function runStep(name: string, step: () => Promise<void>): Promise<unknown> {
  try {
    await step();
    return null;
  } catch (error) {
    if (isDatabaseLost(error)) throw error;
    logFailure("warn", { step: name, error }, "payment reconciliation failed");
    return error ?? new Error("failed");
  }
}

/** Asks the provider for the checkouts of attempts whose answer was lost by a crash or a cut connection. */
async function resolveLostAttempts(gateway: PaymentGateway): Promise<void> {
  const attempts = await database()
    .select()
    .from(paymentAttempts)
    .where(
      and(
        eq(paymentAttempts.state, "started"),
        eq(paymentAttempts.provider, gateway.provider),
        lt(paymentAttempts.createdAt, new Date(now().getTime() - LOST_AFTER_MS)),
      ),
    )
    .orderBy(asc(paymentAttempts.createdAt))
    .limit(BATCH_SIZE);
  const outageDetector = createOutageDetector();
  for (const attempt of attempts) {
    const { orderId, number } = attempt;
    const error = await runStep(`attempt ${orderId} ${number}`, async () => {
      await findLostCheckout(gateway, attempt);
    });
    outageDetector.recordResult(error);
    if (outageDetector.isDetected) return;
    if (error && !isOutage(error)) await alertAboutOrder(orderId);
  }
}

async function resolveOpenOrders(gateway: PaymentGateway): Promise<void> {
  const nowMs = now().getTime();
  const openOrders = await database()
    .select({ id: orders.id, sessionId: orders.sessionId })
    .from(orders)
    .where(
      and(
        eq(orders.provider, gateway.provider),
        or(
          and(eq(orders.status, "unpaid"), lt(orders.updatedAt, new Date(nowMs - 2 * MINUTE_MS))),
          // A delayed payment method can take days.
          and(eq(orders.status, "delayed"), lt(orders.updatedAt, new Date(nowMs - HOUR_MS))),
        ),
      ),
    )
    .orderBy(asc(orders.updatedAt))
    .limit(BATCH_SIZE);
  const outageDetector = createOutageDetector();
  for (const order of openOrders) {
    const error = await runStep(`order ${order.id}`, async () => {
      const session = order.sessionId && (await gateway.readCheckout(order.sessionId));
      if (session) await fulfilPurchase(session);
    });
    outageDetector.recordResult(error);
    if (outageDetector.isDetected) return;
    const moveError = await runStep(`order ${order.id}`, () => moveToEnd(order.id));
    if (moveError || (error && !isOutage(error))) await alertAboutOrder(order.id);
  }
}

/** Sends the refunds whose jobs have given up during an outage: until then, the coins cannot be spent. */
async function sendRequestedRefunds({ provider }: PaymentGateway): Promise<void> {
  const outageDetector = createOutageDetector();
  for (const [refunds, job] of [
    [purchaseRefunds, sendPurchaseRefund],
    [unspentCoinRefunds, sendUnspentCoinRefund],
  ] as const) {
    const rows = await database()
      .select({ id: refunds.id })
      .from(refunds)
      .innerJoin(coinPurchases, eq(coinPurchases.id, refunds.purchaseId))
      .where(
        and(
          eq(refunds.status, "requested"),
          eq(coinPurchases.provider, provider),
          lt(refunds.createdAt, new Date(now().getTime() - HOUR_MS)),
        ),
      )
      .orderBy(asc(refunds.createdAt))
      .limit(BATCH_SIZE);
    for (const { id } of rows) {
      const error = await runStep(`refund ${id}`, () =>
        job.run({ refundId: id }, { isLast: false }),
      );
      outageDetector.recordResult(error);
      if (outageDetector.isDetected) return;
    }
  }
}

async function alertAboutOrder(orderId: string): Promise<void> {
  await raiseAlertThrottled(DAY_MS, {
    kind: "order-unreadable",
    subject: orderId,
    message: `The payment page of order ${orderId} cannot be read at the payment provider, or what it says cannot be stored. The other orders were handled.`,
  });
}

/** Moves the order to the end of the queue, so that the next run reads the others first. */
async function moveToEnd(orderId: string): Promise<void> {
  await database()
    .update(orders)
    .set({ updatedAt: now() })
    .where(and(eq(orders.id, orderId), inArray(orders.status, ["unpaid", "delayed"])));
}

async function retryStoredEvents(gateway: PaymentGateway): Promise<void> {
  const nowMs = now().getTime();
  const storedEvents = await database()
    .select()
    .from(paymentEvents)
    .where(
      and(
        eq(paymentEvents.provider, gateway.provider),
        isNull(paymentEvents.handledAt),
        lte(paymentEvents.receivedAt, new Date(nowMs - MINUTE_MS)),
      ),
    )
    .orderBy(sql`${paymentEvents.lastAttemptAt} nulls first`, asc(paymentEvents.receivedAt))
    .limit(BATCH_SIZE);
  const outageDetector = createOutageDetector();
  for (const event of storedEvents) {
    if (!outageDetector.isDetected)
      outageDetector.recordResult(
        await runStep(`event ${event.id}`, async () => {
          await recordEventAttempt(event);
          await retryEvent(event);
        }),
      );
    if (event.receivedAt.getTime() <= nowMs - 5 * MINUTE_MS) await alertIfUnhandled(event);
  }
}

/** Only the id of its subject is stored with an event, so the current state is read from the provider. */
async function retryEvent(event: StoredEvent): Promise<void> {
  const { sessionId, paymentId, transferReference } = event;
  if (transferReference)
    await syncSubject(event, { kind: "transfer", reference: transferReference });
  else if (sessionId) await syncSubject(event, { kind: "checkout", sessionId });
  else await syncSubject(event, paymentId ? { kind: "payment", paymentId } : null);
}

async function alertIfUnhandled(event: StoredEvent): Promise<void> {
  const [unhandled] = await database()
    .select({ id: paymentEvents.id })
    .from(paymentEvents)
    .where(and(isEvent(event), isNull(paymentEvents.handledAt)));
  if (unhandled)
    await raiseAlert({
      kind: "event-unprocessed",
      subject: event.id,
      message: `Event ${event.id} (${event.type}) could not be processed for more than five minutes.`,
    });
}

async function handleMissedEvents(gateway: PaymentGateway): Promise<void> {
  const positionName = `${gateway.provider}-events`;
  const startedAt = now();
  const [position] = await database()
    .select()
    .from(paymentPositions)
    .where(eq(paymentPositions.name, positionName));
  const since = new Date(
    (position?.reachedAt ?? startedAt).getTime() - (position ? OVERLAP_MS : DAY_MS),
  );
  const { events, unreadableIds } = await gateway.listEvents(since, {
    includesTransfers: await haveTransfers(),
  });
  const outageDetector = createOutageDetector();
  for (const event of events) {
    // Recorded first, so that a later run can retry it as a stored event. One that cannot be recorded is listed
    // again for an hour.
    let isUnhandled = false;
    const recordError = await runStep(`event ${event.id}`, async () => {
      isUnhandled = await recordWebhookEvent(event);
    });
    if (recordError) unreadableIds.push(event.id);
    if (isUnhandled && !outageDetector.isDetected)
      outageDetector.recordResult(
        await runStep(`event ${event.id}`, () => handleWebhookEvent(event)),
      );
  }
  for (const eventId of unreadableIds)
    await raiseAlertThrottled(DAY_MS, {
      kind: "event-unreadable",
      subject: eventId,
      message: `Event ${eventId} of the payment provider cannot be read or stored and was not handled.`,
    });
  await database()
    .insert(paymentPositions)
    .values({ name: positionName, reachedAt: startedAt })
    .onConflictDoUpdate({ target: paymentPositions.name, set: { reachedAt: startedAt } });
}

/**
 * Expires orders that are still unpaid two days after their creation, and deletes their guests'
 * passwords immediately and the rest of the registration after 30 days.
 */
async function expireStaleOrders(): Promise<void> {
  const nowMs = now().getTime();
  await transaction(async (tx) => {
    const expiredOrders = await tx
      .update(orders)
      .set({ status: "expired", updatedAt: now() })
      .where(and(eq(orders.status, "unpaid"), lt(orders.createdAt, new Date(nowMs - 2 * DAY_MS))))
      .returning({ id: orders.id });
    const ids = expiredOrders.map((order) => order.id);
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
          lt(pendingRegistrations.agreedAt, new Date(nowMs - 30 * DAY_MS)),
        ),
      );
  });
}
