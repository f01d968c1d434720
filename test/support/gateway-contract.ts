import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { api } from "#api.server.ts";
import {
  type CheckoutParams,
  type DisputeStatus,
  GatewayError,
  type PaymentGateway,
} from "#payments/gateway.ts";
import { reconcilePayments } from "#payments/reconcile-payments.server.ts";
import { startPurchase } from "#payments/start-purchase.server.ts";
import { orders } from "#payments/tables.server.ts";
import { freezeClock, now } from "#platform/clock.server.ts";
import { database } from "#platform/database.server.ts";
import { env } from "#platform/env.server.ts";
import { readWallet } from "#wallet/wallet.server.ts";
import { makeUser } from "./factories.ts";
import { stubFetchInProcess } from "./gateway.ts";
import { expectInvariantsToHold } from "./integrity-checks.ts";

export type SignedWebhook = { body: string; headers: Record<string, string> };

/** A fake provider, with functions that let a test control it in addition to its API. */
export type FakeGateway = {
  gateway: PaymentGateway;
  pay: (sessionId: string) => Promise<void>;
  /** Completes a checkout with a payment method whose money arrives later. */
  payLater: (sessionId: string) => Promise<void>;
  resolveDelayedPayment: (sessionId: string, isPaid: boolean) => Promise<void>;
  failRefund: (sessionId: string, cents: number) => Promise<void>;
  dispute: (sessionId: string, status: DisputeStatus) => Promise<void>;
  /** Returns the webhooks about a checkout and its payment so far, oldest first, with valid signatures. */
  listWebhooks: (sessionId: string) => Promise<SignedWebhook[]>;
  /** Returns requests with the body of a webhook that the provider has not signed. */
  forge: (webhook: SignedWebhook) => SignedWebhook[];
};

const AMOUNT_CENTS = 4000;
const LIFETIME_MS = 60 * 60_000;

/**
 * Defines the tests that every payment gateway must pass against a fake of its provider. They cover only the
 * behaviour that the application relies on. Call it from one test file per provider.
 */
export function testGatewayContract(fake: FakeGateway): void {
  const { gateway } = fake;
  const configured = env().paymentProvider;

  beforeAll(() => {
    Object.assign(env(), { paymentProvider: gateway.provider });
    stubFetchInProcess();
  });
  afterEach(() => {
    freezeClock(null);
    stubFetchInProcess();
  });
  afterAll(async () => {
    await expectInvariantsToHold();
    Object.assign(env(), { paymentProvider: configured });
    vi.unstubAllGlobals();
  });

  const advanceMinutes = (minutes: number) =>
    freezeClock(new Date(now().getTime() + minutes * 60_000));

  const buildParams = (change: Partial<CheckoutParams> = {}): CheckoutParams => ({
    orderId: randomUUID(),
    attempt: 1,
    title: "Horse Chestnut",
    description: "4 coins",
    amountCents: AMOUNT_CENTS,
    isCardOnly: false,
    email: `${randomUUID()}@example.test`,
    buildSuccessUrl: (id) => `${env().appUrl}/success?session_id=${id}`,
    cancelUrl: env().appUrl,
    expiresAt: new Date(now().getTime() + LIFETIME_MS),
    ...change,
  });

  async function createCheckout() {
    const params = buildParams();
    const { sessionId, url } = await gateway.createCheckout(params);
    expect(URL.canParse(url ?? "")).toBe(true);
    return { params, sessionId };
  }

  async function createPayment() {
    const { params, sessionId } = await createCheckout();
    await fake.pay(sessionId);
    const paymentId = (await gateway.readCheckout(sessionId))?.paymentId ?? "";
    expect(paymentId).not.toBe("");
    return { params, sessionId, paymentId };
  }

  /** Makes every request fail. With `hasArrived`, the provider handles the request and only its response is lost. */
  function cutConnection({
    hasArrived = false,
    error = new TypeError("fetch failed") as Error,
  } = {}) {
    const originalFetch = fetch;
    vi.stubGlobal("fetch", async (...request: Parameters<typeof fetch>) => {
      if (hasArrived) await originalFetch(...request);
      throw error;
    });
  }

  async function findProblem(call: () => Promise<unknown>): Promise<string> {
    const error = await call().then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(GatewayError);
    return (error as GatewayError).problem;
  }

  describe("a checkout", () => {
    it("is created once per attempt", async () => {
      const params = buildParams();
      const { sessionId } = await gateway.createCheckout(params);
      expect((await gateway.createCheckout(params)).sessionId).toBe(sessionId);
      const second = await gateway.createCheckout({ ...params, attempt: 2 });
      expect(second.sessionId).not.toBe(sessionId);
    });

    it("is unpaid until it is paid, and then reports its order, amount and payment", async () => {
      const { params, sessionId } = await createCheckout();
      expect(await gateway.readCheckout(sessionId)).toMatchObject({
        provider: gateway.provider,
        sessionId,
        orderId: params.orderId,
        status: "unpaid",
      });
      await fake.pay(sessionId);
      expect(await gateway.readCheckout(sessionId)).toMatchObject({
        status: "paid",
        amountCents: AMOUNT_CENTS,
        currency: "zar",
        isLive: gateway.isLiveMode(),
        paymentId: expect.any(String),
        cardFingerprint: gateway.capabilities.identifiesCards ? expect.any(String) : null,
      });
    });

    it("is delayed until a delayed payment arrives", async () => {
      const { sessionId } = await createCheckout();
      await fake.payLater(sessionId);
      expect((await gateway.readCheckout(sessionId))?.status).toBe("delayed");
      await fake.resolveDelayedPayment(sessionId, true);
      expect((await gateway.readCheckout(sessionId))?.status).toBe("paid");
    });

    it("fails when a delayed payment fails", async () => {
      const { sessionId } = await createCheckout();
      await fake.payLater(sessionId);
      await fake.resolveDelayedPayment(sessionId, false);
      expect((await gateway.readCheckout(sessionId))?.status).toBe("failed");
    });

    it("expires when nobody pays", async () => {
      const { sessionId } = await createCheckout();
      advanceMinutes(61);
      expect((await gateway.readCheckout(sessionId))?.status).toBe("expired");
    });

    it("is found by its attempt when the response was lost", async () => {
      const params = buildParams();
      const attempt = { orderId: params.orderId, attempt: 1, startedAt: now() };
      expect(await gateway.findCheckout(attempt)).toBeNull();
      cutConnection({ hasArrived: true });
      expect(await findProblem(() => gateway.createCheckout(params))).toBe("unknown-outcome");
      stubFetchInProcess();
      const found = await gateway.findCheckout(attempt);
      expect(found).not.toBeNull();
      expect(await gateway.createCheckout(params)).toMatchObject({ sessionId: found?.sessionId });
      expect(await gateway.findCheckout({ ...attempt, attempt: 2 })).toBeNull();
    });

    it("does not exist for an unknown id, and neither does a payment", async () => {
      const { sessionId, paymentId } = await createPayment();
      expect(await gateway.readCheckout(`${sessionId}0`)).toBeNull();
      expect(await gateway.readPayment(`${paymentId}0`)).toBeNull();
    });
  });

  describe("a webhook", () => {
    const verify = ({ body, headers }: SignedWebhook) =>
      gateway.verifyWebhook(body, new Headers(headers));

    it("identifies the object to re-read and contains nothing else", async () => {
      const { sessionId, paymentId } = await createPayment();
      const webhooks = await fake.listWebhooks(sessionId);
      expect(webhooks.length).toBeGreaterThan(0);
      const subjects = webhooks.map((webhook) => {
        const result = verify(webhook);
        if (!result.ok) throw new Error(result.problem);
        expect(Object.keys(result.event).sort()).toEqual(
          ["id", "isLive", "provider", "subject", "type"].sort(),
        );
        expect(verify(webhook)).toEqual(result);
        return result.event.subject;
      });
      const expected = [
        { kind: "checkout", sessionId },
        { kind: "payment", paymentId },
      ];
      const known = subjects.filter((subject) => subject !== null);
      expect(known.length).toBeGreaterThan(0);
      for (const subject of known) expect(expected).toContainEqual(subject);
    });

    it("that is forged or altered is refused and credits nothing", async () => {
      const { viewer, sessionId } = await startOrder();
      await fake.pay(sessionId);
      for (const webhook of await fake.listWebhooks(sessionId))
        for (const forged of [{ ...webhook, body: `${webhook.body} ` }, ...fake.forge(webhook)]) {
          expect(verify(forged)).toMatchObject({ ok: false, problem: "signature" });
          expect((await deliver(forged)).status).toBe(400);
        }
      expect(await readCoins(viewer)).toBe(0);
    });

    it("is listed for times up to that of its event", async () => {
      const { sessionId } = await createPayment();
      const webhooks = await fake.listWebhooks(sessionId);
      const ids = webhooks.flatMap((webhook) => {
        const result = verify(webhook);
        return result.ok && result.event.subject ? [result.event.id] : [];
      });
      const listed = await gateway.listEvents(new Date(now().getTime() - 60_000));
      expect(listed.unreadableIds).toEqual([]);
      expect(listed.events.map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
      const later = await gateway.listEvents(new Date(now().getTime() + 60_000));
      for (const { id } of later.events) expect(ids).not.toContain(id);
    });
  });

  describe.runIf(gateway.capabilities.refunds)("a refund", () => {
    const refund = (
      paymentId: string,
      amountCents: number,
      idempotencyKey: string = randomUUID(),
    ) => gateway.refund({ paymentId, amountCents, reason: "unspent coins", idempotencyKey });

    it("of the whole payment is reported with it", async () => {
      const { paymentId } = await createPayment();
      expect(await gateway.readPayment(paymentId)).toMatchObject({
        provider: gateway.provider,
        paymentId,
        chargedCents: AMOUNT_CENTS,
        currency: "zar",
        refundedCents: 0,
        lostCents: 0,
        disputes: [],
      });
      expect(await refund(paymentId, AMOUNT_CENTS)).toMatchObject({ status: "done" });
      expect((await gateway.readPayment(paymentId))?.refundedCents).toBe(AMOUNT_CENTS);
    });

    it("of a part leaves the rest for a second refund", async () => {
      const { paymentId } = await createPayment();
      await refund(paymentId, 1000);
      expect((await gateway.readPayment(paymentId))?.refundedCents).toBe(1000);
      await refund(paymentId, 3000);
      expect((await gateway.readPayment(paymentId))?.refundedCents).toBe(AMOUNT_CENTS);
    });

    it("is made once per idempotency key, even when the first response was lost", async () => {
      const { paymentId } = await createPayment();
      const key = randomUUID();
      cutConnection({ hasArrived: true });
      expect(await findProblem(() => refund(paymentId, 1000, key))).toBe("unknown-outcome");
      stubFetchInProcess();
      const results = [await refund(paymentId, 1000, key), await refund(paymentId, 1000, key)];
      expect(results[0]).toEqual(results[1]);
      expect((await gateway.readPayment(paymentId))?.refundedCents).toBe(1000);
    });

    it("above what remains is refused", async () => {
      const { paymentId } = await createPayment();
      await refund(paymentId, 3000);
      expect(await findProblem(() => refund(paymentId, 1001))).toBe("refused");
      expect((await gateway.readPayment(paymentId))?.refundedCents).toBe(3000);
    });

    it("that fails later is no longer counted", async () => {
      const { sessionId, paymentId } = await createPayment();
      await refund(paymentId, AMOUNT_CENTS);
      await fake.failRefund(sessionId, AMOUNT_CENTS);
      expect((await gateway.readPayment(paymentId))?.refundedCents).toBe(0);
    });
  });

  describe.runIf(gateway.capabilities.disputes)("a dispute", () => {
    it("is open with a deadline until it is won", async () => {
      const { sessionId, paymentId } = await createPayment();
      await fake.dispute(sessionId, "open");
      const open = await gateway.readPayment(paymentId);
      expect(open).toMatchObject({ disputeStatus: "open", lostCents: 0 });
      expect(open?.disputes).toMatchObject([{ status: "open", amountCents: AMOUNT_CENTS }]);
      expect(open?.disputes[0]?.dueAt?.getTime()).toBeGreaterThan(now().getTime());
      await fake.dispute(sessionId, "won");
      expect(await gateway.readPayment(paymentId)).toMatchObject({
        disputeStatus: "won",
        lostCents: 0,
      });
    });

    it("that is lost takes its amount", async () => {
      const { sessionId, paymentId } = await createPayment();
      await fake.dispute(sessionId, "open");
      await fake.dispute(sessionId, "lost");
      expect(await gateway.readPayment(paymentId)).toMatchObject({
        disputeStatus: "lost",
        lostCents: AMOUNT_CENTS,
      });
    });
  });

  describe("a provider that does not respond", () => {
    it.each([
      ["is down", new TypeError("fetch failed")],
      ["takes too long", new DOMException("The operation was aborted", "AbortError")],
    ])("%s: reads are unavailable and the outcome of writes is unknown", async (_, error) => {
      const { sessionId, paymentId } = await createPayment();
      cutConnection({ error });
      for (const read of [
        () => gateway.readCheckout(sessionId),
        () => gateway.readPayment(paymentId),
        () => gateway.listEvents(now()),
        () => gateway.findCheckout({ orderId: randomUUID(), attempt: 1, startedAt: now() }),
      ])
        expect(await findProblem(read)).toBe("unavailable");
      expect(await findProblem(() => gateway.createCheckout(buildParams()))).toBe(
        "unknown-outcome",
      );
    });

    it("is unavailable for every call when it refuses the API key", async () => {
      vi.stubGlobal("fetch", async () => Response.json({ error: {} }, { status: 401 }));
      expect(await findProblem(() => gateway.readCheckout("unknown"))).toBe("unavailable");
      expect(await findProblem(() => gateway.createCheckout(buildParams()))).toBe("unavailable");
    });
  });

  describe("a purchase", () => {
    it("is credited once for webhooks that are repeated, reordered and concurrent", async () => {
      const { viewer, sessionId } = await startOrder();
      await fake.payLater(sessionId);
      await fake.resolveDelayedPayment(sessionId, true);
      const webhooks = await fake.listWebhooks(sessionId);
      const deliveries = [...webhooks, ...webhooks.toReversed(), ...webhooks].reverse();
      const responses = await Promise.all(deliveries.map(deliver));
      expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
      expect(await readCoins(viewer)).toBe(4);
    });

    it("is credited even if no webhook arrives", async () => {
      const { viewer, sessionId } = await startOrder();
      await fake.pay(sessionId);
      advanceMinutes(3);
      await reconcilePayments.run({}, { isLast: true });
      expect(await readCoins(viewer)).toBe(4);
    });

    it("is not credited while the payment is delayed, nor after it failed or expired", async () => {
      const [failed, expired] = [await startOrder(), await startOrder()];
      await fake.payLater(failed.sessionId);
      for (const webhook of await fake.listWebhooks(failed.sessionId)) await deliver(webhook);
      expect(await readStatus(failed.sessionId)).toBe("delayed");
      await fake.resolveDelayedPayment(failed.sessionId, false);
      for (const webhook of await fake.listWebhooks(failed.sessionId)) await deliver(webhook);
      advanceMinutes(61);
      await reconcilePayments.run({}, { isLast: true });
      expect(await readStatus(failed.sessionId)).toBe("failed");
      expect(await readStatus(expired.sessionId)).toBe("expired");
      expect([await readCoins(failed.viewer), await readCoins(expired.viewer)]).toEqual([0, 0]);
    });

    it("returns 503 to webhooks while the provider is down and is credited at the next delivery", async () => {
      const { viewer, sessionId } = await startOrder();
      await fake.pay(sessionId);
      const webhooks = await fake.listWebhooks(sessionId);
      cutConnection();
      const statuses = [];
      for (const webhook of webhooks) statuses.push((await deliver(webhook)).status);
      expect(statuses).toContain(503);
      expect(await readCoins(viewer)).toBe(0);
      stubFetchInProcess();
      for (const webhook of webhooks) expect((await deliver(webhook)).status).toBe(200);
      expect(await readCoins(viewer)).toBe(4);
    });

    it.runIf(gateway.capabilities.refunds)("loses its coins to a refund", async () => {
      const { viewer, sessionId } = await startOrder();
      await fake.pay(sessionId);
      for (const webhook of await fake.listWebhooks(sessionId)) await deliver(webhook);
      expect(await readCoins(viewer)).toBe(4);
      const paymentId = (await gateway.readCheckout(sessionId))?.paymentId ?? "";
      await gateway.refund({
        paymentId,
        amountCents: AMOUNT_CENTS,
        reason: "unspent coins",
        idempotencyKey: randomUUID(),
      });
      for (const webhook of await fake.listWebhooks(sessionId)) await deliver(webhook);
      expect(await readCoins(viewer)).toBe(0);
    });
  });

  async function startOrder() {
    const viewer = await makeUser();
    const started = await startPurchase({
      viewer,
      coinPackId: "starter_4",
      idempotencyKey: randomUUID(),
      returnTo: "/",
    });
    if (!started.ok) throw new Error(started.refusal);
    return { viewer, sessionId: started.sessionId };
  }

  async function deliver({ body, headers }: SignedWebhook): Promise<Response> {
    return await api().request(`/webhooks/${gateway.provider}`, { method: "POST", headers, body });
  }

  const readCoins = async ({ id }: { id: string }) => (await readWallet(id)).balanceCoins;

  async function readStatus(sessionId: string) {
    const [order] = await database().select().from(orders).where(eq(orders.sessionId, sessionId));
    return order?.status;
  }
}
