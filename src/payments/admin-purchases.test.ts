import { eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startSession } from "#accounts/accounts.server.ts";
import { dateAt, instantAt } from "#domain/calendar.ts";
import { readAudit } from "#platform/audit/audit.server.ts";
import { freezeClock, now } from "#platform/clock.server.ts";
import { database, pool } from "#platform/database.server.ts";
import { unlockRaceCardAs } from "#sales/sales.server.ts";
import { Browser } from "#test/browser.ts";
import { readEmailsTo } from "#test/emails.ts";
import { makeAdmin, makeUser, type Person, publishRaceCard } from "#test/factories.ts";
import { stubFetchInProcess } from "#test/gateway.ts";
import { expectInvariantsToHold } from "#test/integrity-checks.ts";
import { readVisibleText } from "#test/page-text.ts";
import { makeDemoPurchase } from "./fake-provider/make-demo-purchase.server.ts";
import { disputePayment, refundPayment } from "./fake-stripe/refund-and-dispute.server.ts";
import { listOrders } from "./orders.server.ts";
import { resendReceipt } from "./purchase-emails.server.ts";
import {
  readPurchaseSummary,
  readPurchasesByDay,
  readPurchaseTotals,
  rollUpPurchases,
} from "./purchase-summary.server.ts";
import { findPurchase, listPurchases } from "./purchases.server.ts";
import { syncPayment } from "./sync-payment.server.ts";
import { coinPurchases } from "./tables.server.ts";

let admin: Person;
beforeAll(async () => {
  stubFetchInProcess();
  freezeClock(instantAt("2026-11-21", "09:00"));
  admin = await makeAdmin();
});
beforeEach(() => freezeClock(instantAt("2026-11-21", "09:00")));
afterEach(() => freezeClock(null));
afterAll(expectInvariantsToHold);

async function buy(coinPackId: string, { at = now(), buyer }: { at?: Date; buyer?: Person } = {}) {
  const { id: userId } = buyer ?? (await makeUser());
  const { sessionId } = await makeDemoPurchase({ userId, coinPackId, at });
  const [purchase] = await database()
    .select()
    .from(coinPurchases)
    .where(eq(coinPurchases.sessionId, sessionId));
  if (!purchase) throw new Error("no purchase");
  return purchase;
}

/** Returns the totals counted directly from the purchases table. */
async function readCountedTotals() {
  const { rows } = await pool().query(
    `select count(*) as purchases, sum(coins)::bigint as coins, sum(amount_cents)::bigint as cents
     from coin_purchases`,
  );
  const [row] = rows;
  return { purchases: row.purchases, coins: row.coins ?? 0, revenueCents: row.cents ?? 0 };
}

describe("the purchase summary", () => {
  it("returns zero totals before the first purchase", async () => {
    expect(await readPurchaseSummary()).toMatchObject({
      purchases: 0,
      revenueCents: 0,
      averageCents: null,
      topCoinPack: null,
    });
  });

  it("matches the purchases table before, between and after roll-ups", async () => {
    await buy("starter_4");
    await buy("value_8");
    expect(await readPurchaseSummary()).toMatchObject(await readCountedTotals());
    await rollUpPurchases();
    expect(await readPurchaseSummary()).toMatchObject(await readCountedTotals());
    await buy("value_8");
    await buy("ultimate_champion_400", { at: instantAt("2026-11-01", "23:30") });
    expect(await readPurchaseSummary()).toMatchObject({
      ...(await readCountedTotals()),
      topCoinPack: "Sea Cottage",
      averageCents: Math.round((4000 + 7000 + 7000 + 360_000) / 4),
    });
    await rollUpPurchases();
    await rollUpPurchases();
    expect(await readPurchaseSummary()).toMatchObject(await readCountedTotals());
  });

  it("of some dates counts the purchases of their first to their last minute, on the page and in the file", async () => {
    await buy("value_8", { at: instantAt("2026-10-03", "23:59") });
    await buy("value_8", { at: instantAt("2026-10-04", "00:00") });
    await rollUpPurchases();
    await buy("starter_4", { at: instantAt("2026-10-05", "23:59") });
    await buy("starter_4", { at: instantAt("2026-10-06", "00:00") });
    const dates = { from: "2026-10-04", to: "2026-10-05" };
    expect(await readPurchaseTotals(dates)).toEqual({
      purchases: 2,
      coins: 12,
      amountCents: 11_000,
    });
    const { purchases } = await listPurchases(dates);
    expect(purchases.map(({ boughtAt }) => boughtAt)).toEqual([
      instantAt("2026-10-05", "23:59"),
      instantAt("2026-10-04", "00:00"),
    ]);
    const browser = new Browser();
    browser.applyCookies(await startSession(admin.id));
    const path = `?${new URLSearchParams(dates)}`;
    const text = await readVisibleText(await browser.get(`/admin/purchases${path}`));
    expect(text).toContain("R110.00");
    const csv = await (await browser.get(`/admin/purchases.csv${path}`)).text();
    expect(csv.trim().split("\r\n")).toHaveLength(3);
    expect(await readPurchaseTotals({ from: "2026-10-07", to: "2026-10-08" })).toEqual({
      purchases: 0,
      coins: 0,
      amountCents: 0,
    });
  });

  it("counts each purchase once when purchases and roll-ups run concurrently", async () => {
    const buyers = await Promise.all(Array.from({ length: 6 }, () => makeUser()));
    await Promise.all([
      ...buyers.map((buyer) => buy("pro_12", { buyer })),
      rollUpPurchases(),
      rollUpPurchases(),
      ...buyers.map((buyer) => buy("starter_4", { buyer })),
      rollUpPurchases(),
    ]);
    expect(await readPurchaseSummary()).toMatchObject(await readCountedTotals());
    await rollUpPurchases();
    expect(await readPurchaseSummary()).toMatchObject(await readCountedTotals());
  });

  it("skips purchases of running transactions and counts them in a later run", async () => {
    const before = await readPurchaseSummary();
    const client = await pool().connect();
    try {
      await client.query("begin");
      await client.query("select pg_current_xact_id()");
      await buy("starter_4");
      await rollUpPurchases();
      expect(await readPurchaseSummary()).toMatchObject({ purchases: before.purchases + 1 });
    } finally {
      await client.query("rollback");
      client.release();
    }
    await rollUpPurchases();
    expect(await readPurchaseSummary()).toMatchObject({ purchases: before.purchases + 1 });
  });

  it("groups by South African days and includes days without purchases", async () => {
    await buy("starter_4", { at: new Date("2026-11-19T22:30:00Z") });
    await buy("starter_4", { at: new Date("2026-11-19T21:30:00Z") });
    await rollUpPurchases();
    const days = await readPurchasesByDay({ days: 30 });
    expect(days).toHaveLength(30);
    expect(days.at(-1)?.day).toBe(dateAt(now()));
    expect(days.find((day) => day.day === "2026-11-20")).toMatchObject({ purchases: 1, coins: 4 });
    expect(days.find((day) => day.day === "2026-11-19")).toMatchObject({ amountCents: 4000 });
    expect(days.find((day) => day.day === "2026-11-18")).toMatchObject({ purchases: 0 });
  });

  it("reports refunded and disputed amounts separately", async () => {
    const before = await readPurchaseSummary();
    const refunded = await buy("value_8");
    const disputed = await buy("pro_12");
    await refundPayment(refunded.sessionId, 3500);
    await syncPayment({ provider: "stripe", paymentId: refunded.paymentId ?? "" });
    await disputePayment(disputed.sessionId, "needs_response");
    await syncPayment({ provider: "stripe", paymentId: disputed.paymentId ?? "" });
    const after = await readPurchaseSummary();
    expect(after.refundedCents - before.refundedCents).toBe(3500);
    expect(after.disputedCents - before.disputedCents).toBe(10_000);
    expect(
      (await listPurchases({ returned: "refunded" })).purchases.map((purchase) => purchase.id),
    ).toEqual([refunded.id]);
    expect(
      (await listPurchases({ returned: "disputed" })).purchases.map((purchase) => purchase.id),
    ).toEqual([disputed.id]);
  });

  it("of a search or of refunded purchases counts what the list below shows", async () => {
    const at = instantAt("2026-09-02", "10:00");
    const [one, other] = [await makeUser(), await makeUser()];
    await buy("starter_4", { at, buyer: one });
    const refunded = await buy("value_8", { at, buyer: one });
    await buy("pro_12", { at, buyer: other });
    await rollUpPurchases();
    await refundPayment(refunded.sessionId, 3500);
    await syncPayment({ provider: "stripe", paymentId: refunded.paymentId ?? "" });
    const dates = { from: "2026-09-02", to: "2026-09-02" };
    const read = (params: object) => readPurchaseTotals({ ...dates, ...params });
    expect(await read({})).toEqual({ purchases: 3, coins: 24, amountCents: 21_000 });
    const ofOne = { purchases: 2, coins: 12, amountCents: 11_000 };
    expect(await read({ buyerIds: [one.id] })).toEqual(ofOne);
    const ofRefunded = { purchases: 1, coins: 8, amountCents: 7000 };
    expect(await read({ returned: "refunded" })).toEqual(ofRefunded);
    expect(await read({ sessionPrefix: refunded.sessionId })).toEqual(ofRefunded);
    expect(await read({ returned: "disputed" })).toMatchObject({ purchases: 0, amountCents: 0 });
    const browser = new Browser();
    browser.applyCookies(await startSession(admin.id));
    const params = new URLSearchParams({ ...dates, search: one.email });
    const text = await readVisibleText(await browser.get(`/admin/purchases?${params}`));
    expect(text).toMatch(/Purchases of these dates\s*2/);
    expect(text).toContain("R110.00");
  });
});

describe("a partly lost dispute", () => {
  it("counts only the lost amount", async () => {
    const before = await readPurchaseSummary();
    const { sessionId, paymentId } = await buy("pro_12");
    await disputePayment(sessionId, "needs_response", { amountCents: 3000 });
    await disputePayment(sessionId, "lost");
    await syncPayment({ provider: "stripe", paymentId: paymentId ?? "" });
    const after = await readPurchaseSummary();
    expect(after.disputedCents - before.disputedCents).toBe(3000);
    expect(after.refundedCents).toBe(before.refundedCents);
  });
});

describe("the admin list of purchases", () => {
  it("sorts by newest, oldest or largest and lists each purchase once across pages", async () => {
    for (let index = 0; index < 4; index += 1)
      await buy(index % 2 ? "value_8" : "starter_4", {
        at: instantAt(`2026-11-1${index}`, "10:00"),
      });
    for (const order of ["newest", "oldest", "largest"] as const) {
      const all = (await listPurchases({ order, limit: 1000 })).purchases;
      const paged: typeof all = [];
      let cursor: string | null = null;
      do {
        const page: Awaited<ReturnType<typeof listPurchases>> = await listPurchases({
          order,
          cursor,
          limit: 3,
        });
        paged.push(...page.purchases);
        cursor = page.next;
      } while (cursor);
      expect(paged.map((purchase) => purchase.id)).toEqual(all.map((purchase) => purchase.id));
      const keys = all.map((purchase) =>
        order === "largest" ? -purchase.amountCents : purchase.boughtAt.getTime(),
      );
      const sorted = keys.toSorted((a, b) => a - b);
      expect(keys).toEqual(order === "newest" ? sorted.reverse() : sorted);
    }
  });

  it("filters by coin pack, buyers and the prefix of a session id", async () => {
    const buyer = await makeUser();
    const purchase = await buy("blazing_saddles_120", { buyer });
    const ids = async (params: Parameters<typeof listPurchases>[0]) =>
      (await listPurchases(params)).purchases.map((purchase) => purchase.id);
    expect(await ids({ coinPackTitle: "Igugu" })).toEqual([purchase.id]);
    expect(await ids({ buyerIds: [buyer.id] })).toEqual([purchase.id]);
    expect(await ids({ buyerIds: [] })).toEqual([]);
    expect(await ids({ sessionPrefix: purchase.sessionId.slice(0, 20) })).toEqual([purchase.id]);
    expect(await ids({ sessionPrefix: "cs_%" })).toEqual([]);
    expect((await findPurchase(purchase.id))?.userId).toBe(buyer.id);
    expect(await findPurchase("no id")).toBeNull();
    expect(await listOrders(buyer.id)).toMatchObject([
      { coinPackTitle: "Igugu", status: "paid", purchaseId: purchase.id },
    ]);
  });
});

describe("resending a receipt", () => {
  const receiptsTo = async ({ email }: Person) =>
    (await readEmailsTo(email)).filter(({ kind }) => kind === "receipt");

  it("emails the buyer the amounts of the order and writes an audit entry", async () => {
    const buyer = await makeUser();
    const purchase = await buy("value_8", { buyer });
    expect(await resendReceipt(admin.id, purchase.id)).toEqual({ ok: true });
    const [receipt] = await receiptsTo(buyer);
    expect(receipt?.text).toContain("R70");
    expect((await readAudit({ action: "send-receipt" })).entries).toMatchObject([
      { actorId: admin.id, subject: purchase.id },
    ]);
  });

  it("refuses an unknown purchase", async () => {
    expect(await resendReceipt(admin.id, "no id")).toEqual({
      ok: false,
      refusal: "no-such-purchase",
    });
    expect(await resendReceipt(admin.id, admin.id)).toMatchObject({ ok: false });
  });

  it("sends one email for repeated or concurrent requests", async () => {
    const buyer = await makeUser();
    const purchase = await buy("value_8", { buyer });
    const results = await Promise.all(
      Array.from({ length: 4 }, () => resendReceipt(admin.id, purchase.id)),
    );
    expect(results.filter((result) => result.ok)).toHaveLength(1);
    expect(await resendReceipt(admin.id, purchase.id)).toEqual({
      ok: false,
      refusal: "just-sent",
    });
    expect(await receiptsTo(buyer)).toHaveLength(1);
  });
});

describe("the page of a purchase", () => {
  async function readPage(purchaseId: string): Promise<string> {
    const browser = new Browser();
    browser.applyCookies(await startSession(admin.id));
    return await readVisibleText(await browser.get(`/admin/purchases/${purchaseId}`));
  }

  it("shows the coins that a refund took from the wallet and left owed", async () => {
    const purchase = await buy("value_8");
    await unlockRaceCardAs(purchase.userId, await publishRaceCard());
    await refundPayment(purchase.sessionId, 7000);
    await syncPayment({ provider: "stripe", paymentId: purchase.paymentId ?? "" });
    expect(await readPage(purchase.id)).toMatch(/Refund .* −R70.00 −4 coins 4 coins/);
  });
});

describe("the evidence for a dispute", () => {
  it("has consent, order, log ins and opened race cards, but no tip, and is offered during the dispute", async () => {
    const buyer = await makeUser({ name: "Ann Bron" });
    const purchase = await buy("starter_4", { buyer });
    await startSession(buyer.id);
    const raceCard = await publishRaceCard();
    expect(await unlockRaceCardAs(buyer.id, raceCard)).toMatchObject({ ok: true });
    const browser = new Browser();
    browser.applyCookies(await startSession(admin.id));
    const path = `/admin/purchases/${purchase.id}`;
    expect(await (await browser.get(path)).text()).not.toContain("Download evidence");
    await disputePayment(purchase.sessionId, "needs_response");
    await syncPayment({ provider: "stripe", paymentId: purchase.paymentId ?? "" });
    expect(await (await browser.get(path)).text()).toContain(`${path}/evidence.csv`);
    const response = await browser.get(`${path}/evidence.csv`);
    expect(response.headers.get("Content-Type")).toContain("text/csv");
    const text = await response.text();
    for (const part of [
      "Account created",
      "Agreed to the terms of service",
      `R40, order ${purchase.orderId}, payment ${purchase.paymentId}`,
      "Logged in",
      "Race card opened",
    ])
      expect(text).toContain(part);
    expect(text).not.toContain("Secret");
  });

  it("does not exist for an unknown sale", async () => {
    const browser = new Browser();
    browser.applyCookies(await startSession(admin.id));
    expect((await browser.get(`/admin/purchases/nothing/evidence.csv`)).status).toBe(404);
  });
});
