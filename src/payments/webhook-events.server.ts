import { and, eq, isNull } from "drizzle-orm";
import { now } from "#platform/clock.server.ts";
import { database, type Tx } from "#platform/database.server.ts";
import type { GatewayEvent, ProviderName } from "./gateway.ts";
import { paymentEvents } from "./tables.server.ts";

/** Identifies an event across providers. */
export type EventKey = { provider: ProviderName; id: string };

/** Returns the condition for the row of an event. */
export const isEvent = ({ provider, id }: EventKey) =>
  and(eq(paymentEvents.id, id), eq(paymentEvents.provider, provider));

/** Stores a signed event once. Returns whether it still has to be handled. */
export async function recordWebhookEvent(event: GatewayEvent): Promise<boolean> {
  const [inserted] = await database()
    .insert(paymentEvents)
    .values({
      provider: event.provider,
      id: event.id,
      type: event.type,
      sessionId: event.subject?.kind === "checkout" ? event.subject.sessionId : null,
      paymentId: event.subject?.kind === "payment" ? event.subject.paymentId : null,
      transferReference: event.subject?.kind === "transfer" ? event.subject.reference : null,
      receivedAt: now(),
    })
    .onConflictDoNothing()
    .returning({ id: paymentEvents.id });
  if (inserted) return true;
  const [existingEvent] = await database()
    .select({ handledAt: paymentEvents.handledAt })
    .from(paymentEvents)
    .where(isEvent(event));
  return existingEvent?.handledAt == null;
}

/** Records the outcome of an event in the transaction that applies it. */
export async function markEventHandled(tx: Tx, event: EventKey, outcome: string): Promise<void> {
  await tx
    .update(paymentEvents)
    .set({ handledAt: now(), outcome })
    .where(and(isEvent(event), isNull(paymentEvents.handledAt)));
}

/** Records a retry of an event, so that the next run retries the other events first. */
export async function recordEventAttempt(event: EventKey): Promise<void> {
  await database().update(paymentEvents).set({ lastAttemptAt: now() }).where(isEvent(event));
}
