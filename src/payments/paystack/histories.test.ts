import { randomUUID } from "node:crypto";
import { and, desc, eq, like } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { api } from "#api.server.ts";
import { freezeClock, now } from "#platform/clock.server.ts";
import { database } from "#platform/database.server.ts";
import { env } from "#platform/env.server.ts";
import { parseJson } from "#platform/paystack-api.server.ts";
import { alerts } from "#platform/tables.server.ts";
import { makeUser, type Person } from "#test/factories.ts";
import { stubFetchInProcess } from "#test/gateway.ts";
import { expectInvariantsToHold } from "#test/integrity-checks.ts";
import { readWallet } from "#wallet/wallet.server.ts";
import {
  fakePaystackEvents,
  fakePaystackRefunds,
  fakePaystackTransactions,
} from "../fake-paystack/tables.server.ts";
import { FAILING_REFUND, STUCK_REFUND } from "../fake-paystack/test-cards.ts";
import { createRefund, disputePayment, payByCard } from "../fake-paystack/transactions.server.ts";
import { reconcilePayments } from "../reconcile-payments.server.ts";
import { startPurchase } from "../start-purchase.server.ts";
import { signWebhook as signStripeWebhook } from "../stripe/gateway.server.ts";
import { syncPayment } from "../sync-payment.server.ts";
import { coinPurchases, orders, paymentAttempts, paymentEvents } from "../tables.server.ts";
import { paystackGateway, signWebhook } from "./gateway.server.ts";

// Histories that only a provider, a network or a stranger can make.

const VISA = "4084084084084081";
const CENTS = 4000;
const configured = { paymentProvider: env().paymentProvider, paystack: env().paystack };

let viewer: Person;
beforeAll(() => Object.assign(env(), { paymentProvider: "paystack" }));
beforeEach(async () => {
  stubFetchInProcess();
  viewer = await makeUser();
});
afterEach(() => {
  freezeClock(null);
  Object.assign(env(), { paystack: configured.paystack });
});
afterAll(async () => {
  stubFetchInProcess();
  await expectInvariantsToHold();
  Object.assign(env(), configured);
  vi.unstubAllGlobals();
});

const start = (idempotencyKey: string = randomUUID()) =>
  startPurchase({ viewer, coinPackId: "starter_4", idempotencyKey, returnTo: "/" });

async function startOrder(): Promise<string> {
  const started = await start();
  if (!started.ok) throw new Error(started.refusal);
  return started.sessionId;
}

const reconcile = () => reconcilePayments.run({}, { isLast: true });
const readCoins = async () => (await readWallet(viewer.id)).balanceCoins;

async function deliver(body: string, signature = signWebhook(body), provider = "paystack") {
  const headers = { "Content-Type": "application/json", "x-paystack-signature": signature };
  const response = await api().request(`/webhooks/${provider}`, { method: "POST", headers, body });
  return response.status;
}

async function findWebhook(reference: string, type = "charge.success"): Promise<string> {
  const [event] = await database()
    .select()
    .from(fakePaystackEvents)
    .where(and(eq(fakePaystackEvents.reference, reference), eq(fakePaystackEvents.type, type)))
    .orderBy(desc(fakePaystackEvents.id));
  if (!event) throw new Error(`no ${type} of ${reference}`);
  return event.body;
}

async function readAlerts(text: string): Promise<string[]> {
  const rows = await database()
    .select()
    .from(alerts)
    .where(like(alerts.message, `%${text}%`));
  return rows.map(({ kind }) => kind);
}

/** Changes what the provider answers about a transaction. */
function changeAnswers(change: Record<string, unknown>): void {
  const original = fetch;
  vi.stubGlobal("fetch", async (url: string, init?: RequestInit) => {
    const response = await original(url, init);
    if (!url.includes("/transaction/verify/")) return response;
    const body = parseJson(await response.text()) as { data: object };
    return Response.json({ ...body, data: { ...body.data, ...change } });
  });
}

/** Handles the next `count` requests to create a page, and loses their answers. */
function loseAnswers(count: number): void {
  const original = fetch;
  let left = count;
  vi.stubGlobal("fetch", async (url: string, init?: RequestInit) => {
    const response = await original(url, init);
    if (!url.endsWith("/transaction/initialize") || left === 0) return response;
    left -= 1;
    throw new TypeError("fetch failed");
  });
}

describe("a webhook", () => {
  it("that arrives before the answer to its attempt is stored credits its order", async () => {
    const reference = await startOrder();
    await payByCard(reference, VISA);
    const [orderId = ""] = reference.split(".");
    await database().update(orders).set({ sessionId: null }).where(eq(orders.id, orderId));
    await database()
      .update(paymentAttempts)
      .set({ state: "started", sessionId: null, checkoutUrl: null })
      .where(eq(paymentAttempts.orderId, orderId));
    expect(await deliver(await findWebhook(reference))).toBe(200);
    expect(await readCoins()).toBe(4);
  });

  it("signed with the previous key is accepted only while that key is configured", async () => {
    const reference = await startOrder();
    await payByCard(reference, VISA);
    const body = await findWebhook(reference);
    const previousSecretKey = "sk_test_previous_key";
    const signature = signWebhook(body, previousSecretKey);
    expect(await deliver(body, signature)).toBe(400);
    Object.assign(env(), { paystack: { ...env().paystack, previousSecretKey } });
    expect(await deliver(body, signature)).toBe(200);
    expect(await readCoins()).toBe(4);
  });

  it("of one provider is refused at the other's address", async () => {
    const reference = await startOrder();
    await payByCard(reference, VISA);
    const body = await findWebhook(reference);
    expect(await deliver(body, signWebhook(body), "stripe")).toBe(400);
    expect(await deliver(body, signStripeWebhook(body))).toBe(400);
    expect(await readCoins()).toBe(0);
  });

  it("about a payment of other software is ignored", async () => {
    const body = JSON.stringify({ event: "charge.success", data: { reference: "shop-1", id: 1 } });
    expect(await deliver(body)).toBe(200);
    const [event] = await database()
      .select()
      .from(paymentEvents)
      .where(and(eq(paymentEvents.provider, "paystack"), eq(paymentEvents.outcome, "ignored")));
    expect(event).toMatchObject({ sessionId: null, paymentId: null });
  });

  it("that is signed but unreadable raises an alert and changes nothing", async () => {
    expect(await deliver("[]")).toBe(400);
    expect(await readAlerts("cannot be read")).toContain("event-unreadable");
  });
});

describe("a payment", () => {
  it.each([
    ["in another currency", { currency: "NGN" }, "another currency"],
    ["of another amount", { requested_amount: 100, amount: 100 }, "another amount"],
    ["below the amount we asked for", { amount: CENTS - 1 }, "another amount"],
    ["of the live mode", { domain: "live" }, "live money"],
  ])("%s is not credited and raises an alert", async (_, change, difference) => {
    const reference = await startOrder();
    await payByCard(reference, VISA);
    changeAnswers(change);
    expect(await deliver(await findWebhook(reference))).toBe(200);
    expect(await readCoins()).toBe(0);
    expect(await readAlerts(`${reference} was paid but`)).toEqual(["payment-mismatch"]);
    expect(await readAlerts(difference)).toContain("payment-mismatch");
  });

  it("with fees on top, amounts as texts and any metadata is credited", async () => {
    const reference = await startOrder();
    await payByCard(reference, VISA);
    changeAnswers({ amount: "4180", requested_amount: "4000", metadata: { a: [1] } });
    await deliver(await findWebhook(reference));
    expect(await readCoins()).toBe(4);
    await syncPayment({ provider: "paystack", paymentId: reference });
    expect(await readCoins()).toBe(4);
  });

  it("that was reversed is credited and then taken back", async () => {
    const reference = await startOrder();
    await payByCard(reference, VISA);
    changeAnswers({ status: "reversed" });
    await deliver(await findWebhook(reference));
    expect(await readCoins()).toBe(4);
    await syncPayment({ provider: "paystack", paymentId: reference });
    expect(await readCoins()).toBe(0);
  });

  it("after the order expired is credited", async () => {
    const reference = await startOrder();
    freezeClock(new Date(now().getTime() + 3 * 24 * 60 * 60_000));
    await reconcile();
    const isOrder = eq(orders.sessionId, reference);
    expect(await database().select().from(orders).where(isOrder)).toMatchObject([
      { status: "expired" },
    ]);
    await payByCard(reference, VISA);
    await deliver(await findWebhook(reference));
    expect(await readCoins()).toBe(4);
  });

  it("keeps an id of more than 53 bits", () => {
    expect(parseJson('{"id":9007199254740993,"n":12,"x":1.5}')).toEqual({
      id: "9007199254740993",
      n: 12,
      x: 1.5,
    });
  });
});

describe("a payment page whose address was lost", () => {
  it("is replaced by that of the next attempt, and each can be paid, but only one is credited", async () => {
    const key = randomUUID();
    loseAnswers(2);
    expect(await start(key)).toMatchObject({ ok: false, refusal: "provider-unavailable" });
    freezeClock(new Date(now().getTime() + 10_000));
    const started = await start(key);
    if (!started.ok) throw new Error(started.refusal);
    const [orderId = ""] = started.sessionId.split(".");
    expect(started.sessionId).toBe(`${orderId}.2`);
    expect(started.redirectUrl).toContain(`${orderId}.2`);
    expect(await start(key)).toMatchObject({ sessionId: `${orderId}.2` });
    for (const number of [1, 2]) await payByCard(`${orderId}.${number}`, VISA);
    expect(await deliver(await findWebhook(`${orderId}.1`))).toBe(200);
    expect(await deliver(await findWebhook(`${orderId}.2`))).toBe(200);
    expect(await readCoins()).toBe(4);
    expect(await readAlerts(`${orderId}.2 was paid but`)).toEqual(["payment-mismatch"]);
  });

  it("leads to the result when it was paid", async () => {
    const key = randomUUID();
    loseAnswers(2);
    expect(await start(key)).toMatchObject({ ok: false, refusal: "provider-unavailable" });
    const [order] = await database().select().from(orders).where(eq(orders.userId, viewer.id));
    const reference = `${order?.id}.1`;
    await payByCard(reference, VISA);
    const started = await start(key);
    expect(started).toMatchObject({ ok: true, sessionId: reference });
    expect(started.ok && started.redirectUrl).toContain(`/success?session_id=${reference}`);
  });

  it("is created once when two requests for an order arrive together", async () => {
    const key = randomUUID();
    const results = await Promise.all([start(key), start(key), start(key)]);
    const ids = new Set(results.map((result) => (result.ok ? result.sessionId : result.refusal)));
    expect(ids.size).toBe(1);
    const transactions = await database()
      .select()
      .from(fakePaystackTransactions)
      .where(eq(fakePaystackTransactions.customerEmail, viewer.email));
    expect(transactions).toHaveLength(1);
  });
});

describe("a refund", () => {
  async function buy(card = VISA): Promise<string> {
    const reference = await startOrder();
    await payByCard(reference, card);
    await deliver(await findWebhook(reference));
    expect(await readCoins()).toBe(4);
    return reference;
  }

  const refund = (paymentId: string, idempotencyKey: string, amountCents = 1000) =>
    paystackGateway.refund({ paymentId, amountCents, reason: "asked", idempotencyKey });

  const countRefunds = async (reference: string) =>
    await database().$count(fakePaystackRefunds, eq(fakePaystackRefunds.reference, reference));

  it("whose answer was lost is found in the list, without a second request", async () => {
    const reference = await buy();
    const original = fetch;
    vi.stubGlobal("fetch", async (url: string, init?: RequestInit) => {
      const response = await original(url, init);
      if (init?.method === "POST") throw new TypeError("fetch failed");
      return response;
    });
    expect(await refund(reference, randomUUID())).toMatchObject({ status: "done" });
    expect(await countRefunds(reference)).toBe(1);
  });

  it("beside a lost dispute takes the coins once", async () => {
    const reference = await buy();
    await createRefund(reference, { amountCents: 1000, merchantNote: "dashboard" });
    await disputePayment(reference, "open", 3000);
    await disputePayment(reference, "lost");
    const payment = await paystackGateway.readPayment(reference);
    expect(payment).toMatchObject({ refundedCents: 1000, lostCents: 3000, disputeStatus: "lost" });
    for (const type of ["refund.processed", "charge.dispute.create", "charge.dispute.resolve"])
      expect(await deliver(await findWebhook(reference, type))).toBe(200);
    expect(await readWallet(viewer.id)).toMatchObject({ balanceCoins: 0, owedCoins: 0 });
  });

  it("that needs attention takes the coins and raises an alert", async () => {
    const reference = await buy(STUCK_REFUND);
    expect(await refund(reference, randomUUID(), CENTS)).toMatchObject({ status: "pending" });
    await deliver(await findWebhook(reference, "refund.needs-attention"));
    expect(await readCoins()).toBe(0);
    expect(await readAlerts(reference)).toContain("refund-stuck");
  });

  it("that fails leaves the coins", async () => {
    const reference = await buy(FAILING_REFUND);
    expect(await refund(reference, randomUUID(), CENTS)).toMatchObject({ status: "failed" });
    await deliver(await findWebhook(reference, "refund.failed"));
    expect(await readCoins()).toBe(4);
  });

  it("and a dispute whose webhooks were lost are found by polling", async () => {
    const reference = await buy();
    await createRefund(reference, { amountCents: CENTS, merchantNote: "dashboard" });
    await reconcile();
    expect(await readCoins()).toBe(0);
    const isPayment = eq(coinPurchases.paymentId, reference);
    expect(await database().select().from(coinPurchases).where(isPayment)).toMatchObject([
      { provider: "paystack", refundedCents: CENTS },
    ]);
  });

  it("of a payment of the provider before is still made after a change of provider", async () => {
    const reference = await buy();
    Object.assign(env(), { paymentProvider: "stripe" });
    try {
      await refund(reference, randomUUID(), CENTS);
      await deliver(await findWebhook(reference, "refund.processed"));
      expect(await readCoins()).toBe(0);
    } finally {
      Object.assign(env(), { paymentProvider: "paystack" });
    }
  });
});
