import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { Viewer } from "#accounts/accounts.server.ts";
import { freezeClock, now } from "#platform/clock.server.ts";
import { database } from "#platform/database.server.ts";
import { alerts } from "#platform/tables.server.ts";
import { makeUser } from "#test/factories.ts";
import { stubFetchInProcess } from "#test/gateway.ts";
import { expectInvariantsToHold } from "#test/integrity-checks.ts";
import { readWallet } from "#wallet/wallet.server.ts";
import { paySession } from "./fake-stripe/pay-session.server.ts";
import { fakeStripeSessions } from "./fake-stripe/tables.server.ts";
import { fulfilPurchase } from "./fulfil-purchase.server.ts";
import { reconcilePayments } from "./reconcile-payments.server.ts";
import { resolveCheckout } from "./resolve-checkout.server.ts";
import { startPurchase } from "./start-purchase.server.ts";
import { stripeGateway } from "./stripe/gateway.server.ts";
import { orders, paymentAttempts } from "./tables.server.ts";

const VISA = "4242424242424242";

let viewer: { id: string; email: string };
let idempotencyKey: string;

beforeAll(stubFetchInProcess);
beforeEach(async () => {
  viewer = await makeUser();
  idempotencyKey = randomUUID();
});
afterEach(() => {
  freezeClock(null);
  stubFetchInProcess();
});
afterAll(async () => {
  await expectInvariantsToHold();
  vi.unstubAllGlobals();
});

const start = () =>
  startPurchase({ viewer, coinPackId: "starter_4", idempotencyKey, returnTo: "/" });
const reconcile = () => reconcilePayments.run({}, { isLast: true });
const advanceMinutes = (minutes: number) =>
  freezeClock(new Date(now().getTime() + minutes * 60_000));

/** Stubs the provider: requests that create a checkout arrive unless `isLost`, and their answers never do. */
function loseAnswers({ isLost = false } = {}): void {
  const originalFetch = fetch;
  vi.stubGlobal("fetch", async (url: string, init?: RequestInit) => {
    if (init?.method !== "POST") return await originalFetch(url, init);
    if (!isLost) await originalFetch(url, init);
    throw new TypeError("fetch failed");
  });
}

async function readOrder() {
  const [order] = await database().select().from(orders).where(eq(orders.userId, viewer.id));
  if (!order) throw new Error("no order");
  return order;
}

async function readAttempts() {
  return await database()
    .select()
    .from(paymentAttempts)
    .where(eq(paymentAttempts.orderId, (await readOrder()).id))
    .orderBy(paymentAttempts.number);
}

async function readCheckout(sessionId: string | null | undefined) {
  const checkout = await stripeGateway.readCheckout(sessionId ?? "");
  if (!checkout) throw new Error("no checkout");
  return checkout;
}

describe("an attempt to open a payment page", () => {
  it("is written before the provider is called", async () => {
    const states: unknown[] = [];
    const originalFetch = fetch;
    vi.stubGlobal("fetch", async (url: string, init?: RequestInit) => {
      states.push(await readAttempts());
      return await originalFetch(url, init);
    });
    const started = await start();
    expect(states).toMatchObject([[{ number: 1, provider: "stripe", state: "started" }]]);
    const sessionId = started.ok ? started.sessionId : "";
    expect(await readAttempts()).toMatchObject([{ number: 1, state: "open", sessionId }]);
    expect(await readOrder()).toMatchObject({ provider: "stripe", sessionId });
  });

  it("is found by the reconciler when its answer was lost", async () => {
    loseAnswers();
    expect(await start()).toEqual({ ok: false, refusal: "provider-unavailable" });
    expect(await readAttempts()).toMatchObject([{ state: "started", sessionId: null }]);
    stubFetchInProcess();
    advanceMinutes(3);
    await reconcile();
    const [attempt] = await readAttempts();
    const [session] = await database()
      .select()
      .from(fakeStripeSessions)
      .where(eq(fakeStripeSessions.clientReferenceId, (await readOrder()).id));
    expect(attempt).toMatchObject({ state: "open", sessionId: session?.id });
    expect((await readOrder()).sessionId).toBe(session?.id);
    expect(await start()).toMatchObject({ ok: true, sessionId: session?.id });
  });

  it("ends when the provider never received it, and starts again at the next request", async () => {
    loseAnswers({ isLost: true });
    await start();
    stubFetchInProcess();
    advanceMinutes(3);
    await reconcile();
    expect(await readAttempts()).toMatchObject([{ state: "none", sessionId: null }]);
    expect(await start()).toMatchObject({ ok: true });
    expect(await readAttempts()).toMatchObject([{ number: 1, state: "open" }]);
  });

  it("waits for the provider while it is down", async () => {
    loseAnswers();
    await start();
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("fetch failed")));
    advanceMinutes(3);
    await reconcile();
    expect(await readAttempts()).toMatchObject([{ state: "started" }]);
  });

  it("ends at once when the provider refuses it", async () => {
    vi.stubGlobal("fetch", async () =>
      Response.json({ error: { type: "invalid_request_error" } }, { status: 400 }),
    );
    expect(await start()).toEqual({ ok: false, refusal: "provider-unavailable" });
    expect(await readAttempts()).toMatchObject([{ state: "none" }]);
  });
});

describe("an order with two payment pages", () => {
  beforeEach(async () => {
    loseAnswers();
    await start();
    stubFetchInProcess();
    advanceMinutes(30);
    expect(await start()).toMatchObject({ ok: true });
    await reconcile();
    expect(await readAttempts()).toMatchObject([{ state: "open" }, { state: "open" }]);
  });

  it("is credited when the first page is paid, and only once when both are", async () => {
    const [first, second] = await readAttempts();
    await paySession(first?.sessionId ?? "", VISA);
    await paySession(second?.sessionId ?? "", VISA);
    expect(await fulfilPurchase(await readCheckout(first?.sessionId))).toBe("credited");
    expect(await fulfilPurchase(await readCheckout(second?.sessionId))).toBe("mismatch");
    expect((await readWallet(viewer.id)).balanceCoins).toBe(4);
    expect(await readOrder()).toMatchObject({ status: "paid", sessionId: first?.sessionId });
    const [alert] = await database()
      .select()
      .from(alerts)
      .where(eq(alerts.subject, second?.sessionId ?? ""));
    expect(alert?.kind).toBe("payment-mismatch");
  });

  it("is found by either page when the buyer returns from it", async () => {
    const [first, second] = await readAttempts();
    await paySession(first?.sessionId ?? "", VISA);
    const context = { request: new Request("http://localhost/success"), viewer: viewer as Viewer };
    for (const page of [first, second]) {
      const { result } = await resolveCheckout(page?.sessionId ?? "", context);
      expect(result.state).toBe("paid");
    }
    expect((await readWallet(viewer.id)).balanceCoins).toBe(4);
  });

  it("stays open when the first page expires", async () => {
    const [first, second] = await readAttempts();
    const expired = { ...(await readCheckout(first?.sessionId)), status: "expired" as const };
    expect(await fulfilPurchase(expired)).toBe("mismatch");
    expect(await readOrder()).toMatchObject({ status: "unpaid", sessionId: second?.sessionId });
  });

  it("is not credited for a payment of another provider's checkout", async () => {
    const [first] = await readAttempts();
    await paySession(first?.sessionId ?? "", VISA);
    const provider = "another" as "stripe";
    const paid = await readCheckout(first?.sessionId);
    expect(await fulfilPurchase({ ...paid, provider })).toBe("mismatch");
    expect((await readWallet(viewer.id)).balanceCoins).toBe(0);
  });
});
