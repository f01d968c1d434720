import { eq } from "drizzle-orm";
import { now } from "#platform/clock.server.ts";
import { database, type Tx } from "#platform/database.server.ts";
import { env } from "#platform/env.server.ts";
import { enqueue, type Job } from "#platform/queue.server.ts";
import { ownAddress, signWebhook } from "../stripe/gateway.server.ts";
import { makeId } from "./make-id.server.ts";
import { fakeStripeEvents } from "./tables.server.ts";

export type FakeEvent = {
  type: string;
  object: Record<string, unknown> | null;
  /** The provider promises to tell at least once; what matters is told more often, to keep us honest. */
  times?: number;
};

const API_VERSION = "2026-10-28.endive";
const ANSWER_WITHIN_MS = 10_000;

/** Writes events within the transaction that makes them true; they are delivered after its commit. */
export async function emitFakeEvents(tx: Tx, emissions: FakeEvent[]): Promise<void> {
  for (const { type, object, times = 1 } of emissions) {
    const id = makeId("evt");
    await tx.insert(fakeStripeEvents).values({
      id,
      type,
      createdAt: now(),
      payload: {
        id,
        object: "event",
        api_version: API_VERSION,
        created: Math.floor(now().getTime() / 1000),
        data: { object },
        livemode: false,
        pending_webhooks: 1,
        request: { id: null, idempotency_key: null },
        type,
      },
    });
    for (let time = 0; time < times; time += 1)
      await enqueue(tx, deliverFakeStripeEvent, { eventId: id });
  }
}

/** Posts one event to our webhook, signed; without a 2xx the queue tries again. */
export const deliverFakeStripeEvent: Job<{ eventId: string }> = {
  name: "deliver-stand-in-event",
  async run({ eventId }) {
    if (!env().stripe.standIn) return;
    const [event] = await database()
      .select()
      .from(fakeStripeEvents)
      .where(eq(fakeStripeEvents.id, eventId));
    if (!event) return;
    const body = JSON.stringify(event.payload);
    // This process itself: what the public address leads through may not lead back in.
    const response = await fetch(`${ownAddress()}/webhooks/stripe`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "Stripe-Signature": signWebhook(body) },
      body,
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`the webhook answered ${response.status} to ${event.type}`);
    await database()
      .update(fakeStripeEvents)
      .set({ deliveredAt: now() })
      .where(eq(fakeStripeEvents.id, eventId));
  },
};
