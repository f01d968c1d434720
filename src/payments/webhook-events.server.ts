import { and, eq, isNull } from "drizzle-orm";
import { now } from "#platform/clock.server.ts";
import { database, type Tx } from "#platform/database.server.ts";
import type { GatewayEvent } from "./gateway.ts";
import { stripeEvents } from "./tables.server.ts";

/** Stores a signed event once. Returns whether it still has to be handled. */
export async function recordWebhookEvent(event: GatewayEvent): Promise<boolean> {
  const [inserted] = await database()
    .insert(stripeEvents)
    .values({
      id: event.id,
      type: event.type,
      sessionId: event.subject?.kind === "checkout" ? event.subject.sessionId : null,
      paymentId: event.subject?.kind === "payment" ? event.subject.paymentId : null,
      receivedAt: now(),
    })
    .onConflictDoNothing()
    .returning({ id: stripeEvents.id });
  if (inserted) return true;
  const [existingEvent] = await database()
    .select({ handledAt: stripeEvents.handledAt })
    .from(stripeEvents)
    .where(eq(stripeEvents.id, event.id));
  return existingEvent?.handledAt == null;
}

/** Records the outcome of an event in the transaction that applies it. */
export async function markEventHandled(tx: Tx, eventId: string, outcome: string): Promise<void> {
  await tx
    .update(stripeEvents)
    .set({ handledAt: now(), outcome })
    .where(and(eq(stripeEvents.id, eventId), isNull(stripeEvents.handledAt)));
}

/** Records a retry of an event, so that the next run retries the other events first. */
export async function recordEventAttempt(eventId: string): Promise<void> {
  await database()
    .update(stripeEvents)
    .set({ lastAttemptAt: now() })
    .where(eq(stripeEvents.id, eventId));
}
