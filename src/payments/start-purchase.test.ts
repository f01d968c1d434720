import { randomUUID } from "node:crypto";
import { count, eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createPriceList } from "#domain/coin-packs.ts";
import { freezeClock, now } from "#platform/clock.server.ts";
import { database, transaction } from "#platform/database.server.ts";
import { makeUser } from "#test/factories.ts";
import { stubFetchInProcess } from "#test/gateway.ts";
import { setWalletFrozen } from "#wallet/wallet.server.ts";
import { paySession } from "./fake-stripe/pay-session.server.ts";
import { fakeStripeSessions } from "./fake-stripe/tables.server.ts";
import { fulfilPurchase } from "./fulfil-purchase.server.ts";
import { refusalMessage } from "./messages.ts";
import { type StartedPurchase, startPurchase } from "./start-purchase.server.ts";
import { stripeGateway } from "./stripe/gateway.server.ts";
import { orders } from "./tables.server.ts";

let viewer: { id: string; email: string };

beforeEach(async () => {
  stubFetchInProcess();
  viewer = await makeUser();
});
afterEach(() => freezeClock(null));

function start(params: Partial<Parameters<typeof startPurchase>[0]> = {}) {
  return startPurchase({
    viewer,
    coinPackId: "starter_4",
    idempotencyKey: randomUUID(),
    returnTo: "/",
    ...params,
  });
}

function sessionOf(started: StartedPurchase): string {
  if (!started.ok) throw new Error(started.refusal);
  return started.sessionId;
}

async function countOrders(): Promise<number> {
  const [row] = await database()
    .select({ count: count() })
    .from(orders)
    .where(eq(orders.userId, viewer.id));
  return row?.count ?? 0;
}

describe("repeating an idempotency key after a failed start", () => {
  const MINUTE = 60_000;

  async function failedStart() {
    const idempotencyKey = randomUUID();
    const startedAt = now();
    freezeClock(startedAt);
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("fetch failed")));
    expect(await start({ idempotencyKey })).toEqual({ ok: false, refusal: "provider-unavailable" });
    stubFetchInProcess();
    const at = (minutes: number) => freezeClock(new Date(startedAt.getTime() + minutes * MINUTE));
    return { idempotencyKey, at };
  }

  it.each([1, 24.9, 25, 31, 59.9])("opens a page %d minutes later", async (minutes) => {
    const { idempotencyKey, at } = await failedStart();
    at(minutes);
    const sessionId = sessionOf(await start({ idempotencyKey }));
    expect(await countOrders()).toBe(1);
    // Returns the same page while it is open, also after the first hour.
    at(minutes + 1);
    expect(sessionOf(await start({ idempotencyKey }))).toBe(sessionId);
  });

  it("is refused an hour later", async () => {
    const { idempotencyKey, at } = await failedStart();
    at(60);
    expect(await start({ idempotencyKey })).toEqual({ ok: false, refusal: "checkout-expired" });
  });

  it("returns a page that was opened late until that page expires", async () => {
    const { idempotencyKey, at } = await failedStart();
    at(45);
    const sessionId = sessionOf(await start({ idempotencyKey }));
    at(119.9);
    expect(sessionOf(await start({ idempotencyKey }))).toBe(sessionId);
    at(120);
    expect(await start({ idempotencyKey })).toEqual({ ok: false, refusal: "checkout-expired" });
  });
});

describe("a wallet that a dispute has frozen", () => {
  it("cannot buy until the dispute is decided; other buyers can", async () => {
    await transaction((tx) => setWalletFrozen(tx, viewer.id, true));
    expect(await start()).toEqual({ ok: false, refusal: "wallet-frozen" });
    expect(await countOrders()).toBe(0);
    expect(await start({ viewer: await makeUser() })).toMatchObject({ ok: true });
    await transaction((tx) => setWalletFrozen(tx, viewer.id, false));
    expect(await start()).toMatchObject({ ok: true });
  });
});

describe("starting a purchase", () => {
  it.each(createPriceList().coinPacks)(
    "charges the price of the coin pack $title",
    async (pack) => {
      const sessionId = sessionOf(await start({ coinPackId: pack.id }));
      const [session] = await database()
        .select()
        .from(fakeStripeSessions)
        .where(eq(fakeStripeSessions.id, sessionId));
      const [order] = await database().select().from(orders).where(eq(orders.sessionId, sessionId));
      expect(order).toMatchObject({
        userId: viewer.id,
        coinPackId: pack.id,
        coinPackTitle: pack.title,
        coins: pack.amountCoins,
        amountCents: pack.priceCents,
        status: "unpaid",
      });
      expect(session).toMatchObject({
        clientReferenceId: order?.id,
        customerEmail: viewer.email,
        amountCents: pack.priceCents,
        currency: "zar",
        successUrl: "http://localhost:3000/success?session_id={CHECKOUT_SESSION_ID}",
      });
    },
  );

  it("sends the provider only the buyer's address and an opaque order id", async () => {
    const sessionId = sessionOf(await start());
    const [session] = await database()
      .select()
      .from(fakeStripeSessions)
      .where(eq(fakeStripeSessions.id, sessionId));
    const sent = JSON.stringify(session?.request);
    expect(sent).toContain(viewer.email);
    expect(sent).not.toContain(viewer.id);
    expect(sent).not.toContain("Thandi");
  });

  it.each([
    ["an unknown coin pack", "gold_1000", "no-such-coin-pack"],
    ["an empty coin pack id", "", "no-such-coin-pack"],
    ["the guest deal", "unlock_tip_starter", "guests-only"],
  ])("refuses %s and writes no order", async (_, coinPackId, refusal) => {
    expect(await start({ coinPackId })).toEqual({ ok: false, refusal });
    expect(await countOrders()).toBe(0);
  });

  it("creates one order and one page for a repeated request", async () => {
    const idempotencyKey = randomUUID();
    const first = await start({ idempotencyKey });
    expect(await start({ idempotencyKey })).toEqual(first);
    expect(await countOrders()).toBe(1);
  });

  it("creates one order and one page for twenty concurrent requests", async () => {
    const idempotencyKey = randomUUID();
    const started = await Promise.all(Array.from({ length: 20 }, () => start({ idempotencyKey })));
    expect(new Set(started.map(sessionOf)).size).toBe(1);
    expect(await countOrders()).toBe(1);
  });

  it("creates another order for another coin pack with the same key", async () => {
    const idempotencyKey = randomUUID();
    const first = sessionOf(await start({ idempotencyKey }));
    expect(sessionOf(await start({ idempotencyKey, coinPackId: "value_8" }))).not.toBe(first);
  });

  it("creates a separate order for another buyer with the same key", async () => {
    const idempotencyKey = randomUUID();
    const first = sessionOf(await start({ idempotencyKey }));
    const other = await makeUser();
    expect(sessionOf(await start({ idempotencyKey, viewer: other }))).not.toBe(first);
  });

  it("returns the success page after the order was paid", async () => {
    const idempotencyKey = randomUUID();
    const sessionId = sessionOf(await start({ idempotencyKey }));
    await paySession(sessionId, "4242424242424242");
    const session = await stripeGateway.readCheckout(sessionId);
    if (session) await fulfilPurchase(session);
    expect(await start({ idempotencyKey })).toMatchObject({
      ok: true,
      redirectUrl: `http://localhost:3000/success?session_id=${sessionId}`,
    });
  });

  it("requires a new request after the page expired", async () => {
    const idempotencyKey = randomUUID();
    await start({ idempotencyKey });
    freezeClock(new Date(now().getTime() + 61 * 60_000));
    expect(await start({ idempotencyKey })).toEqual({ ok: false, refusal: "checkout-expired" });
  });

  it.each([
    ["a local path", "/race-cards/1?x=2", "http://localhost:3000/race-cards/1?x=2&cancelled"],
    ["another origin", "https://evil.example/a", "http://localhost:3000/?cancelled"],
    ["another origin without its protocol", "//evil.example/a", "http://localhost:3000/?cancelled"],
    ["another origin with a backslash", "/\\evil.example", "http://localhost:3000/?cancelled"],
    ["a script", "javascript:alert(1)", "http://localhost:3000/?cancelled"],
  ])("uses a safe cancel URL when returnTo is %s", async (_, returnTo, cancelUrl) => {
    const sessionId = sessionOf(await start({ returnTo }));
    const [session] = await database()
      .select()
      .from(fakeStripeSessions)
      .where(eq(fakeStripeSessions.id, sessionId));
    expect(session?.cancelUrl).toBe(cancelUrl);
  });

  it("reuses the order of a start that failed while the provider was down", async () => {
    const idempotencyKey = randomUUID();
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("fetch failed")));
    expect(await start({ idempotencyKey })).toEqual({ ok: false, refusal: "provider-unavailable" });
    stubFetchInProcess();
    expect((await start({ idempotencyKey })).ok).toBe(true);
    expect(await countOrders()).toBe(1);
  });

  it("is refused when the provider returns no checkout URL", async () => {
    vi.stubGlobal("fetch", async () => Response.json({ id: "cs_test_1", url: null }));
    expect(await start()).toEqual({ ok: false, refusal: "no-checkout-url" });
    expect(refusalMessage("no-checkout-url")).toBe("No checkout URL returned");
  });

  it("is rate limited after 30 starts", async () => {
    const started = [];
    for (let time = 0; time < 31; time += 1) started.push(await start({ coinPackId: "value_8" }));
    expect(started.slice(0, 30).every((result) => result.ok)).toBe(true);
    expect(started.at(-1)).toEqual({ ok: false, refusal: "too-many" });
    freezeClock(new Date(now().getTime() + 16 * 60_000));
    expect((await start()).ok).toBe(true);
  });
});
