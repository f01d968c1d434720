import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { startSession } from "#accounts/accounts.server.ts";
import {
  readEarningsSummary,
  requestPayout,
  startPayout,
  writeBankDetails,
} from "#payouts/payouts.server.ts";
import { readAudit } from "#platform/audit/audit.server.ts";
import { freezeClock, now } from "#platform/clock.server.ts";
import { pool } from "#platform/database.server.ts";
import { drainQueue } from "#platform/queue.server.ts";
import { unlockRaceCardAs } from "#sales/sales.server.ts";
import { Browser } from "#test/browser.ts";
import { readEmailsTo } from "#test/emails.ts";
import {
  exportForBank,
  makeAdmin,
  makeTipster,
  makeUser,
  type Person,
  publishRaceCard,
} from "#test/factories.ts";
import { buyCoins, stubFetchInProcess } from "#test/gateway.ts";
import { expectInvariantsToHold } from "#test/integrity-checks.ts";
import { readVisibleText } from "#test/page-text.ts";
import { startTestClock } from "#test/test-clock.ts";
import {
  disputePayment,
  failRefund,
  refundPayment,
} from "../fake-stripe/refund-and-dispute.server.ts";
import { GatewayError } from "../gateway.ts";
import { getGateway } from "../gateways.server.ts";
import { findPurchase } from "../purchases.server.ts";
import { reconcilePayments } from "../reconcile-payments.server.ts";
import { syncPayment } from "../sync-payment.server.ts";
import { refundOwnPurchase } from "./refund-own-purchase.server.ts";
import { previewRefund, requestRefund, sendPurchaseRefund } from "./refund-purchase.server.ts";

let admin: Person;
let buyer: Person;
/** Eight coins for R70.00. */
let purchase: { id: string; sessionId: string; paymentId: string };

beforeEach(async () => {
  stubFetchInProcess();
  admin = await makeAdmin();
  buyer = await makeUser();
  purchase = await buyCoins(buyer.id, "value_8");
});
afterEach(async () => {
  vi.restoreAllMocks();
  await expectInvariantsToHold();
  startTestClock();
  freezeClock(null);
});

const sync = () => syncPayment({ provider: "stripe", paymentId: purchase.paymentId });

async function openCards(count: number): Promise<string[]> {
  const creators: string[] = [];
  for (let card = 0; card < count; card += 1) {
    const raceCard = await publishRaceCard();
    expect(await unlockRaceCardAs(buyer.id, raceCard)).toMatchObject({ ok: true });
    creators.push(raceCard.creatorId);
  }
  return creators;
}

type Terms = { amountCents?: number; isBorneByHouse?: boolean; purchaseId?: string };

const preview = ({ amountCents = 7000, isBorneByHouse = false, purchaseId }: Terms = {}) =>
  previewRefund(admin.id, { purchaseId: purchaseId ?? purchase.id, amountCents, isBorneByHouse });

/** Requests a refund, by default as an admin does who has just seen its preview. */
async function request(
  { amountCents = 7000, isBorneByHouse = false, purchaseId = purchase.id }: Terms = {},
  id: string = randomUUID(),
  shownRemainingCents?: number,
) {
  const current = (await findPurchase(purchaseId))?.remainingCents ?? 0;
  return await requestRefund(admin.id, {
    id,
    purchaseId,
    amountCents,
    isBorneByHouse,
    shownRemainingCents: shownRemainingCents ?? current,
    reason: "Charged by mistake",
  });
}

async function refund(terms: Terms = {}) {
  expect(await request(terms)).toMatchObject({ ok: true, isNew: true });
  await drainQueue([sendPurchaseRefund]);
}

/** Coins of the buyer, and what went back to the payer, in cents. */
async function readState() {
  const { rows } = await pool().query(
    `select w.balance_coins as balance, w.owed_coins as owed, p.refunded_cents as refunded
     from wallets w join coin_purchases p on p.user_id = w.user_id where p.id = $1`,
    [purchase.id],
  );
  return rows[0];
}

async function listRefunds() {
  const { rows } = await pool().query<{ id: string; status: string; amount_cents: number }>(
    "select id, status, amount_cents from purchase_refunds where purchase_id = $1 order by created_at",
    [purchase.id],
  );
  return rows;
}

const readEarnedCents = async (creatorId = "") =>
  (await readEarningsSummary(creatorId)).pendingCents;

describe("a refund of unspent coins", () => {
  it("takes them from the wallet, tells the buyer and is audited", async () => {
    expect(await preview()).toEqual({
      ok: true,
      remainingCents: 7000,
      walletCoins: 8,
      owedCoins: 0,
      grantedCoins: 0,
      earnings: [],
    });
    expect(await readState()).toEqual({ balance: 8, owed: 0, refunded: 0 });
    await refund();
    expect(await readState()).toEqual({ balance: 0, owed: 0, refunded: 7000 });
    expect(await listRefunds()).toMatchObject([{ status: "sent", amount_cents: 7000 }]);
    const emails = (await readEmailsTo(buyer.email)).filter(({ text }) => text?.includes("R70"));
    expect(emails.some(({ subject }) => /refund/i.test(subject))).toBe(true);
    const { entries } = await readAudit({ action: "refund-purchase" });
    expect(entries.filter(({ subject }) => subject === purchase.id)).toMatchObject([
      {
        actorId: admin.id,
        details: { amountCents: 7000, isBorneByHouse: false, reason: "Charged by mistake" },
      },
    ]);
  });

  it("takes part of them with part of the price", async () => {
    await openCards(1);
    await refund({ amountCents: 3500 });
    expect(await readState()).toEqual({ balance: 0, owed: 0, refunded: 3500 });
  });
});

describe("a refund of spent coins", () => {
  it("is owed by the buyer and taken from the earning", async () => {
    const [creatorId] = await openCards(1);
    const effect = await preview();
    expect(effect).toMatchObject({ walletCoins: 4, owedCoins: 4, grantedCoins: 0 });
    expect(effect.ok && effect.earnings).toMatchObject([
      { beforeCents: 2800, afterCents: 0, isKept: false },
    ]);
    expect(await readEarnedCents(creatorId)).toBe(2800);
    await refund();
    expect(await readState()).toEqual({ balance: 0, owed: 4, refunded: 7000 });
    expect(await readEarnedCents(creatorId)).toBe(0);
  });

  it("is granted by the house when the admin chooses so, and the tipster keeps the earning", async () => {
    const [creatorId] = await openCards(1);
    expect(await preview({ isBorneByHouse: true })).toEqual({
      ok: true,
      remainingCents: 7000,
      walletCoins: 4,
      owedCoins: 0,
      grantedCoins: 4,
      earnings: [],
    });
    await refund({ isBorneByHouse: true });
    expect(await readState()).toEqual({ balance: 0, owed: 0, refunded: 7000 });
    expect(await readEarnedCents(creatorId)).toBe(2800);
    expect(await unlockRaceCardAs(buyer.id, await publishRaceCard())).toMatchObject({
      refusal: "too-few-coins",
    });
  });

  it("is owed by the buyer although an earlier refund was to be borne by the house", async () => {
    await refund({ amountCents: 2000, isBorneByHouse: true });
    await openCards(1);
    expect(await preview({ amountCents: 5000 })).toMatchObject({ owedCoins: 4, grantedCoins: 0 });
    await refund({ amountCents: 5000 });
    expect(await readState()).toEqual({ balance: 0, owed: 4, refunded: 7000 });
  });

  it("takes the house's coins back when the refund fails later", async () => {
    const [creatorId] = await openCards(1);
    await refund({ isBorneByHouse: true });
    await failRefund(purchase.sessionId, 7000);
    await sync();
    expect(await readState()).toEqual({ balance: 4, owed: 0, refunded: 0 });
    expect(await readEarnedCents(creatorId)).toBe(2800);
    await refund({ isBorneByHouse: true });
    expect(await readState()).toEqual({ balance: 0, owed: 0, refunded: 7000 });
    expect(await readEarnedCents(creatorId)).toBe(2800);
  });

  it("stays with the house when another refund of the purchase fails", async () => {
    await openCards(2);
    await refundPayment(purchase.sessionId, 2000);
    await sync();
    await refund({ amountCents: 5000, isBorneByHouse: true });
    expect(await readState()).toEqual({ balance: 0, owed: 2, refunded: 7000 });
    await failRefund(purchase.sessionId, 2000);
    await sync();
    expect(await listRefunds()).toMatchObject([{ status: "sent" }]);
    expect(await readState()).toEqual({ balance: 0, owed: 0, refunded: 5000 });
  });

  it("cannot grow between the request and the answer of the provider", async () => {
    await request({ isBorneByHouse: true });
    expect(await unlockRaceCardAs(buyer.id, await publishRaceCard())).toMatchObject({
      refusal: "wallet-frozen",
    });
    await drainQueue([sendPurchaseRefund]);
    expect(await readState()).toEqual({ balance: 0, owed: 0, refunded: 7000 });
  });

  it("leaves an earning in a payment file, and says so before", async () => {
    const { id: creatorId } = await makeTipster();
    const raceCard = await publishRaceCard({ creatorId });
    const others = await Promise.all([1, 2, 3, 4].map(() => makeUser({ coins: 4 })));
    for (const person of [buyer, ...others])
      expect(await unlockRaceCardAs(person.id, raceCard)).toMatchObject({ ok: true });
    await writeBankDetails(creatorId, {
      holder: "S. Dube",
      bank: "Capitec",
      branchCode: "470010",
      accountNumber: "1234567890",
      accountType: "savings",
    });
    startTestClock({ aheadMs: 15 * 24 * 60 * 60_000 });
    const payout = await requestPayout(creatorId);
    if (!payout.ok) throw new Error(payout.refusal);
    expect(await startPayout(admin.id, payout.payoutId)).toMatchObject({ ok: true });
    await exportForBank(admin.id, payout.payoutId);
    const effect = await preview();
    expect(effect.ok && effect.earnings).toMatchObject([
      { beforeCents: 2800, afterCents: 2800, isKept: true },
    ]);
    await refund();
    expect(await readState()).toEqual({ balance: 0, owed: 4, refunded: 7000 });
  });
});

describe("a refund", () => {
  it("is made once when it is requested twice, or concurrently", async () => {
    const id = randomUUID();
    expect(await Promise.all([request({}, id), request({}, id)])).toMatchObject([
      { ok: true },
      { ok: true },
    ]);
    await drainQueue([sendPurchaseRefund]);
    expect(await request({}, id)).toMatchObject({ ok: true, isNew: false });
    await drainQueue([sendPurchaseRefund]);
    expect(await listRefunds()).toMatchObject([{ status: "sent" }]);
    expect(await readState()).toMatchObject({ refunded: 7000 });
  });

  it("is alone: of two requests at the same time, one is refused", async () => {
    const results = await Promise.all([
      request({ amountCents: 2000 }),
      request({ amountCents: 3000 }),
    ]);
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    expect(results.find(({ ok }) => !ok)).toMatchObject({ refusal: "in-progress" });
    await drainQueue([sendPurchaseRefund]);
  });

  it("is made once when the answer of the provider is lost", async () => {
    await request({ amountCents: 2000 });
    const [row] = await listRefunds();
    const { refund: send } = getGateway("stripe");
    vi.spyOn(getGateway("stripe"), "refund").mockImplementationOnce(async (params) => {
      await send.call(getGateway("stripe"), params);
      throw new GatewayError("timeout", { problem: "unknown-outcome" });
    });
    const run = () => sendPurchaseRefund.run({ refundId: row?.id ?? "" }, { isLast: false });
    await expect(run()).rejects.toThrow("timeout");
    await expect(run()).rejects.toThrow("is being sent");
    freezeClock(new Date(now().getTime() + 10 * 60_000));
    await Promise.allSettled([run(), run()]);
    expect(await listRefunds()).toMatchObject([{ status: "sent" }]);
    expect(await readState()).toEqual({ balance: 6, owed: 0, refunded: 2000 });
  });

  it("is sent by one of several processes", async () => {
    await request({ amountCents: 2000 });
    const [row] = await listRefunds();
    const send = vi.spyOn(getGateway("stripe"), "refund");
    const run = () => sendPurchaseRefund.run({ refundId: row?.id ?? "" }, { isLast: false });
    const results = await Promise.allSettled([run(), run(), run()]);
    expect(results.map(({ status }) => status)).toContain("fulfilled");
    expect(send).toHaveBeenCalledTimes(1);
    expect(await readState()).toEqual({ balance: 6, owed: 0, refunded: 2000 });
  });

  it("is sent by the reconciliation when its job has given up", async () => {
    await request({ amountCents: 2000 });
    const [row] = await listRefunds();
    vi.spyOn(getGateway("stripe"), "refund").mockRejectedValueOnce(
      new GatewayError("down", { problem: "unavailable" }),
    );
    await expect(
      sendPurchaseRefund.run({ refundId: row?.id ?? "" }, { isLast: true }),
    ).rejects.toThrow("down");
    await pool().query(
      "update purchase_refunds set created_at = created_at - interval '59 minutes' where id = $1",
      [row?.id],
    );
    await reconcilePayments.run({}, { isLast: false });
    expect(await listRefunds()).toMatchObject([{ status: "requested" }]);
    await pool().query(
      "update purchase_refunds set created_at = created_at - interval '2 minutes' where id = $1",
      [row?.id],
    );
    await reconcilePayments.run({}, { isLast: false });
    expect(await listRefunds()).toMatchObject([{ status: "sent" }]);
    expect(await readState()).toEqual({ balance: 6, owed: 0, refunded: 2000 });
  });

  it("that the provider rejects takes nothing and tells the operator", async () => {
    await request();
    vi.spyOn(getGateway("stripe"), "refund").mockRejectedValueOnce(
      new GatewayError("no", { problem: "refused" }),
    );
    await drainQueue([sendPurchaseRefund]);
    expect(await listRefunds()).toMatchObject([{ status: "failed" }]);
    expect(await readState()).toEqual({ balance: 8, owed: 0, refunded: 0 });
    const { rows } = await pool().query("select kind from alerts where subject = $1", [
      purchase.id,
    ]);
    expect(rows).toEqual([{ kind: "refund-failed" }]);
    // The buyer does not know of the refund.
    const kinds = (await readEmailsTo(buyer.email)).map(({ kind }) => kind);
    expect(kinds).not.toContain("refund-failed");
    await refund();
    expect(await readState()).toMatchObject({ refunded: 7000 });
  });

  it("that fails later gives the coins back", async () => {
    await refund();
    await failRefund(purchase.sessionId, 7000);
    await sync();
    expect(await listRefunds()).toMatchObject([{ status: "failed" }]);
    expect(await readState()).toEqual({ balance: 8, owed: 0, refunded: 0 });
  });

  it("is counted once beside the webhook that reports it", async () => {
    await openCards(2);
    await request({ isBorneByHouse: true });
    await Promise.all([drainQueue([sendPurchaseRefund]), sync(), sync()]);
    await sync();
    expect(await readState()).toEqual({ balance: 0, owed: 0, refunded: 7000 });
  });
});

describe("a refund is refused", () => {
  it("above what is left of the payment", async () => {
    await refundPayment(purchase.sessionId, 2000);
    await sync();
    const refusal = { ok: false, refusal: "above-remaining", remainingCents: 5000 };
    expect(await request({ amountCents: 5001 })).toEqual(refusal);
    expect(await preview({ amountCents: 5001 })).toEqual(refusal);
    await refund({ amountCents: 5000 });
    expect(await readState()).toMatchObject({ refunded: 7000 });
  });

  it("when a part of the payment went back since its preview", async () => {
    const shown = await preview({ amountCents: 3000 });
    if (!shown.ok) throw new Error(shown.refusal);
    const id = randomUUID();
    const confirm = (confirmedId: string) =>
      request({ amountCents: 3000 }, confirmedId, shown.remainingCents);
    expect(await confirm(id)).toMatchObject({ ok: true, isNew: true });
    await drainQueue([sendPurchaseRefund]);
    const refusal = { ok: false, refusal: "remaining-changed", remainingCents: 4000 };
    expect(await confirm(randomUUID())).toEqual(refusal);
    expect(await Promise.all([confirm(randomUUID()), confirm(randomUUID())])).toEqual([
      refusal,
      refusal,
    ]);
    // The request that was made is the same refund still.
    expect(await confirm(id)).toMatchObject({ ok: true, isNew: false });
    expect(await request({ amountCents: 3000 }, randomUUID(), Number.NaN)).toEqual(refusal);
    expect(await preview({ amountCents: 3000 })).toMatchObject({ remainingCents: 4000 });
    expect(await readState()).toEqual({ balance: 5, owed: 0, refunded: 3000 });
    await refund({ amountCents: 3000 });
    expect(await readState()).toMatchObject({ refunded: 6000 });
  });

  it("when the buyer cancelled the rest of the purchase since its preview", async () => {
    await openCards(1);
    const cancelled = { id: randomUUID(), purchaseId: purchase.id, shownCents: 3500 };
    expect(await refundOwnPurchase(buyer.id, cancelled)).toEqual({ ok: true });
    await drainQueue([sendPurchaseRefund]);
    expect(await request({ amountCents: 3500 }, randomUUID(), 7000)).toMatchObject({
      refusal: "remaining-changed",
      remainingCents: 3500,
    });
    expect(await readState()).toEqual({ balance: 0, owed: 0, refunded: 3500 });
  });

  it("while a dispute is open", async () => {
    await disputePayment(purchase.sessionId, "needs_response");
    await sync();
    expect(await request()).toMatchObject({ refusal: "disputed" });
  });

  it("with the id of the refund of another purchase", async () => {
    const id = randomUUID();
    expect(await request({ amountCents: 2000 }, id)).toMatchObject({ ok: true });
    await drainQueue([sendPurchaseRefund]);
    purchase = await buyCoins(buyer.id, "starter_4");
    expect(await request({}, id)).toMatchObject({ refusal: "no-such-purchase" });
  });

  it("with the id of a refund of another amount or at another's expense", async () => {
    const id = randomUUID();
    expect(await request({ amountCents: 2000 }, id)).toMatchObject({ ok: true, isNew: true });
    expect(await request({ amountCents: 2000 }, id)).toMatchObject({ ok: true, isNew: false });
    for (const other of [{ amountCents: 2001 }, { amountCents: 2000, isBorneByHouse: true }])
      expect(await request(other, id)).toMatchObject({ ok: false, refusal: "other-terms" });
    expect(await listRefunds()).toMatchObject([{ id, amount_cents: 2000 }]);
    await drainQueue([sendPurchaseRefund]);
  });

  it("without a payment, for an unknown sale, and for the admin's own", async () => {
    expect(await request({ purchaseId: randomUUID() })).toMatchObject({
      refusal: "no-such-purchase",
    });
    purchase = await buyCoins(admin.id, "starter_4");
    expect(await request()).toMatchObject({ refusal: "yourself" });
    purchase = await buyCoins(buyer.id, "starter_4");
    await pool().query("update coin_purchases set payment_id = null where id = $1", [purchase.id]);
    expect(await request()).toMatchObject({ refusal: "not-refundable" });
    await pool().query("update coin_purchases set payment_id = $2 where id = $1", [
      purchase.id,
      purchase.paymentId,
    ]);
  });
});

describe("the page", () => {
  const path = () => `/admin/purchases/${purchase.id}/refund`;

  async function signIn(person: Person, hasCode = true) {
    const browser = new Browser();
    browser.applyCookies(await startSession(person.id, hasCode ? { codeVerifiedAt: now() } : {}));
    return browser;
  }

  const fields = () => ({
    id: randomUUID(),
    amount: "70.00",
    bearer: "buyer",
    remaining: "7000",
    reason: "Mistake",
  });

  it("shows what changes, refunds, and lists the refund at the sale", async () => {
    await openCards(1);
    const browser = await signIn(admin);
    const before = await readVisibleText(await browser.get(`${path()}?amount=70&bearer=buyer`));
    expect(before).toContain("R70.00 goes back to the payer. The wallet loses 4 coins.");
    expect(before).toContain("The buyer owes 4 coins.");
    expect(before).toContain("R28.00 R0.00");
    const response = await browser.post(path(), fields());
    expect(response.headers.get("location")).toBe(`/admin/purchases/${purchase.id}`);
    const inProgress = await readVisibleText(await browser.get(`/admin/purchases/${purchase.id}`));
    expect(inProgress).toContain("R70.00 The buyer In progress");
    expect(await readVisibleText(await browser.get(`${path()}?amount=70&bearer=buyer`))).toContain(
      "A refund of this sale is in progress.",
    );
    await drainQueue([sendPurchaseRefund]);
    const sale = await readVisibleText(await browser.get(`/admin/purchases/${purchase.id}`));
    expect(sale).toContain("Mistake Nomsa Radebe");
    expect(await listRefunds()).toMatchObject([{ status: "sent" }]);
  });

  it.each([
    ["bearer", "", "Please choose who bears coins that are spent"],
    ["amount", "-1", "Please enter an amount in rand"],
    ["amount", "0", "Please enter an amount in rand"],
    ["amount", "70.01", "At most R70.00 of this payment is left"],
  ])("says what is wrong with %s %j", async (name, value, message) => {
    const browser = await signIn(admin);
    const query = new URLSearchParams({ amount: "70", bearer: "house", [name]: value });
    expect(await readVisibleText(await browser.get(`${path()}?${query}`))).toContain(message);
    const response = await browser.post(path(), { ...fields(), [name]: value });
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(await listRefunds()).toEqual([]);
  });

  it("refuses the preview of another admin that was made before a refund, and shows a new one", async () => {
    const browser = await signIn(admin);
    const terms = `${path()}?amount=30&bearer=buyer`;
    const html = await (await browser.get(terms)).text();
    const remaining = /name="remaining" value="([^"]*)"/.exec(html)?.[1] ?? "";
    expect(remaining).toBe("7000");
    await refund({ amountCents: 3000 });
    const stale = { ...fields(), amount: "30", remaining };
    const response = await browser.post(terms, stale);
    expect(response.status).toBe(409);
    const page = await response.text();
    expect(page).toContain("What is left of this payment has changed. Check the new preview.");
    expect(page).toMatch(/name="remaining" value="4000"/);
    const { remaining: _, ...withoutRemaining } = stale;
    expect((await browser.post(terms, withoutRemaining)).status).toBe(409);
    expect(await listRefunds()).toHaveLength(1);
    const confirmed = await browser.post(terms, { ...stale, remaining: "4000" });
    expect(confirmed.headers.get("location")).toBe(`/admin/purchases/${purchase.id}`);
    await drainQueue([sendPurchaseRefund]);
    expect(await readState()).toMatchObject({ refunded: 6000 });
  });

  it("asks for the reason and the code, and serves admins only", async () => {
    const withoutReason = await (await signIn(admin)).post(path(), { ...fields(), reason: " " });
    expect(withoutReason.status).toBe(422);
    const withoutCode = await (await signIn(admin, false)).post(path(), fields());
    expect([401, 403]).toContain(withoutCode.status);
    const unknown = await (await signIn(admin)).post(
      "/admin/purchases/no-such-purchase/refund",
      fields(),
    );
    expect(unknown.status).toBe(404);
    const asBuyer = await (await signIn(buyer)).post(path(), fields());
    expect([403, 404]).toContain(asBuyer.status);
    expect(await listRefunds()).toEqual([]);
  });
});
