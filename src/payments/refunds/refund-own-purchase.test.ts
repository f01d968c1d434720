import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { startSession } from "#accounts/accounts.server.ts";
import { readEarningsSummary } from "#payouts/payouts.server.ts";
import { pool } from "#platform/database.server.ts";
import { drainQueue } from "#platform/queue.server.ts";
import { unlockRaceCardAs } from "#sales/sales.server.ts";
import { Browser } from "#test/browser.ts";
import { readEmailsTo } from "#test/emails.ts";
import { makeAdmin, makeUser, type Person, publishRaceCard } from "#test/factories.ts";
import { buyCoins, stubFetchInProcess } from "#test/gateway.ts";
import { expectInvariantsToHold } from "#test/integrity-checks.ts";
import { readVisibleText } from "#test/page-text.ts";
import { startTestClock } from "#test/test-clock.ts";
import { disputePayment } from "../fake-stripe/refund-and-dispute.server.ts";
import { GatewayError } from "../gateway.ts";
import { getGateway } from "../gateways.server.ts";
import { syncPayment } from "../sync-payment.server.ts";
import { readOwnRefund, refundOwnPurchase } from "./refund-own-purchase.server.ts";
import { requestRefund, sendPurchaseRefund } from "./refund-purchase.server.ts";

const DAY_MS = 24 * 60 * 60_000;

let buyer: Person;
/** Eight coins for R70.00. */
let purchase: { id: string; sessionId: string; paymentId: string };

beforeEach(async () => {
  stubFetchInProcess();
  buyer = await makeUser();
  purchase = await buyCoins(buyer.id, "value_8");
});
afterEach(async () => {
  vi.restoreAllMocks();
  await drainQueue([sendPurchaseRefund]);
  await expectInvariantsToHold();
  startTestClock();
});

/** Cancels the purchase, as a buyer does who has just seen what goes back. */
async function cancel(id: string = randomUUID(), userId = buyer.id) {
  const shown = await readOwnRefund(userId, purchase.id);
  const shownCents = shown.ok ? shown.amountCents : 0;
  return await refundOwnPurchase(userId, { id, purchaseId: purchase.id, shownCents });
}

const open = async () => unlockRaceCardAs(buyer.id, await publishRaceCard());

async function readState() {
  const { rows } = await pool().query(
    `select w.balance_coins as balance, w.owed_coins as owed, w.frozen_at is not null as frozen,
       p.refunded_cents as refunded
     from wallets w join coin_purchases p on p.user_id = w.user_id where p.id = $1`,
    [purchase.id],
  );
  return rows[0];
}

it("refunds the coins that are not spent, and the tipster keeps what was earned", async () => {
  const raceCard = await publishRaceCard();
  expect(await unlockRaceCardAs(buyer.id, raceCard)).toMatchObject({ ok: true });
  expect(await readOwnRefund(buyer.id, purchase.id)).toMatchObject({
    ok: true,
    coins: 4,
    amountCents: 3500,
  });
  expect(await cancel()).toEqual({ ok: true });
  await drainQueue([sendPurchaseRefund]);
  expect(await readState()).toEqual({ balance: 0, owed: 0, frozen: false, refunded: 3500 });
  expect(await readEarningsSummary(raceCard.creatorId)).toMatchObject({ pendingCents: 2800 });
  expect(await cancel()).toEqual({ ok: false, refusal: "spent" });
});

it("lets nobody spend the coins before they are refunded", async () => {
  expect(await cancel()).toEqual({ ok: true });
  expect(await open()).toMatchObject({ ok: false, refusal: "wallet-frozen" });
  await syncPayment({ provider: "stripe", paymentId: purchase.paymentId });
  expect(await readState()).toMatchObject({ frozen: true });
  await drainQueue([sendPurchaseRefund]);
  expect(await open()).toMatchObject({ refusal: "too-few-coins" });
});

it("refunds once when it is asked twice, concurrently, and beside a race card", async () => {
  const id = randomUUID();
  const raceCard = await publishRaceCard();
  const request = (shownCents: number) =>
    refundOwnPurchase(buyer.id, { id, purchaseId: purchase.id, shownCents });
  const [first, second, unlock] = await Promise.all([
    request(7000),
    request(7000),
    unlockRaceCardAs(buyer.id, raceCard),
  ]);
  // If the race card is opened first, the refund would be of another amount than was shown.
  expect([first, second].some(({ ok }) => ok)).toBe(!unlock.ok);
  if (unlock.ok) expect(first).toEqual({ ok: false, refusal: "amount-changed" });
  await drainQueue([sendPurchaseRefund]);
  expect(await request(unlock.ok ? 3500 : 7000)).toEqual({ ok: true });
  await drainQueue([sendPurchaseRefund]);
  expect(await request(7000)).toEqual({ ok: true });
  expect(await readState()).toEqual({
    balance: 0,
    owed: 0,
    frozen: false,
    refunded: unlock.ok ? 3500 : 7000,
  });
});

it("refuses another amount than was shown, because coins were spent meanwhile", async () => {
  const browser = new Browser();
  browser.applyCookies(await startSession(buyer.id));
  const path = `/profile/purchases/${purchase.id}/refund`;
  const readAmount = (html: string) => /name="amount" value="([^"]*)"/.exec(html)?.[1] ?? "";
  const shown = readAmount(await (await browser.get(path)).text());
  expect(shown).toBe("7000");
  expect(await open()).toMatchObject({ ok: true });
  const staleForms: Record<string, string>[] = [{ amount: shown }, {}];
  for (const fields of staleForms) {
    const refused = await browser.post(path, { id: randomUUID(), ...fields });
    expect(refused.status).toBe(409);
    const page = await refused.text();
    expect(page).toContain("What you get back has changed. Check the new amount.");
    expect(readAmount(page)).toBe("3500");
  }
  expect(await readState()).toMatchObject({ balance: 4, frozen: false, refunded: 0 });
  const accepted = await browser.post(path, { id: randomUUID(), amount: "3500" });
  expect(accepted.headers.get("location")).toBe("/profile#recent-purchases");
  await drainQueue([sendPurchaseRefund]);
  expect(await readState()).toMatchObject({ balance: 0, refunded: 3500 });
});

it("gives the coins back when the provider rejects the refund, and emails the buyer once", async () => {
  vi.spyOn(getGateway("stripe"), "refund").mockRejectedValueOnce(
    new GatewayError("no", { problem: "refused" }),
  );
  expect(await cancel()).toEqual({ ok: true });
  await drainQueue([sendPurchaseRefund]);
  await syncPayment({ provider: "stripe", paymentId: purchase.paymentId });
  expect(await readState()).toEqual({ balance: 8, owed: 0, frozen: false, refunded: 0 });
  const emails = await readEmailsTo(buyer.email);
  expect(emails.filter(({ kind }) => kind === "refund-failed")).toMatchObject([
    { subject: "Your refund of R70.00 failed" },
  ]);
  expect(await open()).toMatchObject({ ok: true });
});

it("refuses after seven days, another person's purchase, a disputed one and a second request", async () => {
  expect(await cancel(randomUUID(), (await makeUser()).id)).toEqual({
    ok: false,
    refusal: "no-such-purchase",
  });
  await cancel();
  expect(await cancel()).toEqual({ ok: false, refusal: "in-progress" });
  await drainQueue([sendPurchaseRefund]);
  purchase = await buyCoins(buyer.id, "starter_4");
  startTestClock({ aheadMs: 7 * DAY_MS - 60_000 });
  expect(await readOwnRefund(buyer.id, purchase.id)).toMatchObject({ ok: true });
  startTestClock({ aheadMs: 7 * DAY_MS + 60_000 });
  expect(await cancel()).toEqual({ ok: false, refusal: "too-late" });
  startTestClock();
  await disputePayment(purchase.sessionId, "needs_response");
  await syncPayment({ provider: "stripe", paymentId: purchase.paymentId });
  expect(await cancel()).toEqual({ ok: false, refusal: "disputed" });
});

it("refuses while another payment is disputed, whose loss then takes these coins and not the tipster's earning", async () => {
  const disputed = purchase;
  const raceCard = await publishRaceCard();
  expect(await unlockRaceCardAs(buyer.id, raceCard)).toMatchObject({ ok: true });
  purchase = await buyCoins(buyer.id, "value_8");
  await disputePayment(disputed.sessionId, "needs_response");
  await syncPayment({ provider: "stripe", paymentId: disputed.paymentId });
  const browser = new Browser();
  browser.applyCookies(await startSession(buyer.id));
  expect(await (await browser.get("/profile")).text()).not.toContain(`${purchase.id}/refund`);
  const path = `/profile/purchases/${purchase.id}/refund`;
  expect(await (await browser.get(path)).text()).toContain("in dispute with the bank");
  expect((await browser.post(path, { id: randomUUID(), amount: "7000" })).status).toBe(409);
  expect(await cancel()).toEqual({ ok: false, refusal: "wallet-frozen" });
  await disputePayment(disputed.sessionId, "lost");
  await syncPayment({ provider: "stripe", paymentId: disputed.paymentId });
  expect(await readState()).toEqual({ balance: 4, owed: 0, frozen: false, refunded: 0 });
  expect(await readEarningsSummary(raceCard.creatorId)).toMatchObject({ pendingCents: 2800 });
  expect(await cancel()).toEqual({ ok: true });
});

it("refuses while an admin refunds another payment", async () => {
  const other = purchase;
  purchase = await buyCoins(buyer.id, "value_8");
  const id = randomUUID();
  const refund = {
    ...{ id, purchaseId: other.id, amountCents: 7000, isBorneByHouse: false },
    shownRemainingCents: 7000,
  };
  const admin = await makeAdmin();
  expect(await requestRefund(admin.id, { ...refund, reason: "Asked" })).toMatchObject({ ok: true });
  expect(await cancel()).toEqual({ ok: false, refusal: "wallet-frozen" });
  await drainQueue([sendPurchaseRefund]);
  expect(await cancel()).toEqual({ ok: true });
});

it("can be asked for again once a dispute is won", async () => {
  await disputePayment(purchase.sessionId, "needs_response");
  await syncPayment({ provider: "stripe", paymentId: purchase.paymentId });
  await disputePayment(purchase.sessionId, "won");
  await syncPayment({ provider: "stripe", paymentId: purchase.paymentId });
  expect(await readOwnRefund(buyer.id, purchase.id)).toMatchObject({ ok: true, coins: 8 });
});

it("is not offered on the profile when the coins are spent", async () => {
  for (let count = 0; count < 2; count += 1) expect(await open()).toMatchObject({ ok: true });
  const browser = new Browser();
  browser.applyCookies(await startSession(buyer.id));
  expect(await (await browser.get("/profile")).text()).not.toContain("/refund");
});

it("is two clicks from the profile, and says afterwards what was refunded", async () => {
  const browser = new Browser();
  browser.applyCookies(await startSession(buyer.id));
  const path = `/profile/purchases/${purchase.id}/refund`;
  expect(await (await browser.get("/profile")).text()).toContain(path);
  expect(await readVisibleText(await browser.get(path))).toContain("Refund R70.00");
  const response = await browser.post(path, { id: randomUUID(), amount: "7000" });
  expect(response.headers.get("location")).toBe("/profile#recent-purchases");
  await drainQueue([sendPurchaseRefund]);
  const profile = await browser.get("/profile");
  const html = await profile.text();
  expect(html).toContain("R70 refunded");
  expect(html).not.toContain(path);
  expect((await browser.get(`/profile/purchases/${randomUUID()}/refund`)).status).toBe(404);
});
