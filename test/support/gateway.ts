import { asc, eq } from "drizzle-orm";
import { vi } from "vitest";
import { api } from "#api.server.ts";
import { makeDemoPurchase } from "#payments/fake-provider/make-demo-purchase.server.ts";
import { fakeStripeEvents } from "#payments/fake-stripe/tables.server.ts";
import { signWebhook } from "#payments/stripe/gateway.server.ts";
import { now } from "#platform/clock.server.ts";
import { database, pool } from "#platform/database.server.ts";

// The fake payment provider, called by the real SDK within this process.

/** Routes fetch calls of the SDK and of the fake provider to the application in this process. */
export function stubFetchInProcess(): void {
  const app = api();
  vi.stubGlobal("fetch", (input: string | URL, init?: RequestInit) => {
    const { pathname, search } = new URL(input);
    return app.request(pathname + search, init);
  });
}

/** Posts a body to the webhook, by default with a valid signature. */
export async function postWebhook(
  body: string,
  signature: string | null = signWebhook(body),
): Promise<Response> {
  return await api().request("/webhooks/stripe", {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      ...(signature === null ? {} : { "Stripe-Signature": signature }),
    },
    body,
  });
}

type EventBody = Record<string, unknown> & { id: string; type: string };

/** Returns every event of the fake provider, oldest first, as delivered to the webhook. */
export async function listEmittedEvents(type?: string): Promise<EventBody[]> {
  const rows = await database()
    .select()
    .from(fakeStripeEvents)
    .where(type ? eq(fakeStripeEvents.type, type) : undefined)
    .orderBy(asc(fakeStripeEvents.createdAt), asc(fakeStripeEvents.id));
  return rows.map((row) => row.payload as EventBody);
}

/** Buys a coin pack now. Returns its price and the ids of the purchase, its checkout session and its payment. */
export async function buyCoins(
  userId: string,
  coinPackId: string,
): Promise<{ id: string; sessionId: string; paymentId: string; amountCents: number }> {
  const { sessionId } = await makeDemoPurchase({ userId, coinPackId, at: now() });
  const { rows } = await pool().query<{ id: string; paymentId: string; amountCents: number }>(
    `select id, payment_id as "paymentId", amount_cents as "amountCents" from coin_purchases where session_id = $1`,
    [sessionId],
  );
  const [purchase] = rows;
  if (!purchase) throw new Error("nothing was bought");
  return { ...purchase, sessionId };
}
