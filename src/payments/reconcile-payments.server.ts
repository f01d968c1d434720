import { and, asc, eq, inArray, isNull, lt, lte, or, sql } from "drizzle-orm";
import { raiseAlert, raiseAlertThrottled } from "#platform/alerts.server.ts";
import { now } from "#platform/clock.server.ts";
import { database, isDatabaseUnavailable, transaction } from "#platform/database.server.ts";
import { logFailure } from "#platform/log-failure.server.ts";
import type { Job } from "#platform/queue.server.ts";
import { fulfilPurchase } from "./fulfil-purchase.server.ts";
import { handleEvent } from "./handle-webhook-event.server.ts";
import { GatewayError, listEvents, readSession } from "./stripe/gateway.server.ts";
import { syncPayment } from "./sync-payment.server.ts";
import { orders, paymentPositions, pendingRegistrations, stripeEvents } from "./tables.server.ts";
import { markEventHandled, markEventTried, recordWebhookEvent } from "./webhook-events.server.ts";

type StoredEvent = typeof stripeEvents.$inferSelect;

const MINUTE = 60 * 1000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const POSITION = "provider-events";
/** Events are listed in the order they were made, but do not all appear at once. */
const OVERLAP = HOUR;
const AT_ONCE = 100;

/**
 * Finds what no webhook told us: paid sessions and events that never came, and events that came while
 * we could not deal with them. Also ends orders that nobody will pay any more.
 */
export const reconcilePayments: Job = {
  name: "reconcile-payments",
  schedule: "*/5 * * * *",
  async run() {
    await tried("open orders", resolveOpenOrders);
    await tried("kept events", handleKeptEvents);
    await tried("missed events", catchUpEvents);
    await tried("stale orders", endStaleOrders);
  },
};

/** What fails does not keep the rest from being done. Returns the error, or null. */
async function tried(what: string, step: () => Promise<void>): Promise<unknown> {
  try {
    await step();
    return null;
  } catch (error) {
    logFailure("warn", { what, error }, "payment reconciliation failed");
    return error ?? new Error("failed");
  }
}

/** So many failures of the provider one after the other are an outage: the rest would fail as well. */
const OUTAGE_AFTER = 3;

/** Tells one unreadable thing from a provider that answers nobody. */
function outageWatch() {
  let inARow = 0;
  return {
    note(error: unknown) {
      inARow = error instanceof GatewayError && !error.isAboutRequest ? inARow + 1 : 0;
    },
    get isOut() {
      return inARow >= OUTAGE_AFTER;
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
        // Money that was promised can take days.
        and(eq(orders.status, "awaiting_payment"), lt(orders.updatedAt, new Date(at - HOUR))),
      ),
    )
    .orderBy(asc(orders.updatedAt))
    .limit(AT_ONCE);
  const watch = outageWatch();
  for (const order of open) {
    const error = await tried(`order ${order.id}`, async () => {
      const session = order.sessionId && (await readSession(order.sessionId));
      if (session) await fulfilPurchase(session);
    });
    watch.note(error);
    if (watch.isOut) return;
    await touch(order.id);
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

/** Looked at: the others come first next time. */
async function touch(orderId: string): Promise<void> {
  await database()
    .update(orders)
    .set({ updatedAt: now() })
    .where(and(eq(orders.id, orderId), inArray(orders.status, ["pending", "awaiting_payment"])));
}

async function handleKeptEvents(): Promise<void> {
  const at = now().getTime();
  const kept = await database()
    .select()
    .from(stripeEvents)
    .where(and(isNull(stripeEvents.handledAt), lte(stripeEvents.receivedAt, new Date(at - MINUTE))))
    .orderBy(sql`${stripeEvents.lastAttemptAt} nulls first`, asc(stripeEvents.receivedAt))
    .limit(AT_ONCE);
  const watch = outageWatch();
  for (const event of kept) {
    if (!watch.isOut) {
      await markEventTried(event.id);
      watch.note(await tried(`event ${event.id}`, () => handleKept(event)));
    }
    if (event.receivedAt.getTime() <= at - 5 * MINUTE) await alertIfUnhandled(event);
  }
}

/** Of a kept event only the subject is known: how that stands now is asked anew. */
async function handleKept(event: StoredEvent): Promise<void> {
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
  const [still] = await database()
    .select({ id: stripeEvents.id })
    .from(stripeEvents)
    .where(and(eq(stripeEvents.id, event.id), isNull(stripeEvents.handledAt)));
  if (still)
    await raiseAlert({
      kind: "event-without-outcome",
      subject: event.id,
      message: `Event ${event.id} (${event.type}) could not be processed for more than five minutes.`,
    });
}

async function catchUpEvents(): Promise<void> {
  const startedAt = now();
  const [position] = await database()
    .select()
    .from(paymentPositions)
    .where(eq(paymentPositions.name, POSITION));
  const since = new Date((position?.reachedAt ?? startedAt).getTime() - (position ? OVERLAP : DAY));
  const { events, unreadableIds } = await listEvents(since);
  const watch = outageWatch();
  for (const event of events) {
    // Written down first: what cannot be handled now is handled as a kept event later.
    const isUnhandled = await recordWebhookEvent(event);
    if (isUnhandled && !watch.isOut)
      watch.note(await tried(`event ${event.id}`, () => handleEvent(event)));
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
 * An order whose page never opened, or of which the provider has told nothing for so long that it will
 * not, is over. What is known of its guest goes with time.
 */
async function endStaleOrders(): Promise<void> {
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
