import { eq } from "drizzle-orm";
import { now } from "#platform/clock.server.ts";
import { database, type Tx } from "#platform/database.server.ts";
import { env } from "#platform/env.server.ts";
import { buildLocalUrl } from "#platform/local-url.server.ts";
import { enqueue, type Job } from "#platform/queue.server.ts";
import { signWebhook } from "../stripe/gateway.server.ts";
import { makeId } from "./make-id.server.ts";
import { fakeStripeEvents } from "./tables.server.ts";

export type FakeEvent = {
  type: string;
  object: Record<string, unknown> | null;
  /** Number of deliveries. The provider delivers at least once; more than one tests idempotency. */
  deliveries?: number;
};

const API_VERSION = "2026-10-28.endive";
const TIMEOUT_MS = 10_000;

/** Stores events in the transaction that causes them; they are delivered after its commit. */
export async function emitFakeEvents(tx: Tx, events: FakeEvent[]): Promise<void> {
  for (const { type, object, deliveries = 1 } of events) {
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
    for (let delivery = 0; delivery < deliveries; delivery += 1)
      await enqueue(tx, deliverFakeStripeEvent, { eventId: id });
  }
}

/** Posts a signed event to the webhook. The queue retries unless the response is 2xx. */
export const deliverFakeStripeEvent: Job<{ eventId: string }> = {
  name: "deliver-fake-stripe-event",
  async run({ eventId }) {
    if (!env().stripe.isFake) return;
    const [event] = await database()
      .select()
      .from(fakeStripeEvents)
      .where(eq(fakeStripeEvents.id, eventId));
    if (!event) return;
    const body = JSON.stringify(event.payload);
    // Calls this process directly, because the public URL may not be reachable from here.
    const response = await fetch(`${buildLocalUrl()}/webhooks/stripe`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "Stripe-Signature": signWebhook(body) },
      body,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`the webhook returned ${response.status} for ${event.type}`);
    await database()
      .update(fakeStripeEvents)
      .set({ deliveredAt: now() })
      .where(eq(fakeStripeEvents.id, eventId));
  },
};
