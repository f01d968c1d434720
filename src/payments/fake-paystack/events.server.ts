import { eq } from "drizzle-orm";
import { now } from "#platform/clock.server.ts";
import { database, type Tx } from "#platform/database.server.ts";
import { env } from "#platform/env.server.ts";
import { buildLocalUrl } from "#platform/local-url.server.ts";
import { enqueue, type Job } from "#platform/queue.server.ts";
import { signWebhook } from "../paystack/gateway.server.ts";
import { toJson } from "./objects.server.ts";
import { fakePaystackEvents } from "./tables.server.ts";

const TIMEOUT_MS = 10_000;

/** Stores an event in the transaction that causes it; it is delivered twice after its commit, to test idempotency. */
export async function emitEvent(
  tx: Tx,
  reference: string,
  { type, data }: { type: string; data: Record<string, unknown> },
): Promise<void> {
  const [event] = await tx
    .insert(fakePaystackEvents)
    .values({ reference, type, body: toJson({ event: type, data }), createdAt: now() })
    .returning({ id: fakePaystackEvents.id });
  for (let delivery = 0; delivery < 2; delivery += 1)
    await enqueue(tx, deliverFakePaystackEvent, { eventId: event?.id ?? 0 });
}

/** Posts a signed event to the webhook. The queue retries unless the response is 2xx. */
export const deliverFakePaystackEvent: Job<{ eventId: number }> = {
  name: "deliver-fake-paystack-event",
  async run({ eventId }) {
    if (!env().paystack.isFake) return;
    const isEvent = eq(fakePaystackEvents.id, eventId);
    const [event] = await database().select().from(fakePaystackEvents).where(isEvent);
    if (!event) return;
    // Calls this process directly, because the public URL may not be reachable from here.
    const response = await fetch(`${buildLocalUrl()}/webhooks/paystack`, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        "x-paystack-signature": signWebhook(event.body),
      },
      body: event.body,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`the webhook returned ${response.status} for ${event.type}`);
    await database().update(fakePaystackEvents).set({ deliveredAt: now() }).where(isEvent);
  },
};
