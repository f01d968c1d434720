import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { array, assert, asyncProperty, constantFrom, nat, oneof, record } from "fast-check";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { readCreatorNotices } from "#creators/creators.server.ts";
import { addDays, type CalendarDate, dateAt, instantAt } from "#domain/calendar.ts";
import {
  requestPayout,
  returnCoins,
  reverseHeldEarning,
  startPayout,
  withdrawExport,
  writeBankDetails,
} from "#payouts/payouts.server.ts";
import { freezeClock, now } from "#platform/clock.server.ts";
import { database } from "#platform/database.server.ts";
import { drainQueue } from "#platform/queue.server.ts";
import { alerts } from "#platform/tables.server.ts";
import { enterResult, unlockRaceCardAs, voidRaceCard } from "#sales/sales.server.ts";
import {
  exportForBank,
  grantTestCoins,
  makeAdmin,
  makeTipster,
  makeUser,
  publishRaceCard,
} from "#test/factories.ts";
import { listEmittedEvents, postWebhook, stubFetchInProcess } from "#test/gateway.ts";
import { expectInvariantsToHold } from "#test/integrity-checks.ts";
import { waitForLockWaiters } from "#test/locks.ts";
import { startTestClock } from "#test/test-clock.ts";
import { readWallet } from "#wallet/wallet.server.ts";
import { applyRefundOrDispute } from "./apply-refund-or-dispute.server.ts";
import { makeDemoPurchase } from "./fake-stripe/make-demo-purchase.server.ts";
import { paySession } from "./fake-stripe/pay-session.server.ts";
import {
  disputePayment,
  failRefund,
  refundPayment,
} from "./fake-stripe/refund-and-dispute.server.ts";
import { fakeStripeSessions } from "./fake-stripe/tables.server.ts";
import { fulfilPurchase } from "./fulfil-purchase.server.ts";
import { lockReport, mergePaymentReport, nextFetchSequence } from "./payment-report.server.ts";
import { startGuestPurchase } from "./start-guest-purchase.server.ts";
import { startPurchase } from "./start-purchase.server.ts";
import { stripeGateway } from "./stripe/gateway.server.ts";
import { syncPayment } from "./sync-payment.server.ts";
import { coinPurchases, paymentEvents, paymentReports } from "./tables.server.ts";

beforeAll(stubFetchInProcess);
afterAll(expectInvariantsToHold);
afterEach(async () => {
  stubFetchInProcess();
  await expectInvariantsToHold();
  startTestClock();
  freezeClock(null);
});

const DAY = 24 * 60 * 60_000;

/** Lets a number of days pass since the start of the tests' clock. */
const daysAhead = (days: number) => startTestClock({ aheadMs: days * DAY });

let buyer: { id: string; email: string };
let sessionId: string;

/** Creates a buyer who bought eight coins for R70 an hour ago. */
beforeEach(async () => {
  buyer = await makeUser();
  await buy("value_8", new Date(now().getTime() - 60 * 60_000));
});

async function buy(coinPackId: string, at = now()): Promise<string> {
  ({ sessionId } = await makeDemoPurchase({ userId: buyer.id, coinPackId, at }));
  return sessionId;
}

async function readPurchase(id = sessionId) {
  const [row] = await database()
    .select()
    .from(coinPurchases)
    .where(eq(coinPurchases.sessionId, id));
  if (!row) throw new Error("no purchase");
  return row;
}

async function sync(id = sessionId) {
  return await syncPayment({
    provider: "stripe",
    paymentId: (await readPurchase(id)).paymentId ?? "",
  });
}

async function refund(cents: number, id = sessionId) {
  await refundPayment(id, cents);
  return await sync(id);
}

/** Applies a refunded total that the fake provider would refuse, as if a provider had reported it. */
async function applyReportedRefund(refundedCents: number): Promise<void> {
  const { paymentId } = await readPurchase();
  const fetchSequence = await nextFetchSequence();
  const details = {
    provider: "stripe" as const,
    paymentId: paymentId ?? "",
    chargedCents: 7000,
    currency: "zar",
    refundedCents,
    lostCents: 0,
    disputeStatus: null,
  };
  await database().transaction(async (tx) => {
    const { report, previousRefundedCents } = await mergePaymentReport(tx, details, fetchSequence);
    await applyRefundOrDispute(tx, await readPurchase(), report, previousRefundedCents);
  });
}

async function failRefunds(cents: number, id = sessionId) {
  await failRefund(id, cents);
  return await sync(id);
}

async function dispute(
  status: "needs_response" | "won" | "lost",
  { id = sessionId, amountCents }: { id?: string; amountCents?: number } = {},
) {
  await disputePayment(id, status, amountCents ? { amountCents } : {});
  return await sync(id);
}

async function loseDispute(options: { id?: string; amountCents?: number } = {}) {
  await dispute("needs_response", options);
  await dispute("lost", options);
}

async function wallet() {
  const { balanceCoins, owedCoins, isFrozen } = await readWallet(buyer.id);
  return { has: balanceCoins, owes: owedCoins, isFrozen };
}

/** Opens race cards, each of a different creator. Returns the ids of the creators. */
async function openCards(count: number, card?: { raceDate: CalendarDate }): Promise<string[]> {
  const creators: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const { raceCardId, creatorId } = await publishRaceCard(card);
    const unlock = await unlockRaceCardAs(buyer.id, { raceCardId });
    if (!unlock.ok) throw new Error(unlock.refusal);
    creators.push(creatorId);
  }
  return creators;
}

/** Returns the earning state of each of the buyer's sales, oldest first. */
async function listSaleStates(buyerId = buyer.id): Promise<string[]> {
  const { rows } = await database().execute<{ state: string }>(sql`
    select coalesce('reversed: ' || r.reason, 'held: ' || e.held_reason, 'earned') as state
    from sales s join earnings e on e.sale_id = s.id
    left join earning_reversals r on r.sale_id = s.id
    where s.buyer_id = ${buyerId} order by s.id`);
  return rows.map((row) => row.state);
}

/** Returns the ledger balance payable to a creator, in cents. */
async function readPayableCents(creatorId: string): Promise<number> {
  const { rows } = await database().execute<{ cents: number }>(sql`
    select coalesce(sum(amount), 0)::integer as cents from ledger_postings
    where owner_id = ${creatorId} and account = 'payable'`);
  return rows[0]?.cents ?? 0;
}

/** Returns the newest event about a session's payment; other tests leave events too. */
async function newestEventOf(id: string) {
  const [session] = await database()
    .select()
    .from(fakeStripeSessions)
    .where(eq(fakeStripeSessions.id, id));
  return (await listEmittedEvents())
    .filter((event) => JSON.stringify(event).includes(session?.paymentIntentId ?? "?"))
    .at(-1);
}

async function alertKinds(id = sessionId): Promise<string[]> {
  const rows = await database()
    .select({ kind: alerts.kind })
    .from(alerts)
    .where(eq(alerts.subject, (await readPurchase(id)).id));
  return rows.map((row) => row.kind).sort();
}

describe("a refund", () => {
  it("recovers the coins in the wallet", async () => {
    expect(await refund(7000)).toBe("applied");
    expect(await wallet()).toEqual({ has: 0, owes: 0, isFrozen: false });
    expect(await readPurchase()).toMatchObject({ refundedCents: 7000, recoveredCoins: 8 });
  });

  it("emails the buyer once per refund, and not for a lost dispute", async () => {
    const readRefundEmails = async () =>
      (
        await database().execute<{ subject: string; text: string }>(sql`
          select subject, text from emails where user_id = ${buyer.id} and kind = 'refunded'
          order by created_at, id`)
      ).rows;
    await dispute("lost");
    expect(await readRefundEmails()).toEqual([]);
    sessionId = await buy("value_8");
    await refund(3500);
    await refund(3500);
    const sentEmails = await readRefundEmails();
    expect(sentEmails.map(({ subject }) => subject)).toEqual([
      "We have refunded you R35.00",
      "We have refunded you R35.00",
    ]);
    expect(sentEmails[0]?.text).toContain("4 coins");
  });

  it("recovers no more coins than were purchased", async () => {
    await grantTestCoins(buyer.id, 5);
    await refund(7000);
    expect(await wallet()).toMatchObject({ has: 5, owes: 0 });
  });

  it("reverses the sales that the spent coins paid for", async () => {
    const [creatorId = ""] = await openCards(1);
    await refund(7000);
    expect(await wallet()).toMatchObject({ has: 0, owes: 0 });
    expect(await listSaleStates()).toEqual(["reversed: refund"]);
    expect(await readPayableCents(creatorId)).toBe(0);
  });

  it("does not reverse a sale from before the purchase", async () => {
    await openCards(2);
    const later = await buy("value_8");
    await openCards(1);
    // Four coins in the wallet, one sale since: all eight are covered without the two older sales.
    await refund(7000, later);
    expect(await listSaleStates()).toEqual(["earned", "earned", "reversed: refund"]);
    expect(await wallet()).toMatchObject({ has: 0, owes: 0 });
  });

  it("does not reverse a newer sale to another buyer", async () => {
    await openCards(1);
    const otherBuyer = await makeUser({ coins: 4 });
    const { raceCardId } = await publishRaceCard();
    await unlockRaceCardAs(otherBuyer.id, { raceCardId });
    await refund(7000);
    expect(await listSaleStates()).toEqual(["reversed: refund"]);
    expect(await listSaleStates(otherBuyer.id)).toEqual(["earned"]);
  });

  it("leaves coins owed instead of reversing a sale from before the purchase", async () => {
    const tomorrow = addDays(dateAt(now()), 1);
    const noonAhead = instantAt(tomorrow, "12:00").getTime() - now().getTime();
    startTestClock({ aheadMs: noonAhead });
    await openCards(2);
    const later = await buy("value_8");
    await openCards(1, { raceDate: addDays(tomorrow, 14) });
    await openCards(1);
    // The newest sale became payable: only one sale since the purchase can still be reversed.
    startTestClock({ aheadMs: noonAhead + 14 * DAY });
    await refund(7000, later);
    expect(await listSaleStates()).toEqual(["earned", "earned", "reversed: refund", "earned"]);
    expect(await wallet()).toMatchObject({ has: 0, owes: 4 });
  });

  it("reverses the newest sale, not the oldest", async () => {
    await grantTestCoins(buyer.id, 4);
    await openCards(3);
    await refund(3500);
    expect(await listSaleStates()).toEqual(["earned", "earned", "reversed: refund"]);
    await refund(3500);
    expect(await listSaleStates()).toEqual(["earned", "reversed: refund", "reversed: refund"]);
  });

  it("leaves coins owed for payable sales and refuses unlocks until they are repaid", async () => {
    await openCards(2);
    daysAhead(15);
    await refund(7000);
    expect(await listSaleStates()).toEqual(["earned", "earned"]);
    expect(await wallet()).toMatchObject({ has: 0, owes: 8 });
    await grantTestCoins(buyer.id, 4);
    const { raceCardId } = await publishRaceCard();
    const result = await unlockRaceCardAs(buyer.id, { raceCardId });
    expect(result).toMatchObject({ ok: false, refusal: "owing" });
    await makeDemoPurchase({ userId: buyer.id, coinPackId: "pro_12", at: now() });
    expect(await wallet()).toMatchObject({ has: 8, owes: 0 });
    expect((await unlockRaceCardAs(buyer.id, { raceCardId })).ok).toBe(true);
  });

  it("recovers whole coins according to the cumulative amount", async () => {
    await refund(874);
    expect(await wallet()).toMatchObject({ has: 8 });
    await refund(1);
    expect(await wallet()).toMatchObject({ has: 7 });
    await refund(2625);
    expect(await wallet()).toMatchObject({ has: 4 });
    await refund(3500);
    expect(await wallet()).toMatchObject({ has: 0 });
    expect(await readPurchase()).toMatchObject({ refundedCents: 7000, recoveredCoins: 8 });
  });

  it.each([[[3500]], [[875, 875, 875, 875]], [[1750, 1750]], [[874, 1, 2625]]])(
    "reverses one sale and leaves nothing owed for half the payment in parts of %j",
    async (parts) => {
      const [, creatorId = ""] = await openCards(2);
      for (const cents of parts) await refund(cents);
      expect(await wallet()).toMatchObject({ has: 0, owes: 0 });
      expect(await listSaleStates()).toEqual(["earned", "reversed: refund"]);
      expect(await readPayableCents(creatorId)).toBe(0);
    },
  );

  it("reverses no sale for coins that were owed and have been repaid since", async () => {
    await openCards(2);
    await refund(1750);
    expect(await wallet()).toMatchObject({ has: 0, owes: 2 });
    await makeDemoPurchase({ userId: buyer.id, coinPackId: "starter_4", at: now() });
    expect(await wallet()).toMatchObject({ has: 2, owes: 0 });
    await refund(1750);
    expect(await wallet()).toMatchObject({ has: 0, owes: 0 });
    expect(await listSaleStates()).toEqual(["earned", "earned"]);
  });

  it("counts once when twenty reports arrive concurrently", async () => {
    await refundPayment(sessionId, 7000);
    await Promise.all(Array.from({ length: 20 }, () => sync()));
    expect(await wallet()).toMatchObject({ has: 0, owes: 0 });
  });

  it("is not overwritten by an older read of the provider that arrives later", async () => {
    const { paymentId } = await readPurchase();
    const earlierReadNumber = await nextFetchSequence();
    await refund(7000);
    const stale = {
      provider: "stripe" as const,
      paymentId: paymentId ?? "",
      chargedCents: 7000,
      currency: "zar",
      refundedCents: 0,
      lostCents: 0,
      disputeStatus: null,
    };
    const { report } = await database().transaction((tx) =>
      mergePaymentReport(tx, stale, earlierReadNumber),
    );
    expect(report.refundedCents).toBe(7000);
    await sync();
    expect(await wallet()).toMatchObject({ has: 0 });
  });

  it("is not overwritten by a read of the provider that started before it and ended later", async () => {
    const { paymentId = "" } = await readPurchase();
    let respondToFirst = () => {};
    const firstMayRespond = new Promise<void>((resolve) => {
      respondToFirst = resolve;
    });
    const request = globalThis.fetch;
    const isReading = new Promise<void>((resolve) => {
      vi.stubGlobal("fetch", async (...input: Parameters<typeof fetch>) => {
        vi.stubGlobal("fetch", request);
        const response = await request(...input);
        resolve();
        await firstMayRespond;
        return response;
      });
    });
    const first = syncPayment({ provider: "stripe", paymentId: paymentId ?? "" });
    await isReading;
    await refund(7000);
    respondToFirst();
    await first;
    expect(await readPurchase()).toMatchObject({ refundedCents: 7000, recoveredCoins: 8 });
    expect(await wallet()).toMatchObject({ has: 0 });
  });

  it.each([
    { refundedCents: 7000, expected: [] },
    { refundedCents: 7001, expected: ["refund-exceeds-payment"] },
  ])(
    "raises the alerts $expected when R70.00 is refunded by $refundedCents cents",
    async ({ refundedCents, expected }) => {
      await applyReportedRefund(refundedCents);
      expect(await alertKinds()).toEqual(expected);
      expect(await readPurchase()).toMatchObject({ refundedCents: 7000, recoveredCoins: 8 });
    },
  );

  it("raises an alert when a fully refunded payment is refunded once more", async () => {
    await refund(7000);
    expect(await alertKinds()).toEqual([]);
    await applyReportedRefund(7001);
    expect(await alertKinds()).toEqual(["refund-exceeds-payment"]);
    expect(await wallet()).toMatchObject({ has: 0, owes: 0 });
  });

  it("reopens a resolved alert only when more is refunded", async () => {
    const readResolvedAt = async () => {
      const [alert] = await database()
        .select()
        .from(alerts)
        .where(eq(alerts.subject, (await readPurchase()).id));
      return alert?.resolvedAt;
    };
    await applyReportedRefund(7001);
    await database().update(alerts).set({ resolvedAt: now() });
    await applyReportedRefund(7001);
    expect(await readResolvedAt()).not.toBeNull();
    await applyReportedRefund(7002);
    expect(await readResolvedAt()).toBeNull();
  });

  it("waits until a concurrent transaction releases the report", async () => {
    const { paymentId } = await readPurchase();
    const payment = { provider: "stripe", paymentId: paymentId ?? "" } as const;
    const order: string[] = [];
    let second: Promise<unknown> | undefined;
    await database().transaction(async (tx) => {
      await lockReport(tx, payment);
      second = database().transaction(async (other) => {
        await lockReport(other, payment);
        order.push("second");
      });
      await waitForLockWaiters(1);
      order.push("first");
    });
    await second;
    expect(order).toEqual(["first", "second"]);
  });

  it("leaves no coins and no debt when the buyer unlocks cards concurrently", async () => {
    const cards = [await publishRaceCard(), await publishRaceCard()];
    await refundPayment(sessionId, 7000);
    await Promise.all([
      sync(),
      ...cards.map(({ raceCardId }) => unlockRaceCardAs(buyer.id, { raceCardId })),
    ]);
    expect(await wallet()).toMatchObject({ has: 0, owes: 0 });
    const states = await listSaleStates();
    expect(states.every((state) => state === "reversed: refund")).toBe(true);
  });
});

describe("a refund that fails", () => {
  it("returns the coins to the wallet and alerts the operator", async () => {
    await refund(7000);
    expect(await alertKinds()).toEqual([]);
    await failRefunds(7000);
    expect(await wallet()).toMatchObject({ has: 8, owes: 0 });
    expect(await readPurchase()).toMatchObject({ refundedCents: 0, recoveredCoins: 0 });
    expect(await alertKinds()).toEqual(["refund-failed"]);
  });

  it("restores the earning of the sale that it reversed", async () => {
    const [creatorId = ""] = await openCards(1);
    await refund(7000);
    expect(await readPayableCents(creatorId)).toBe(0);
    await failRefunds(7000);
    expect(await listSaleStates()).toEqual(["earned"]);
    expect(await readPayableCents(creatorId)).toBe(2800);
    expect(await wallet()).toMatchObject({ has: 4, owes: 0 });
  });

  it("restores no earning that the refund of another purchase reversed", async () => {
    const first = sessionId;
    await openCards(1);
    await refund(7000, first);
    const second = await buy("value_8");
    await openCards(1);
    await refund(7000, second);
    await failRefunds(7000, first);
    expect(await listSaleStates()).toEqual(["earned", "reversed: refund"]);
  });

  it("has the same result as a single refund of the remaining amount", async () => {
    await openCards(2);
    await refund(7000);
    expect(await listSaleStates()).toEqual(["reversed: refund", "reversed: refund"]);
    await failRefunds(3500);
    expect(await listSaleStates()).toEqual(["earned", "reversed: refund"]);
    expect(await wallet()).toMatchObject({ has: 0, owes: 0 });
    expect(await readPurchase()).toMatchObject({ refundedCents: 3500, recoveredCoins: 4 });
  });

  it("reduces the debt first", async () => {
    await openCards(2);
    daysAhead(15);
    await refund(7000);
    expect(await wallet()).toMatchObject({ has: 0, owes: 8 });
    await failRefunds(1750);
    expect(await wallet()).toMatchObject({ has: 0, owes: 6 });
    await failRefunds(5250);
    expect(await wallet()).toMatchObject({ has: 0, owes: 0 });
  });

  it("returns coins that had repaid the debt to the wallet", async () => {
    await openCards(2);
    daysAhead(15);
    await refund(7000);
    await makeDemoPurchase({ userId: buyer.id, coinPackId: "pro_12", at: now() });
    expect(await wallet()).toMatchObject({ has: 4, owes: 0 });
    await failRefunds(7000);
    expect(await wallet()).toMatchObject({ has: 12, owes: 0 });
  });

  it("reverses the same sale once each time the refund is repeated", async () => {
    const [creatorId = ""] = await openCards(1);
    for (let round = 0; round < 3; round += 1) {
      await refund(7000);
      expect(await listSaleStates()).toEqual(["reversed: refund"]);
      expect(await readPayableCents(creatorId)).toBe(0);
      await failRefunds(7000);
      expect(await listSaleStates()).toEqual(["earned"]);
      expect(await readPayableCents(creatorId)).toBe(2800);
    }
  });
});

describe("a dispute", () => {
  it("freezes the wallet and holds the earnings that losing it would take", async () => {
    await openCards(1);
    await dispute("needs_response");
    expect(await wallet()).toEqual({ has: 4, owes: 0, isFrozen: true });
    expect(await listSaleStates()).toEqual(["held: dispute"]);
    const { raceCardId } = await publishRaceCard();
    expect(await unlockRaceCardAs(buyer.id, { raceCardId })).toMatchObject({ ok: false });
    expect(await alertKinds()).toEqual(["dispute"]);
  });

  it("holds no earning of an earlier sale or of another buyer", async () => {
    await openCards(2);
    await buy("value_8");
    await openCards(1);
    const testBuyer = buyer;
    buyer = await makeUser({ coins: 4 });
    await openCards(1);
    const other = buyer;
    buyer = testBuyer;
    await dispute("needs_response");
    expect(await listSaleStates()).toEqual(["earned", "earned", "held: dispute"]);
    expect(await listSaleStates(other.id)).toEqual(["earned"]);
  });

  it("releases everything when it is won", async () => {
    await openCards(1);
    await dispute("needs_response");
    await dispute("won");
    expect(await wallet()).toEqual({ has: 4, owes: 0, isFrozen: false });
    expect(await listSaleStates()).toEqual(["earned"]);
    expect((await readPurchase()).disputeStatus).toBe("won");
  });

  it("keeps an earning held for review after it is won", async () => {
    await openCards(1);
    await database().execute(sql`
      update earnings set held_at = now(), held_reason = 'guest-deal-repeat'
      where sale_id in (select id from sales where buyer_id = ${buyer.id})`);
    await openCards(1);
    await dispute("needs_response");
    expect(await listSaleStates()).toEqual(["held: guest-deal-repeat", "held: dispute"]);
    await dispute("won");
    expect(await listSaleStates()).toEqual(["held: guest-deal-repeat", "earned"]);
  });

  it("recovers the purchased coins and releases the rest when it is lost", async () => {
    await grantTestCoins(buyer.id, 4);
    await openCards(3);
    await loseDispute();
    expect(await wallet()).toEqual({ has: 0, owes: 0, isFrozen: false });
    expect(await listSaleStates()).toEqual(["earned", "reversed: dispute", "reversed: dispute"]);
    expect(await readPurchase()).toMatchObject({
      disputeStatus: "lost",
      lostCents: 7000,
      recoveredCoins: 8,
    });
    expect(await alertKinds()).toEqual(["dispute", "dispute-lost"]);
  });

  it("reverses the held earnings when it is lost after two months", async () => {
    await openCards(2);
    await dispute("needs_response");
    daysAhead(60);
    await dispute("lost");
    expect(await listSaleStates()).toEqual(["reversed: dispute", "reversed: dispute"]);
    expect(await wallet()).toMatchObject({ has: 0, owes: 0 });
  });

  it("has the same result when it is first reported as lost", async () => {
    await openCards(2);
    daysAhead(20);
    await disputePayment(sessionId, "needs_response");
    await dispute("lost");
    expect(await listSaleStates()).toEqual(["reversed: dispute", "reversed: dispute"]);
    expect(await wallet()).toEqual({ has: 0, owes: 0, isFrozen: false });
  });

  it("recovers no coin when less than the price of one coin is lost", async () => {
    await loseDispute({ amountCents: 100 });
    expect(await wallet()).toEqual({ has: 8, owes: 0, isFrozen: false });
    expect(await readPurchase()).toMatchObject({ lostCents: 100, recoveredCoins: 0 });
  });

  it("recovers half the coins for half the amount, and none twice after refunds", async () => {
    await loseDispute({ amountCents: 3500 });
    expect(await wallet()).toMatchObject({ has: 4 });
    await refund(3500);
    expect(await wallet()).toMatchObject({ has: 0, owes: 0 });
    await refund(3500);
    expect(await wallet()).toMatchObject({ has: 0, owes: 0 });
    expect(await postedCents()).toEqual([
      { kind: "dispute", amount: -3500 },
      { kind: "refund", amount: -3500 },
    ]);
  });

  it("recovers the rest when it is lost after a partial refund", async () => {
    await refund(3500);
    await loseDispute({ amountCents: 3500 });
    expect(await wallet()).toMatchObject({ has: 0, owes: 0 });
    expect(await postedCents()).toEqual([
      { kind: "refund", amount: -3500 },
      { kind: "dispute", amount: -3500 },
    ]);
  });

  it("posts no money twice when a refund follows a lost dispute", async () => {
    await loseDispute();
    await refund(7000);
    expect(await postedCents()).toEqual([{ kind: "dispute", amount: -7000 }]);
    expect(await readPurchase()).toMatchObject({ recoveredCoins: 8 });
  });

  it("returns everything and alerts the operator when it is reinstated", async () => {
    const [creatorId = ""] = await openCards(1);
    await loseDispute();
    expect(await readPayableCents(creatorId)).toBe(0);
    await dispute("won");
    expect(await wallet()).toEqual({ has: 4, owes: 0, isFrozen: false });
    expect(await listSaleStates()).toEqual(["earned"]);
    expect(await readPayableCents(creatorId)).toBe(2800);
    expect(await readPurchase()).toMatchObject({ disputeStatus: "won", lostCents: 0 });
    expect(await alertKinds()).toEqual(["dispute", "dispute-lost", "dispute-reinstated"]);
  });

  it("returns what was recovered and holds it again during an appeal", async () => {
    await openCards(1);
    await loseDispute();
    await dispute("needs_response");
    expect(await wallet()).toEqual({ has: 4, owes: 0, isFrozen: true });
    expect(await listSaleStates()).toEqual(["held: dispute"]);
    await dispute("lost");
    expect(await wallet()).toEqual({ has: 0, owes: 0, isFrozen: false });
    expect(await listSaleStates()).toEqual(["reversed: dispute"]);
  });

  it("holds no earning of a sale that other coins of the buyer pay for", async () => {
    const disputed = sessionId;
    await openCards(1);
    await buy("thunder_strike_40");
    await openCards(9);
    // Without the 8 disputed coins, 40 coins pay for 10 race cards.
    await dispute("needs_response", { id: disputed });
    expect(await wallet()).toEqual({ has: 8, owes: 0, isFrozen: true });
    expect(await listSaleStates()).toEqual(Array(10).fill("earned"));
  });

  it("holds no earning of a sale that granted coins pay for", async () => {
    await grantTestCoins(buyer.id, 4);
    await openCards(1);
    await dispute("needs_response");
    expect(await listSaleStates()).toEqual(["earned"]);
  });

  it("releases an earning when a purchase during the dispute can pay for its sale", async () => {
    const disputed = sessionId;
    await openCards(2);
    await dispute("needs_response");
    expect(await listSaleStates()).toEqual(["held: dispute", "held: dispute"]);
    await buy("starter_4");
    expect(await listSaleStates()).toEqual(["earned", "held: dispute"]);
    await dispute("lost", { id: disputed });
    expect(await wallet()).toEqual({ has: 0, owes: 0, isFrozen: false });
  });

  it("keeps the wallet frozen while another dispute of the buyer is open", async () => {
    const first = sessionId;
    await openCards(1);
    await buy("starter_4");
    await openCards(1);
    await dispute("needs_response");
    expect(await listSaleStates()).toEqual(["earned", "earned"]);
    await dispute("needs_response", { id: first });
    expect(await listSaleStates()).toEqual(["held: dispute", "held: dispute"]);
    await dispute("won", { id: first });
    expect(await wallet()).toMatchObject({ isFrozen: true });
    expect(await listSaleStates()).toEqual(["earned", "earned"]);
    await dispute("won");
    expect(await wallet()).toMatchObject({ isFrozen: false });
    expect(await listSaleStates()).toEqual(["earned", "earned"]);
  });

  async function postedCents() {
    const { rows } = await database().execute(sql`
      select t.kind, p.amount from ledger_postings p
      join ledger_transactions t on t.id = p.transaction_id
      where p.account = 'provider' and t.kind <> 'purchase'
        and t.reference like ${`${(await readPurchase()).id}%`} order by p.id`);
    return rows;
  }
});

describe("a payment in another currency", () => {
  /** Simulates the provider's conversion: R70 charged as 3.80 in another currency. */
  async function chargedIn(currency: string, amountCents: number, change: object) {
    await database()
      .update(fakeStripeSessions)
      .set({ currency, amountCents, ...change })
      .where(eq(fakeStripeSessions.id, sessionId));
  }

  it("recovers coins by the refunded share and alerts the operator once", async () => {
    await chargedIn("usd", 380, { refundedCents: 190 });
    await sync();
    expect(await wallet()).toMatchObject({ has: 4 });
    expect(await readPurchase()).toMatchObject({ refundedCents: 3500, recoveredCoins: 4 });
    expect(await alertKinds()).toEqual(["payment-currency"]);
    await chargedIn("usd", 380, { refundedCents: 380 });
    await sync();
    expect(await readPurchase()).toMatchObject({ refundedCents: 7000, recoveredCoins: 8 });
  });

  it("raises no alert when it is in rand", async () => {
    await refund(7000);
    expect(await alertKinds()).toEqual([]);
  });
});

describe("a guest deal", () => {
  type Guest = { raceCardId: string; creatorId: string };

  /** Creates a guest who has paid for one race card, and makes it the test's `buyer`. */
  async function createGuestPurchase(): Promise<Guest> {
    const { raceCardId, creatorId } = await publishRaceCard();
    const email = `guest-${randomUUID()}@example.test`;
    const started = await startGuestPurchase({
      raceCardId,
      name: "Sipho Dlamini",
      email,
      password: "a horse called Pocket",
      agreed: true,
      idempotencyKey: randomUUID(),
      clientAddress: "10.1.1.1",
      returnTo: "/",
    });
    if (!started.ok) throw new Error(started.refusal);
    sessionId = started.sessionId;
    await paySession(sessionId, createCardNumber());
    const session = await stripeGateway.readCheckout(sessionId);
    if (!session) throw new Error("no session");
    expect(await fulfilPurchase(session)).toBe("credited");
    buyer = { id: (await readPurchase()).userId, email };
    return { raceCardId, creatorId };
  }

  let cards = 0;
  /** Returns a new card number with a valid check digit. */
  function createCardNumber(): string {
    cards += 1;
    const digits = `42424242${String(cards).padStart(7, "0")}`;
    for (let check = 0; ; check += 1) {
      const sum = [...`${digits}${check}`].reverse().reduce((total, digit, index) => {
        const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
        return total + (value > 9 ? value - 9 : value);
      }, 0);
      if (sum % 10 === 0) return `${digits}${check}`;
    }
  }

  it("holds the sale of the guest's race card during a dispute", async () => {
    await createGuestPurchase();
    await dispute("needs_response");
    expect(await listSaleStates()).toEqual(["held: dispute"]);
  });

  it.each([
    ["refunded", () => refund(4000)],
    ["lost in a dispute", () => loseDispute()],
  ])("reverses the sale paid with welcome coins when it is %s", async (_, undo) => {
    const { creatorId } = await createGuestPurchase();
    await undo();
    expect(await wallet()).toEqual({ has: 0, owes: 0, isFrozen: false });
    expect((await listSaleStates())[0]).toMatch(/^reversed/);
    expect(await readPayableCents(creatorId)).toBe(0);
  });

  it("reverses the sales of purchased and of welcome coins when it is lost", async () => {
    const { creatorId } = await createGuestPurchase();
    const [other = ""] = await openCards(1);
    await loseDispute();
    expect(await listSaleStates()).toEqual(["reversed: dispute", "reversed: dispute"]);
    expect(await readPayableCents(creatorId)).toBe(0);
    expect(await readPayableCents(other)).toBe(0);
    expect(await wallet()).toMatchObject({ has: 0, owes: 0 });
  });

  it("reverses the sale paid with welcome coins, not a newer sale of another purchase", async () => {
    await createGuestPurchase();
    const guestSession = sessionId;
    await buy("value_8");
    await openCards(1);
    await refund(4000, guestSession);
    expect(await listSaleStates()).toEqual(["reversed: refund", "earned"]);
  });

  it("keeps the sale paid with welcome coins until it is refunded in full", async () => {
    await createGuestPurchase();
    for (const has of [3, 2, 1]) {
      await refund(1000);
      expect(await wallet()).toMatchObject({ has, owes: 0 });
      expect(await listSaleStates()).toEqual(["earned"]);
    }
    await refund(1000);
    expect(await wallet()).toMatchObject({ has: 0, owes: 0 });
    expect(await listSaleStates()).toEqual(["reversed: refund"]);
  });

  it("restores the sale paid with welcome coins when it is reinstated", async () => {
    const { creatorId } = await createGuestPurchase();
    await loseDispute();
    await dispute("won");
    expect(await listSaleStates()).toEqual(["earned"]);
    expect(await readPayableCents(creatorId)).toBe(2800);
    expect(await wallet()).toMatchObject({ has: 4, owes: 0 });
  });

  it("recovers welcome coins from the sale and those returned for void races, and restores both", async () => {
    const { creatorId } = await createGuestPurchase();
    const { rows } = await database().execute<{ id: string }>(
      sql`select tip_ids[1] as id from sales where buyer_id = ${buyer.id}`,
    );
    const entry = { tipId: rows[0]?.id ?? "", result: "void" as const, reason: "Non-runner" };
    await enterResult((await makeAdmin()).id, entry);
    await drainQueue([returnCoins]);
    expect(await wallet()).toMatchObject({ has: 6, owes: 0 });
    await refund(4000);
    expect(await wallet()).toMatchObject({ has: 0, owes: 0 });
    expect(await listSaleStates()).toEqual(["reversed: refund"]);
    expect(await readPayableCents(creatorId)).toBe(0);
    await failRefunds(4000);
    expect(await wallet()).toMatchObject({ has: 6, owes: 0 });
    expect(await listSaleStates()).toEqual(["earned"]);
    expect(await readPayableCents(creatorId)).toBe(1400);
    // Once the sale is payable it stays, and only the returned coins are recovered.
    daysAhead(15);
    await refund(4000);
    expect(await wallet()).toMatchObject({ has: 0, owes: 0 });
    expect(await listSaleStates()).toEqual(["earned"]);
  });

  /** Voids the first race of the guest's race card, or every race, and returns the coins. */
  async function voidGuestCard(races: "first" | "all"): Promise<void> {
    const { rows } = await database().execute<{ id: string }>(sql`
      select unnest(tip_ids) as id from sales where buyer_id = ${buyer.id} order by sales.id`);
    const admin = await makeAdmin();
    for (const { id } of races === "all" ? rows : rows.slice(0, 1))
      await enterResult(admin.id, { tipId: id, result: "void", reason: "Non-runner" });
    await drainQueue([returnCoins]);
  }

  it("restores another sale from which welcome coins were recovered", async () => {
    await createGuestPurchase();
    await voidGuestCard("all");
    expect(await wallet()).toMatchObject({ has: 8, owes: 0 });
    const creators = await openCards(2);
    const readCents = () => Promise.all(creators.map(readPayableCents));
    await refund(4000);
    expect(await wallet()).toMatchObject({ has: 0, owes: 0 });
    expect(await listSaleStates()).toEqual([
      "reversed: void",
      "reversed: refund",
      "reversed: refund",
    ]);
    expect(await readCents()).toEqual([0, 0]);
    await failRefunds(4000);
    expect(await wallet()).toMatchObject({ has: 0, owes: 0 });
    expect(await listSaleStates()).toEqual(["reversed: void", "earned", "earned"]);
    expect(await readCents()).toEqual([2800, 2800]);
    // A second refund recovers the same coins again.
    await refund(4000);
    expect(await readCents()).toEqual([0, 0]);
    expect(await wallet()).toMatchObject({ has: 0, owes: 0 });
  });

  it("restores the sale of the welcome coins before the sales of purchased coins", async () => {
    const { creatorId } = await createGuestPurchase();
    await database().execute(sql`
      update coin_purchases set opened_race_card_id = null where session_id = ${sessionId}`);
    await voidGuestCard("first");
    expect(await wallet()).toMatchObject({ has: 6, owes: 0 });
    const [creatorOfBoughtCard = ""] = await openCards(1);
    await grantTestCoins(buyer.id, 2);
    await openCards(1);
    const { rows } = await database().execute<{ id: number }>(
      sql`select max(id) as id from sales where buyer_id = ${buyer.id}`,
    );
    const saleId = Number(rows[0]?.id);
    await database().execute(sql`
      update earnings set held_at = now(), held_reason = 'guest-deal-repeat' where sale_id = ${saleId}`);
    expect(await reverseHeldEarning((await makeAdmin()).id, saleId, "Shared account")).toEqual({
      ok: true,
    });
    // The purchased coins are in the newer sale, which has 4 coins, the welcome coins in the older, which has 2.
    await refund(4000);
    expect(await listSaleStates()).toEqual([
      "reversed: refund",
      "reversed: refund",
      "reversed: review",
    ]);
    expect(await wallet()).toMatchObject({ has: 0, owes: 0 });
    await failRefunds(2000);
    expect(await listSaleStates()).toEqual(["earned", "earned", "reversed: review"]);
    expect(await readPayableCents(creatorId)).toBe(1400);
    expect(await readPayableCents(creatorOfBoughtCard)).toBe(2800);
    expect(await wallet()).toMatchObject({ has: 0, owes: 2 });
  });

  it("keeps a sale that is already payable and leaves no welcome coins owed", async () => {
    const { creatorId } = await createGuestPurchase();
    daysAhead(15);
    await refund(4000);
    expect(await listSaleStates()).toEqual(["earned"]);
    expect(await readPayableCents(creatorId)).toBe(2800);
    expect(await wallet()).toMatchObject({ has: 0, owes: 0 });
  });

  it("recovers no more welcome coins than are left after the purchased coins", async () => {
    await createGuestPurchase();
    await database().execute(sql`
      update coin_purchases set opened_race_card_id = null where session_id = ${sessionId}`);
    await refund(4000);
    expect(await wallet()).toMatchObject({ has: 0, owes: 0 });
  });

  it("keeps the sale paid by welcome coins out of the recovery of purchased coins", async () => {
    const { creatorId } = await createGuestPurchase();
    const [other = ""] = await openCards(1);
    const { rows } = await database().execute<{ id: number }>(
      sql`select id from sales where creator_id = ${other}`,
    );
    const saleId = Number(rows[0]?.id);
    await database().execute(sql`
      update earnings set held_at = now(), held_reason = 'guest-deal-repeat' where sale_id = ${saleId}`);
    expect(await reverseHeldEarning((await makeAdmin()).id, saleId, "Shared account")).toEqual({
      ok: true,
    });
    await refund(4000);
    expect(await wallet()).toMatchObject({ has: 0, owes: 4 });
    expect(await listSaleStates()).toEqual(["reversed: refund", "reversed: review"]);
    expect(await readPayableCents(creatorId)).toBe(0);
  });

  it("recovers unspent welcome coins from the wallet", async () => {
    await createGuestPurchase();
    await database().execute(sql`
      update coin_purchases set opened_race_card_id = null where session_id = ${sessionId}`);
    await grantTestCoins(buyer.id, 6);
    await refund(4000);
    expect(await wallet()).toMatchObject({ has: 2, owes: 0 });
    expect(await listSaleStates()).toEqual(["earned"]);
    await failRefunds(4000);
    expect(await wallet()).toMatchObject({ has: 10, owes: 0 });
  });
});

describe("creator notices about a reversed sale", () => {
  const readNotices = async (creatorId: string) =>
    (await readCreatorNotices(creatorId, { since: new Date(0) })).map(({ title, message }) => ({
      title,
      message,
    }));

  it.each([
    [
      "a failed refund",
      () => refund(7000),
      () => failRefunds(7000),
      "we restored what you earned from 1 sale, because the refund of the buyer's payment failed.",
    ],
    [
      "a reinstated dispute",
      () => loseDispute(),
      () => dispute("won"),
      "we restored what you earned from 1 sale, because the dispute about the buyer's payment ended in our favour.",
    ],
  ])(
    "are sent once when it is restored after %s, also by email",
    async (_, reverse, restore, message) => {
      const [creatorId = "", otherCreatorId = ""] = await openCards(2);
      await reverse();
      expect(await readNotices(creatorId)).toMatchObject([
        { title: "R28.00 of your earnings was reversed" },
      ]);
      await restore();
      await Promise.all([sync(), sync()]);
      const title = "R28.00 of your earnings was restored";
      for (const id of [creatorId, otherCreatorId]) {
        expect(await readNotices(id)).toEqual([
          { title, message },
          { title: "R28.00 of your earnings was reversed", message: expect.any(String) },
        ]);
        const { rows } = await database().execute(
          sql`select 1 from emails where user_id = ${id} and kind = 'creator-notice' and subject = ${title}`,
        );
        expect(rows).toHaveLength(1);
      }
    },
  );

  it("are not sent for a sale that stays reversed", async () => {
    const [olderCreatorId = "", newerCreatorId = ""] = await openCards(2);
    await refund(7000);
    await failRefunds(3500);
    const titles = async (id: string) => (await readNotices(id)).map(({ title }) => title);
    expect(await titles(olderCreatorId)).toEqual([
      "R28.00 of your earnings was restored",
      "R28.00 of your earnings was reversed",
    ]);
    expect(await titles(newerCreatorId)).toEqual(["R28.00 of your earnings was reversed"]);
  });
});

describe("a refund or dispute of a sale whose races are void in part", () => {
  /** Opens race cards with four races each, so that each void race returns one coin. */
  async function openFourRaces(count: number) {
    const opened: { creatorId: string; tipIds: string[] }[] = [];
    for (let index = 0; index < count; index += 1) {
      const { raceCardId, creatorId } = await publishRaceCard({ races: [1, 2, 3, 4] });
      const unlock = await unlockRaceCardAs(buyer.id, { raceCardId });
      if (!unlock.ok) throw new Error(unlock.refusal);
      opened.push({ creatorId, tipIds: unlock.tips.map((tip) => tip.id) });
    }
    return opened;
  }

  const admin = { id: "" };
  beforeEach(async () => {
    admin.id = (await makeAdmin()).id;
  });
  const voidTip = async (tipId: string | undefined) => {
    const entry = { tipId: tipId ?? "", result: "void" as const, reason: "Non-runner" };
    expect(await enterResult(admin.id, entry)).toMatchObject({ ok: true });
  };
  /** Enters that a race was run after all. Only after its off. */
  const correctTip = async (tipId: string | undefined) => {
    const entry = { tipId: tipId ?? "", result: "lost" as const, reason: "It ran" };
    expect(await enterResult(admin.id, entry)).toMatchObject({ ok: true });
  };
  const voidAndReturn = async (tipId: string | undefined) => {
    await voidTip(tipId);
    await drainQueue([returnCoins]);
  };
  const readNetCoins = async () => {
    const { has, owes } = await wallet();
    return has - owes;
  };

  it("recovers only coins that were not returned, and restores them with the coins due since", async () => {
    const [card, other] = await openFourRaces(2);
    await voidAndReturn(card?.tipIds[0]);
    expect(await wallet()).toMatchObject({ has: 1, owes: 0 });
    await refund(7000);
    expect(await wallet()).toMatchObject({ has: 0, owes: 0 });
    expect(await listSaleStates()).toEqual(["reversed: refund", "reversed: refund"]);
    for (const creatorId of [card?.creatorId, other?.creatorId])
      expect(await readPayableCents(creatorId ?? "")).toBe(0);
    await voidAndReturn(card?.tipIds[1]);
    await voidAndReturn(other?.tipIds[0]);
    expect(await wallet()).toMatchObject({ has: 0, owes: 0 });
    await failRefunds(7000);
    expect(await listSaleStates()).toEqual(["earned", "earned"]);
    expect(await wallet()).toMatchObject({ has: 3, owes: 0 });
    expect(await readPayableCents(card?.creatorId ?? "")).toBe(1400);
    expect(await readPayableCents(other?.creatorId ?? "")).toBe(2100);
    const notices = await readCreatorNotices(other?.creatorId ?? "", { since: new Date(0) });
    expect(notices.map(({ title }) => title)).toContain("R21.00 of your earnings was restored");
  });

  it("leaves coins owed that are less than a whole sale", async () => {
    const [older] = await openFourRaces(2);
    await voidAndReturn(older?.tipIds[0]);
    await refund(3500);
    // One coin was in the wallet, and three are less than the newest sale.
    expect(await wallet()).toMatchObject({ has: 0, owes: 3 });
    expect(await listSaleStates()).toEqual(["earned", "earned"]);
    await voidAndReturn(older?.tipIds[1]);
    expect(await wallet()).toMatchObject({ has: 0, owes: 2 });
    await failRefunds(3500);
    expect(await wallet()).toMatchObject({ has: 2, owes: 0 });
  });

  it("reverses a void sale in the transaction that restores it, so that it enters no payout", async () => {
    const [card] = await openFourRaces(1);
    await loseDispute();
    const tipIds = card?.tipIds ?? [];
    for (const tipId of tipIds) await voidTip(tipId);
    await drainQueue([returnCoins]);
    expect(await listSaleStates()).toEqual(["reversed: dispute"]);
    await dispute("won");
    expect(await listSaleStates()).toEqual(["reversed: void"]);
    expect(await readPayableCents(card?.creatorId ?? "")).toBe(0);
    expect(await wallet()).toMatchObject({ has: 8, owes: 0 });
    expect(await drainQueue([returnCoins])).toBe(0);
  });

  it("holds no earning that a correction restores during a dispute, because its coins are in the wallet", async () => {
    const [card] = await openFourRaces(1);
    for (const tipId of card?.tipIds ?? []) await voidTip(tipId);
    await drainQueue([returnCoins]);
    expect(await listSaleStates()).toEqual(["reversed: void"]);
    await dispute("needs_response");
    daysAhead(2);
    await correctTip(card?.tipIds[0]);
    await drainQueue([returnCoins]);
    expect(await wallet()).toEqual({ has: 8, owes: 0, isFrozen: true });
    expect(await listSaleStates()).toEqual(["earned"]);
    await expectInvariantsToHold();
    await dispute("lost");
    expect(await wallet()).toEqual({ has: 0, owes: 0, isFrozen: false });
    expect(await listSaleStates()).toEqual(["earned"]);
    expect(await readPayableCents(card?.creatorId ?? "")).toBe(700);
  });

  it("conserves the value of the coins for any order of void and corrected races, refunds and disputes", async () => {
    const operations = array(
      oneof(
        record({
          kind: constantFrom("void", "correct"),
          card: nat(1),
          races: constantFrom([0], [1], [2, 3], [0, 1, 2, 3]),
        }),
        constantFrom(
          { kind: "refund" },
          { kind: "fail" },
          { kind: "open-dispute" },
          { kind: "dispute" },
          { kind: "win" },
          { kind: "drain" },
        ),
      ),
      { minLength: 3, maxLength: 9 },
    );
    let days = 0;
    await assert(
      asyncProperty(operations, async (steps) => {
        buyer = await makeUser();
        await buy("value_8", new Date(now().getTime() - 60 * 60_000));
        const cards = await openFourRaces(2);
        // A void race can be corrected after its off.
        days += 2;
        daysAhead(days);
        const voidRaces = [new Set<number>(), new Set<number>()];
        const everVoidRaces = [new Set<number>(), new Set<number>()];
        for (const step of steps) {
          if ("card" in step)
            for (const race of step.races) {
              const tipId = cards[step.card]?.tipIds[race];
              if (step.kind === "void") {
                voidRaces[step.card]?.add(race);
                everVoidRaces[step.card]?.add(race);
                await voidTip(tipId);
              } else {
                voidRaces[step.card]?.delete(race);
                await correctTip(tipId);
              }
            }
          else if (step.kind === "refund") await refund(3500);
          else if (step.kind === "fail") await failRefunds(3500);
          else if (step.kind === "open-dispute")
            await dispute("needs_response", { amountCents: 3500 });
          else if (step.kind === "dispute") await loseDispute({ amountCents: 3500 });
          else if (step.kind === "win") await dispute("won");
          else await drainQueue([returnCoins]);
          expect((await wallet()).has).toBeGreaterThanOrEqual(0);
        }
        await drainQueue([returnCoins]);
        await drainQueue([returnCoins]);
        const { recoveredCoins } = await readPurchase();
        const earned = await Promise.all(cards.map((card) => readPayableCents(card.creatorId)));
        const [first = 0, second = 0] = earned;
        const { rows } = await database().execute<{ coins: number; isRefunded: boolean }>(sql`
          select coalesce(sum(c.coins), 0)::integer as coins,
            exists (select from earning_reversals r where r.sale_id = s.id
              and r.reason in ('refund', 'dispute')) as "isRefunded"
          from sales s left join coin_returns c on c.sale_id = s.id
          where s.buyer_id = ${buyer.id} group by s.id order by s.id`);
        const due = voidRaces.map((races) => races.size);
        // Buyers keep the coins of races that are no longer void.
        const keptCoins = rows.map(({ coins, isRefunded }, index) =>
          isRefunded ? 0 : coins - (due[index] ?? 0),
        );
        // A coin is worth R7.00 to the creator, and moves between the buyer, the creators and the refund.
        expect((await readNetCoins()) + (first + second) / 700).toBe(
          8 - recoveredCoins + keptCoins.reduce((sum, coins) => sum + coins, 0),
        );
        for (const [index, { coins }] of rows.entries())
          expect(coins).toBeLessThanOrEqual(everVoidRaces[index]?.size ?? 0);
        for (const coins of keptCoins) expect(coins).toBeGreaterThanOrEqual(0);
        // Without a refund, the order has no effect on the earnings.
        if (recoveredCoins === 0) expect(earned).toEqual(due.map((coins) => (4 - coins) * 700));
        await expectInvariantsToHold();
      }),
      { numRuns: 12 },
    );
  }, 120_000);
});

describe("a sale reversed by a dispute on a race card that became void later", () => {
  it("refunds its coins once after the dispute is reinstated", async () => {
    const [creatorId = ""] = await openCards(1);
    await loseDispute();
    const admin = await makeAdmin();
    const { rows } = await database().execute<{ id: string }>(
      sql`select id from race_cards where creator_id = ${creatorId}`,
    );
    const raceCardId = rows[0]?.id ?? "";
    await voidRaceCard(admin.id, { raceCardId, reason: "Meeting abandoned" });
    await drainQueue([returnCoins]);
    expect(await listSaleStates()).toEqual(["reversed: dispute"]);
    const before = await wallet();
    await dispute("won");
    await drainQueue([returnCoins]);
    await drainQueue([returnCoins]);
    expect(await listSaleStates()).toEqual(["reversed: void"]);
    expect(await readPayableCents(creatorId)).toBe(0);
    const after = await wallet();
    expect(after.has - after.owes).toBe(before.has - before.owes + 8);
    const notices = await readCreatorNotices(creatorId, { since: new Date(0) });
    expect(notices.filter(({ title }) => title.includes("restored"))).toEqual([]);
    await expectInvariantsToHold();
  });
});

describe("an earning in a payout when a dispute arrives", () => {
  const DETAILS = {
    holder: "Thabo Nkosi",
    bank: "Standard Bank",
    branchCode: "051001",
    accountNumber: "012345678",
    accountType: "savings" as const,
  };

  /** Requests a payout with `others` sales to other buyers and one sale to the buyer. */
  async function requestedPayout(others: number) {
    const creator = await makeTipster();
    await writeBankDetails(creator.id, DETAILS);
    const card = await publishRaceCard({ creatorId: creator.id });
    for (let index = 0; index < others; index += 1)
      await unlockRaceCardAs((await makeUser({ coins: 4 })).id, card);
    await unlockRaceCardAs(buyer.id, card);
    daysAhead(15);
    const payout = await requestPayout(creator.id);
    if (!payout.ok) throw new Error(payout.refusal);
    return payout;
  }

  async function payoutRow(id: string) {
    const { rows } = await database().execute<{ status: string; amount_cents: number }>(
      sql`select status, amount_cents from payouts where id = ${id}`,
    );
    return rows[0];
  }

  it("is removed from a requested payout and the operator is alerted", async () => {
    const { payoutId, amountCents } = await requestedPayout(4);
    expect(amountCents).toBe(5 * 2800);
    await dispute("needs_response");
    expect(await payoutRow(payoutId)).toEqual({ status: "requested", amount_cents: 4 * 2800 });
    expect(await listSaleStates()).toEqual(["held: dispute"]);
    expect(await alertsAbout(payoutId)).toEqual(["payout-reduced"]);
    await dispute("lost");
    expect(await listSaleStates()).toEqual(["reversed: dispute"]);
  });

  it("stops a payout that would fall below R100", async () => {
    const { payoutId } = await requestedPayout(3);
    await dispute("needs_response");
    expect(await payoutRow(payoutId)).toEqual({ status: "stopped", amount_cents: 4 * 2800 });
    expect(await listSaleStates()).toEqual(["held: dispute"]);
    expect(await alertsAbout(payoutId)).toEqual(["payout-stopped"]);
  });

  it.each(["won", "lost"] as const)(
    "stays in an exported payout and needs a review when withdrawn after a dispute was %s",
    async (outcome) => {
      const { payoutId } = await requestedPayout(5);
      const admin = await makeAdmin();
      await startPayout(admin.id, payoutId);
      await exportForBank(admin.id, payoutId);
      await dispute("needs_response");
      expect(await payoutRow(payoutId)).toEqual({ status: "processing", amount_cents: 6 * 2800 });
      expect(await listSaleStates()).toEqual(["earned"]);
      expect(await alertsAbout(payoutId)).toEqual(["exported-payout-disputed"]);
      await dispute(outcome);
      await expectInvariantsToHold();
      expect(await withdrawExport(admin.id, payoutId, "Stopped at the bank")).toEqual({ ok: true });
      expect(await payoutRow(payoutId)).toEqual({ status: "processing", amount_cents: 5 * 2800 });
      expect(await listSaleStates()).toEqual(["held: late-hold"]);
      await expectInvariantsToHold();
    },
  );

  it("is not reversed by a refund that a process with a slower clock applies", async () => {
    const { payoutId } = await requestedPayout(4);
    daysAhead(13);
    await refund(7000);
    expect(await listSaleStates()).toEqual(["earned"]);
    expect(await wallet()).toMatchObject({ has: 0, owes: 4 });
    expect(await payoutRow(payoutId)).toEqual({ status: "requested", amount_cents: 5 * 2800 });
  });

  it("leaves a payout without a sale of the buyer unchanged", async () => {
    const testBuyer = buyer;
    buyer = await makeUser({ coins: 4 });
    const { payoutId, amountCents } = await requestedPayout(4);
    buyer = testBuyer;
    await dispute("needs_response");
    expect(await payoutRow(payoutId)).toMatchObject({ amount_cents: amountCents });
    expect(await alertsAbout(payoutId)).toEqual([]);
  });

  async function alertsAbout(subject: string) {
    const rows = await database().select().from(alerts).where(eq(alerts.subject, subject));
    return rows.map((row) => row.kind);
  }
});

describe("a report of a payment before its purchase exists", () => {
  async function unfulfilled() {
    const started = await startPurchase({
      viewer: buyer,
      coinPackId: "starter_4",
      idempotencyKey: randomUUID(),
      returnTo: "/",
    });
    if (!started.ok) throw new Error(started.refusal);
    await paySession(started.sessionId, "4242424242424242");
    const events = (await listEmittedEvents()).filter((event) =>
      JSON.stringify(event).includes(started.sessionId),
    );
    return { session: started.sessionId, completed: JSON.stringify(events[0]) };
  }

  it.each<[string, (session: string) => Promise<void>, object]>([
    ["a refund", (session) => refundPayment(session, 4000), { has: 8, owes: 0, isFrozen: false }],
    [
      "an open dispute",
      (session) => disputePayment(session, "needs_response"),
      { has: 12, owes: 0, isFrozen: true },
    ],
  ])("stores %s and applies it when the purchase is credited", async (_, undo, expected) => {
    const { session, completed } = await unfulfilled();
    await undo(session);
    const event = await newestEventOf(session);
    expect((await postWebhook(JSON.stringify(event))).status).toBe(200);
    const [storedEvent] = await database()
      .select()
      .from(paymentEvents)
      .where(eq(paymentEvents.id, event?.id ?? ""));
    expect(storedEvent?.outcome).toBe("stored");
    expect((await postWebhook(completed)).status).toBe(200);
    expect(await wallet()).toEqual(expected);
  });

  it("is not lost when it arrives at the same time as the purchase", async () => {
    for (let round = 0; round < 10; round += 1) {
      const { session } = await unfulfilled();
      const paid = await stripeGateway.readCheckout(session);
      if (!paid?.paymentId) throw new Error("not paid");
      await refundPayment(session, 4000);
      await Promise.all([
        fulfilPurchase(paid),
        syncPayment({ provider: "stripe", paymentId: paid.paymentId }),
      ]);
      const [report] = await database()
        .select()
        .from(paymentReports)
        .where(eq(paymentReports.paymentId, paid.paymentId));
      expect(report?.refundedCents).toBe(4000);
      expect(await wallet()).toMatchObject({ has: 8 });
    }
  });
});

describe("events of refunds and disputes", () => {
  it("are applied when they arrive in reverse order", async () => {
    await refundPayment(sessionId, 3500);
    await failRefund(sessionId, 1000);
    await disputePayment(sessionId, "needs_response", { amountCents: 1000 });
    await disputePayment(sessionId, "lost");
    const { paymentId } = await readPurchase();
    const events = (await listEmittedEvents()).filter((event) =>
      JSON.stringify(event).includes(paymentId ?? "?"),
    );
    expect(events).toHaveLength(4);
    for (const event of events.toReversed())
      expect((await postWebhook(JSON.stringify(event))).status).toBe(200);
    expect(await readPurchase()).toMatchObject({
      refundedCents: 2500,
      lostCents: 1000,
      disputeStatus: "lost",
      recoveredCoins: 4,
    });
  });

  it("return 503 and change nothing while the provider is down", async () => {
    await refundPayment(sessionId, 7000);
    const event = JSON.stringify(await newestEventOf(sessionId));
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("fetch failed")));
    expect((await postWebhook(event)).status).toBe(503);
    expect(await wallet()).toMatchObject({ has: 8 });
    stubFetchInProcess();
    expect((await postWebhook(event)).status).toBe(200);
    expect(await wallet()).toMatchObject({ has: 0 });
  });
});
