import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { startSession } from "#accounts/accounts.server.ts";
import { readAudit } from "#platform/audit/audit.server.ts";
import { freezeClock, now } from "#platform/clock.server.ts";
import { pool } from "#platform/database.server.ts";
import { Browser } from "#test/browser.ts";
import { makeAdmin, makeUser } from "#test/factories.ts";
import { stubFetchInProcess } from "#test/gateway.ts";
import { expectInvariantsToHold } from "#test/integrity-checks.ts";
import { readVisibleText } from "#test/page-text.ts";
import { readWallet } from "#wallet/wallet.server.ts";
import { askProvider } from "./ask-provider.server.ts";
import { paySession } from "./fake-stripe/pay-session.server.ts";
import { refundPayment } from "./fake-stripe/refund-and-dispute.server.ts";
import { startPurchase } from "./start-purchase.server.ts";

let admin: { id: string };
let buyer: { id: string; email: string };
let idempotencyKey: string;
let order: { id: string; sessionId: string };

async function start() {
  const options = { viewer: buyer, coinPackId: "starter_4", idempotencyKey, returnTo: "/" };
  const started = await startPurchase(options);
  if (!started.ok) throw new Error(started.refusal);
  return started;
}

beforeEach(async () => {
  stubFetchInProcess();
  admin = await makeAdmin();
  buyer = await makeUser();
  idempotencyKey = randomUUID();
  const started = await start();
  const { rows } = await pool().query("select id from orders where session_id = $1", [
    started.sessionId,
  ]);
  order = { id: rows[0].id, sessionId: started.sessionId };
});
afterEach(async () => {
  freezeClock(null);
  vi.unstubAllGlobals();
  await expectInvariantsToHold();
});

const ask = () => askProvider(admin.id, order.id);
const coins = async () => (await readWallet(buyer.id)).balanceCoins;

it("credits a paid order that no webhook reported, once, and is audited", async () => {
  await paySession(order.sessionId, "4242424242424242");
  const results = await Promise.all([ask(), ask()]);
  expect(results.map((result) => result.ok && result.outcome).sort()).toEqual([
    "already",
    "credited",
  ]);
  expect(await ask()).toEqual({ ok: true, outcome: "already" });
  expect(await coins()).toBe(4);
  const { entries } = await readAudit({ action: "ask-provider" });
  expect(entries.filter(({ subject }) => subject === order.id)).toHaveLength(3);
});

it("brings the refund of a credited order up to date", async () => {
  await paySession(order.sessionId, "4242424242424242");
  await ask();
  await refundPayment(order.sessionId, 4000);
  expect(await ask()).toEqual({ ok: true, outcome: "already" });
  expect(await coins()).toBe(0);
});

it("credits nothing for an order that is not paid", async () => {
  expect(await ask()).toEqual({ ok: true, outcome: "unpaid" });
  expect(await coins()).toBe(0);
});

/** Makes the order as it is when the provider's answer about its payment page was lost. */
async function loseAnswer() {
  await pool().query("update orders set session_id = null where id = $1", [order.id]);
  await pool().query(
    `update payment_attempts set session_id = null, checkout_url = null, state = 'started',
       created_at = created_at - interval '3 minutes' where order_id = $1`,
    [order.id],
  );
}

it("finds the payment page of an attempt whose answer was lost", async () => {
  await paySession(order.sessionId, "4242424242424242");
  await loseAnswer();
  expect(await ask()).toEqual({ ok: true, outcome: "credited" });
});

describe("about an order with two payment pages", () => {
  let secondSessionId: string;
  beforeEach(async () => {
    await loseAnswer();
    freezeClock(new Date(now().getTime() + 30 * 60_000));
    secondSessionId = (await start()).sessionId;
    expect(secondSessionId).not.toBe(order.sessionId);
  });

  it.each([
    ["first", "second"],
    ["second", "first"],
  ])("reports that the %s was paid and says nothing of the %s", async (paid) => {
    await paySession(paid === "first" ? order.sessionId : secondSessionId, "4242424242424242");
    expect(await ask()).toEqual({ ok: true, outcome: "credited" });
    expect(await ask()).toEqual({ ok: true, outcome: "already" });
    expect(await coins()).toBe(4);
  });

  it("reports a mismatch first when both are paid, and credits once", async () => {
    await paySession(order.sessionId, "4242424242424242");
    await paySession(secondSessionId, "4242424242424242");
    expect(await ask()).toEqual({ ok: true, outcome: "mismatch" });
    expect(await ask()).toEqual({ ok: true, outcome: "mismatch" });
    expect(await coins()).toBe(4);
  });
});

it("reports what was credited when the provider cannot be reached afterwards", async () => {
  await paySession(order.sessionId, "4242424242424242");
  const originalFetch = fetch;
  vi.stubGlobal("fetch", async (url: string, init?: RequestInit) => {
    if (url.includes("/payment_intents") || url.includes("/charges"))
      throw new TypeError("fetch failed");
    return await originalFetch(url, init);
  });
  expect(await ask()).toEqual({ ok: true, outcome: "credited" });
  expect(await ask()).toEqual({ ok: true, outcome: "already" });
  expect(await coins()).toBe(4);
});

it("refuses an unknown order, one without a payment page, and while the provider cannot be reached", async () => {
  expect(await askProvider(admin.id, randomUUID())).toMatchObject({ refusal: "no-such-order" });
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("fetch failed")));
  expect(await ask()).toEqual({ ok: false, refusal: "unreachable" });
  await pool().query("update orders set session_id = null where id = $1", [order.id]);
  await pool().query("delete from payment_attempts where order_id = $1", [order.id]);
  expect(await ask()).toEqual({ ok: false, refusal: "no-payment-page" });
});

it("is one button on the customer's page, for admins only", async () => {
  await paySession(order.sessionId, "4242424242424242");
  const browser = new Browser();
  browser.applyCookies(await startSession(admin.id, { codeVerifiedAt: now() }));
  const path = `/admin/orders/${order.id}/status`;
  expect(await (await browser.get(`/admin/users/${buyer.id}`)).text()).toContain(path);
  expect(await readVisibleText(await browser.post(path, {}))).toContain(
    "Paid. The coins are credited now.",
  );
  const customer = new Browser();
  customer.applyCookies(await startSession(buyer.id));
  expect((await customer.post(path, {})).status).toBe(403);
});
