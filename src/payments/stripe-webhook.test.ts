import { createHmac, randomUUID } from "node:crypto";
import { count, eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { api } from "#api.server.ts";
import { freezeClock, now } from "#platform/clock.server.ts";
import { database, pool } from "#platform/database.server.ts";
import { env } from "#platform/env.server.ts";
import { alerts } from "#platform/tables.server.ts";
import { makeUser } from "#test/factories.ts";
import { listEmittedEvents, postWebhook, stubFetchInProcess } from "#test/gateway.ts";
import { expectInvariantsToHold } from "#test/integrity-checks.ts";
import { readWallet } from "#wallet/wallet.server.ts";
import { paySession } from "./fake-stripe/pay-session.server.ts";
import { fakeStripeSessions } from "./fake-stripe/tables.server.ts";
import { startPurchase } from "./start-purchase.server.ts";
import { coinPurchases, paymentEvents } from "./tables.server.ts";

beforeAll(stubFetchInProcess);
afterAll(expectInvariantsToHold);

let viewer: { id: string; email: string };
let body: string;

beforeEach(async () => {
  viewer = await makeUser();
  const started = await startPurchase({
    viewer,
    coinPackId: "starter_4",
    idempotencyKey: randomUUID(),
    returnTo: "/",
  });
  if (!started.ok) throw new Error(started.refusal);
  await paySession(started.sessionId, "4242424242424242");
  const event = (await listEmittedEvents("checkout.session.completed")).find((emittedEvent) =>
    JSON.stringify(emittedEvent).includes(started.sessionId),
  );
  body = JSON.stringify(event);
});
afterEach(() => {
  freezeClock(null);
  vi.restoreAllMocks();
});

function signed(text: string, { secondsFromNow = 0, secret = env().stripe.webhookSecret } = {}) {
  const at = Math.floor(now().getTime() / 1000) + secondsFromNow;
  return `t=${at},v1=${createHmac("sha256", secret).update(`${at}.${text}`).digest("hex")}`;
}

async function coins(): Promise<number> {
  return (await readWallet(viewer.id)).balanceCoins;
}

async function rows() {
  const [events] = await database().select({ count: count() }).from(paymentEvents);
  const [purchases] = await database().select({ count: count() }).from(coinPurchases);
  return { events: events?.count, purchases: purchases?.count };
}

describe("the webhook endpoint", () => {
  it("handles an event with a valid signature before it responds", async () => {
    const response = await postWebhook(body);
    expect(response.status).toBe(200);
    expect(await coins()).toBe(4);
    const [event] = await database()
      .select()
      .from(paymentEvents)
      .where(eq(paymentEvents.id, JSON.parse(body).id));
    expect(event).toMatchObject({ type: "checkout.session.completed", outcome: "credited" });
  });

  const forgeries: [string, () => [string, string | null]][] = [
    ["without a signature", () => [body, null]],
    ["with an empty signature", () => [body, ""]],
    ["with another secret's signature", () => [body, signed(body, { secret: "whsec_other" })]],
    ["with one digit of the signature changed", () => [body, flipLast(signed(body))]],
    ["signed five minutes and a second ago", () => [body, signed(body, { secondsFromNow: -302 })]],
    ["signed an hour ahead", () => [body, signed(body, { secondsFromNow: 3600 })]],
    [
      "signed five minutes and two seconds ahead",
      () => [body, signed(body, { secondsFromNow: 302 })],
    ],
    [
      "with two timestamps, one of them valid",
      () => [
        body,
        `t=${Math.floor(now().getTime() / 1000)},${signed(body, { secondsFromNow: -4000 })}`,
      ],
    ],
    [
      "with two timestamps, the signed one in the future",
      () => [
        body,
        `t=${Math.floor(now().getTime() / 1000)},${signed(body, { secondsFromNow: 4000 })}`,
      ],
    ],
    ["whose amount was changed", () => [body.replace("4000", "9000"), signed(body)]],
    [
      "whose order was changed",
      () => [body.replace(/"client_reference_id":"./, '"client_reference_id":"f'), signed(body)],
    ],
    ["with an extra space", () => [`${body} `, signed(body)]],
    ["whose body is empty", () => ["", signed("")]],
    ["whose body is not JSON", () => ["not json", signed("not json")]],
    ["whose body is not an event", () => ['{"a":1}', signed('{"a":1}')]],
    ["whose body is null", () => ["null", signed("null")]],
    [
      "with a session event without a session",
      () => {
        const text = JSON.stringify({ ...JSON.parse(body), data: {} });
        return [text, signed(text)];
      },
    ],
  ];
  it.each(forgeries)("returns 400 and writes nothing for a request %s", async (_, forge) => {
    const before = await rows();
    const [text, signature] = forge();
    expect((await postWebhook(text, signature)).status).toBe(400);
    expect(await rows()).toEqual(before);
    expect(await coins()).toBe(0);
  });

  it("accepts a signature four minutes old or four minutes ahead", async () => {
    expect((await postWebhook(body, signed(body, { secondsFromNow: -240 }))).status).toBe(200);
    expect((await postWebhook(body, signed(body, { secondsFromNow: 240 }))).status).toBe(200);
    expect(await coins()).toBe(4);
  });

  it("returns 400 and writes nothing when one character of the body is changed", async () => {
    const before = await rows();
    for (let index = 0; index < body.length; index += 7) {
      const altered = `${body.slice(0, index)}~${body.slice(index + 1)}`;
      expect((await postWebhook(altered, signed(body))).status).toBe(400);
    }
    expect(await rows()).toEqual(before);
  });

  it("returns 200 for a handled event again while the provider is down", async () => {
    const refunded = { ...JSON.parse(body), id: `evt_${randomUUID()}`, type: "charge.refunded" };
    refunded.data = { object: { object: "charge", payment_intent: `pi_${randomUUID()}` } };
    const text = JSON.stringify(refunded);
    await database().insert(paymentEvents).values({
      provider: "stripe",
      id: refunded.id,
      type: refunded.type,
      receivedAt: now(),
      handledAt: now(),
      outcome: "applied",
    });
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("fetch failed")));
    try {
      expect((await postWebhook(text)).status).toBe(200);
      const other = text.replace(refunded.id, `evt_${randomUUID()}`);
      expect((await postWebhook(other)).status).toBe(503);
    } finally {
      stubFetchInProcess();
    }
  });

  it("stores an event of an unrelated type and changes nothing", async () => {
    const event = { ...JSON.parse(body), id: `evt_${randomUUID()}`, type: "customer.created" };
    expect((await postWebhook(JSON.stringify(event))).status).toBe(200);
    const [storedEvent] = await database()
      .select()
      .from(paymentEvents)
      .where(eq(paymentEvents.id, event.id));
    expect(storedEvent?.outcome).toBe("ignored");
    expect(await coins()).toBe(0);
  });

  it("returns 200, alerts the operator and credits nothing in live mode", async () => {
    const event = { ...JSON.parse(body), id: `evt_${randomUUID()}`, livemode: true };
    expect((await postWebhook(JSON.stringify(event))).status).toBe(200);
    expect(await coins()).toBe(0);
    const [alert] = await database().select().from(alerts).where(eq(alerts.subject, event.id));
    expect(alert?.kind).toBe("payment-mismatch");
  });

  it("returns 200 and credits nothing when the amount differs from the order", async () => {
    await database()
      .update(fakeStripeSessions)
      .set({ amountCents: 400 })
      .where(eq(fakeStripeSessions.id, JSON.parse(body).data.object.id));
    expect((await postWebhook(body)).status).toBe(200);
    expect(await coins()).toBe(0);
  });

  it("credits what the provider returns, whatever the signed event contains", async () => {
    const event = JSON.parse(body);
    event.data.object = { id: event.data.object.id, amount_total: 1, payment_status: "unpaid" };
    expect((await postWebhook(JSON.stringify(event))).status).toBe(200);
    expect(await coins()).toBe(4);
  });

  it.each(["payfast", "constructor", ""])("returns 404 at the address of %j", async (name) => {
    const response = await api().request(`/webhooks/${name}`, {
      method: "POST",
      headers: { "Stripe-Signature": signed(body) },
      body,
    });
    expect(response.status).toBe(404);
  });

  it("raises one alert an hour for signatures by another secret", async () => {
    const listSignatureAlerts = async () =>
      await database().select().from(alerts).where(eq(alerts.kind, "webhook-signature-invalid"));
    const at = new Date(now().getTime() + 10 * 24 * 60 * 60_000);
    freezeClock(at);
    const send = () => postWebhook(body, signed(body, { secret: "whsec_other" }));
    expect((await send()).status).toBe(400);
    expect(await listSignatureAlerts()).toMatchObject([{ createdAt: at, resolvedAt: null }]);
    await database().update(alerts).set({ resolvedAt: now() });
    freezeClock(new Date(at.getTime() + 60 * 60_000 - 1));
    await send();
    expect(await listSignatureAlerts()).toMatchObject([{ createdAt: at }]);
    freezeClock(new Date(at.getTime() + 60 * 60_000));
    await send();
    expect(await listSignatureAlerts()).toMatchObject([{ createdAt: now(), resolvedAt: null }]);
  });

  it.each([
    ["without a signature", null],
    ["with an invented signature", "t=1,v1=ab"],
  ])("raises no alert for a request %s, because anyone can send one", async (_, signature) => {
    await database().delete(alerts);
    freezeClock(new Date(now().getTime() + 30 * 24 * 60 * 60_000));
    expect((await postWebhook(body, signature)).status).toBe(400);
    expect(await database().select().from(alerts)).toEqual([]);
  });

  it("raises one alert for a signed event that cannot be parsed", async () => {
    const id = `evt_${randomUUID().replaceAll("-", "")}`;
    const text = JSON.stringify({ ...JSON.parse(body), id, data: {} });
    for (let time = 0; time < 2; time += 1)
      expect((await postWebhook(text, signed(text))).status).toBe(400);
    const raised = await database().select().from(alerts).where(eq(alerts.subject, id));
    expect(raised).toMatchObject([{ kind: "event-unreadable" }]);
  });

  it("returns 5xx after a database failure and handles the next delivery", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const query = vi.spyOn(pool(), "connect").mockImplementation(() => {
      throw Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
    });
    const response = await postWebhook(body).catch((error) => error);
    expect(response.status ?? 500).toBeGreaterThanOrEqual(500);
    query.mockRestore();
    expect(await coins()).toBe(0);
    expect((await postWebhook(body)).status).toBe(200);
    expect(await coins()).toBe(4);
  });
});

function flipLast(signature: string): string {
  return signature.slice(0, -1) + (signature.endsWith("0") ? "1" : "0");
}
