import { randomUUID } from "node:crypto";
import { and, eq, isNull, sql } from "drizzle-orm";
import { array, assert, asyncProperty, constantFrom, nat, record } from "fast-check";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { startSession } from "#accounts/accounts.server.ts";
import { grantCoins } from "#accounts/admin/grant-coins.server.ts";
import { readCreatorNotices } from "#creators/creators.server.ts";
import { formatInstant } from "#domain/calendar.ts";
import { requestPayout, startPayout, writeBankDetails } from "#payouts/payouts.server.ts";
import { freezeClock, now } from "#platform/clock.server.ts";
import { database } from "#platform/database.server.ts";
import type { EmailKind } from "#platform/mail/email-kinds.ts";
import { drainQueue } from "#platform/queue.server.ts";
import { alerts } from "#platform/tables.server.ts";
import { unlockRaceCardAs } from "#sales/sales.server.ts";
import { enterTipResultAsTwo } from "#test/admin-results.ts";
import { Browser } from "#test/browser.ts";
import { readEmailsTo } from "#test/emails.ts";
import {
  exportForBank,
  grantTestCoins,
  makeAdmin,
  makeTipster,
  makeUser,
  markShownPayoutPaid,
  publishRaceCard,
  withdrawShownExport,
} from "#test/factories.ts";
import { listEmittedEvents, postWebhook, stubFetchInProcess } from "#test/gateway.ts";
import { expectInvariantsToHold } from "#test/integrity-checks.ts";
import { waitForLockWaiters } from "#test/locks.ts";
import { readVisibleText } from "#test/page-text.ts";
import { startTestClock } from "#test/test-clock.ts";
import { readWallet } from "#wallet/wallet.server.ts";
import { applyRefundOrDispute } from "./apply-refund-or-dispute.server.ts";
import { remindOfDispute } from "./dispute-alerts.server.ts";
import { makeDemoPurchase } from "./fake-provider/make-demo-purchase.server.ts";
import { paySession } from "./fake-stripe/pay-session.server.ts";
import {
  disputePayment,
  failRefund,
  refundPayment,
} from "./fake-stripe/refund-and-dispute.server.ts";
import { fakeStripeSessions } from "./fake-stripe/tables.server.ts";
import { fulfilPurchase } from "./fulfil-purchase.server.ts";
import { lockReport, mergePaymentReport, nextFetchSequence } from "./payment-report.server.ts";
import { resendReceipt } from "./purchase-emails.server.ts";
import { returnCoins } from "./return-coins.server.ts";
import { startGuestPurchase } from "./start-guest-purchase.server.ts";
import { startPurchase } from "./start-purchase.server.ts";
import { stripeGateway } from "./stripe/gateway.server.ts";
import { syncLostCoinsJob } from "./sync-lost-coins.server.ts";
import { syncPayment, syncPaymentJob } from "./sync-payment.server.ts";
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
    await applyRefundOrDispute(tx, await readPurchase(), report, { previousRefundedCents });
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
async function openCards(count: number): Promise<string[]> {
  const creators: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const { raceCardId, creatorId } = await publishRaceCard();
    const unlock = await unlockRaceCardAs(buyer.id, { raceCardId });
    if (!unlock.ok) throw new Error(unlock.refusal);
    creators.push(creatorId);
  }
  return creators;
}

/** Returns the earning state of each of the buyer's sales, oldest first. */
async function listSaleStates(buyerId = buyer.id): Promise<string[]> {
  const { rows } = await database().execute<{ state: string }>(sql`
    select coalesce('reversed: ' || r.reason, 'held: ' || e.held_reason,
      case when e.amount_cents = s.earning_cents then 'earned' else 'earned ' || e.amount_cents end) as state
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

async function listEmails(kind: EmailKind) {
  const { rows } = await database().execute<{ subject: string; text: string }>(sql`
    select subject, text from emails where user_id = ${buyer.id} and kind = ${kind}
    order by created_at, id`);
  return rows;
}

describe("a refund", () => {
  it("takes the coins from the wallet", async () => {
    expect(await refund(7000)).toBe("applied");
    expect(await wallet()).toEqual({ has: 0, owes: 0, isFrozen: false });
    expect(await readPurchase()).toMatchObject({ refundedCents: 7000, recoveredCoins: 8 });
  });

  it("emails the buyer once per refund, and not for a lost dispute", async () => {
    await dispute("lost");
    expect(await listEmails("refunded")).toEqual([]);
    sessionId = await buy("value_8");
    await refund(3500);
    await refund(3500);
    const sentEmails = await listEmails("refunded");
    expect(sentEmails.map(({ subject }) => subject)).toEqual([
      "We have refunded you R35.00",
      "We have refunded you R35.00",
    ]);
    expect(sentEmails[0]?.text).toContain("4 coins");
  });

  it("leaves the spent coins owed and takes the earning, until a purchase repays them", async () => {
    const [creatorId = ""] = await openCards(1);
    await refund(7000);
    expect(await wallet()).toMatchObject({ has: 0, owes: 4 });
    expect(await listSaleStates()).toEqual(["reversed: lost"]);
    expect(await readPayableCents(creatorId)).toBe(0);
    const { raceCardId } = await publishRaceCard();
    const result = await unlockRaceCardAs(buyer.id, { raceCardId });
    expect(result).toMatchObject({ ok: false, refusal: "owing" });
    await makeDemoPurchase({ userId: buyer.id, coinPackId: "pro_12", at: now() });
    expect(await wallet()).toMatchObject({ has: 8, owes: 0 });
    expect(await listSaleStates()).toEqual(["earned"]);
    expect(await readPayableCents(creatorId)).toBe(2800);
    expect((await unlockRaceCardAs(buyer.id, { raceCardId })).ok).toBe(true);
  });

  it.each([
    [
      "pro_12",
      "4 coins repaid what you owed from a refunded payment, and we added 8 coins to your wallet.",
      "Coins received 12 coins Repaid what you owed \u22124 coins Added to your wallet 8 coins",
    ],
    [
      "starter_4",
      "The 4 coins repaid what you owed from a refunded payment.",
      "Coins received 4 coins Repaid what you owed \u22124 coins Added to your wallet 0 coins",
    ],
  ])(
    "says on the page and in the receipt how much of %s repaid owed coins",
    async (coinPackId, receiptText, pageText) => {
      await openCards(1);
      await refund(7000);
      await buy(coinPackId);
      const browser = new Browser();
      browser.applyCookies(await startSession(buyer.id));
      const page = await browser.get(`/success?session_id=${sessionId}`);
      expect(await readVisibleText(page)).toContain(pageText);
      const { id } = await readPurchase();
      expect(await resendReceipt((await makeAdmin()).id, id)).toEqual({ ok: true });
      const receipts = (await readEmailsTo(buyer.email)).filter(({ kind }) => kind === "receipt");
      expect(receipts.map(({ text }) => text?.replaceAll(/\s+/g, " "))).toEqual([
        expect.stringContaining(receiptText),
      ]);
    },
  );

  it("restores the earning when an admin grants the coins that are owed", async () => {
    await openCards(1);
    await refund(7000);
    const grant = { amountCoins: 5, reason: "Goodwill", idempotencyKey: randomUUID() };
    await grantCoins((await makeAdmin()).id, buyer.id, grant);
    await syncLostCoinsJob.run({}, { isLast: false });
    expect(await wallet()).toMatchObject({ has: 1, owes: 0 });
    expect(await listSaleStates()).toEqual(["earned"]);
  });

  it("takes the part of the earning that belongs to the lost coins", async () => {
    await openCards(2);
    await refund(875);
    expect(await wallet()).toMatchObject({ has: 0, owes: 1 });
    expect(await listSaleStates()).toEqual(["earned", "earned 2100"]);
    await refund(875);
    expect(await listSaleStates()).toEqual(["earned", "earned 1400"]);
    await failRefunds(1750);
    expect(await wallet()).toMatchObject({ has: 0, owes: 0 });
    expect(await listSaleStates()).toEqual(["earned", "earned"]);
  });

  it("takes an earning that is payable already", async () => {
    await openCards(1);
    daysAhead(15);
    await refund(7000);
    expect(await listSaleStates()).toEqual(["reversed: lost"]);
  });

  it("takes coins to the nearest coin of the cumulative amount", async () => {
    const states: number[] = [];
    for (const cents of [437, 1, 3062, 3500]) {
      await refund(cents);
      states.push((await wallet()).has);
    }
    expect(states).toEqual([8, 7, 4, 0]);
    expect(await readPurchase()).toMatchObject({ refundedCents: 7000, recoveredCoins: 8 });
  });

  it.each([[[0, 1, 2, 3]], [[3, 2, 1, 0]]])(
    "leaves nothing payable of four purchases with a race card each, lost in the order %j",
    async (order) => {
      buyer = await makeUser();
      const sessionIds: string[] = [];
      const creators: string[] = [];
      for (let pack = 0; pack < 4; pack += 1) {
        sessionIds.push(await buy("starter_4"));
        creators.push(...(await openCards(1)));
      }
      for (const index of order) await refund(4000, sessionIds[index]);
      expect(await listSaleStates()).toEqual(Array(4).fill("reversed: lost"));
      expect(await Promise.all(creators.map(readPayableCents))).toEqual([0, 0, 0, 0]);
      expect(await wallet()).toMatchObject({ has: 0, owes: 16 });
    },
  );

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

  it("leaves no earning when the buyer unlocks cards concurrently", async () => {
    const cards = [await publishRaceCard(), await publishRaceCard()];
    await refundPayment(sessionId, 7000);
    await Promise.all([
      sync(),
      ...cards.map(({ raceCardId }) => unlockRaceCardAs(buyer.id, { raceCardId })),
    ]);
    const states = await listSaleStates();
    expect(states.every((state) => state === "reversed: lost")).toBe(true);
    expect(await wallet()).toMatchObject({ has: 0, owes: 4 * states.length });
  });
});

describe("a refund that fails", () => {
  it("returns the coins to the wallet and alerts the operator", async () => {
    await refund(7000);
    expect(await alertKinds()).toEqual([]);
    await failRefunds(7000);
    await sync();
    expect(await listEmails("refund-failed")).toMatchObject([
      { subject: "Your refund of R70.00 failed" },
    ]);
    expect(await wallet()).toMatchObject({ has: 8, owes: 0 });
    expect(await readPurchase()).toMatchObject({ refundedCents: 0, recoveredCoins: 0 });
    expect(await alertKinds()).toEqual(["refund-failed"]);
  });

  it("restores the earning each time", async () => {
    const [creatorId = ""] = await openCards(1);
    for (let round = 0; round < 3; round += 1) {
      await refund(7000);
      expect(await listSaleStates()).toEqual(["reversed: lost"]);
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

  it("is raised again half-way to its deadline, unless it was answered or decided", async () => {
    const { id } = await readPurchase();
    const isAlert = and(eq(alerts.kind, "dispute"), eq(alerts.subject, id));
    const readOpenAlerts = () =>
      database()
        .select()
        .from(alerts)
        .where(and(isAlert, isNull(alerts.resolvedAt)));
    const dismissAndRemind = async () => {
      await database().update(alerts).set({ resolvedAt: now() }).where(isAlert);
      await remindOfDispute.run({ purchaseId: id }, { isLast: false });
      return (await readOpenAlerts()).map(({ message }) => message);
    };
    await dispute("needs_response");
    const [raised] = await readOpenAlerts();
    const { rows } = await database().execute<{ share: number }>(sql`
      select extract(epoch from start_after - now()) / ${(14 * DAY) / 1000}::float as share
      from jobs.job where name = ${remindOfDispute.name} and data ->> 'purchaseId' = ${id}`);
    expect(rows.map(({ share }) => Math.round(Number(share) * 100))).toEqual([50]);
    expect(await dismissAndRemind()).toEqual([
      `Half of the time to answer has passed. ${raised?.message}`,
    ]);
    const read = vi.spyOn(stripeGateway, "readPayment");
    const answered = await stripeGateway.readPayment((await readPurchase()).paymentId ?? "");
    if (!answered) throw new Error("no payment");
    read.mockResolvedValueOnce({
      ...answered,
      disputes: answered.disputes.map((open) => ({ ...open, dueAt: null })),
    });
    expect(await dismissAndRemind()).toEqual([]);
    read.mockRestore();
    await dispute("won");
    expect(await dismissAndRemind()).toEqual([]);
  });

  describe("that stays open", () => {
    let purchaseId: string;
    const day = (days: number) => new Date(now().getTime() + days * DAY);

    beforeEach(async () => {
      purchaseId = (await readPurchase()).id;
    });
    afterEach(() => {
      vi.restoreAllMocks();
    });

    /** Lets the provider report a payment with these open disputes at the next reads. */
    async function reportNext(
      disputes: { dueAt: Date | null; amountCents?: number; currency?: string }[],
      { reads = 1 } = {},
    ) {
      const payment = await stripeGateway.readPayment((await readPurchase()).paymentId ?? "");
      if (!payment) throw new Error("no payment");
      const details = disputes.map((dispute, index) => ({
        ...{ disputeId: `dp_${index}`, status: "open" as const, amountCents: 7000 },
        ...{ currency: "zar", ...dispute },
      }));
      const read = vi.spyOn(stripeGateway, "readPayment");
      for (let index = 0; index < reads; index += 1)
        read.mockResolvedValueOnce({ ...payment, disputeStatus: "open", disputes: details });
    }

    async function syncWith(...params: Parameters<typeof reportNext>) {
      await reportNext(...params);
      await sync();
    }

    async function readAlert() {
      const isAlert = and(eq(alerts.kind, "dispute"), eq(alerts.subject, purchaseId));
      const [alert] = await database().select().from(alerts).where(isAlert);
      if (!alert) throw new Error("no alert");
      return alert;
    }

    /** Returns the deadlines of the reminders, in the order in which they were enqueued. */
    async function listReminders(): Promise<{ purchaseId: string; dueAt: string }[]> {
      const { rows } = await database().execute<{ data: { purchaseId: string; dueAt: string } }>(
        sql`select data from jobs.job where name = ${remindOfDispute.name}
          and data ->> 'purchaseId' = ${purchaseId} order by created_on, start_after`,
      );
      return rows.map(({ data }) => data);
    }

    const remind = async () => {
      for (const reminder of await listReminders())
        await remindOfDispute.run(reminder, { isLast: false });
    };

    it("raises its alert with a second reminder when the bank asks again after an answer", async () => {
      await syncWith([{ dueAt: day(7) }]);
      const first = await readAlert();
      expect(await listReminders()).toHaveLength(1);
      await syncWith([{ dueAt: null }]);
      expect(await readAlert()).toEqual(first);
      const dueAt = day(9);
      await syncWith([{ dueAt }]);
      expect((await readAlert()).message).toContain(`by ${formatInstant(dueAt)}.`);
      expect(await listReminders()).toHaveLength(2);
    });

    it("raises its alert when a deadline follows a first read without one", async () => {
      await syncWith([{ dueAt: null }]);
      expect(await listReminders()).toEqual([]);
      const dueAt = day(2);
      await syncWith([{ dueAt }]);
      expect((await readAlert()).message).toContain(`by ${formatInstant(dueAt)}.`);
      expect(await listReminders()).toHaveLength(1);
    });

    it("raises its alert when a second dispute is opened, with a reminder for each deadline", async () => {
      const first = { dueAt: day(2), amountCents: 3000 };
      const second = { dueAt: day(5), amountCents: 4000 };
      await syncWith([first]);
      await syncWith([first, second]);
      expect((await readAlert()).message).toMatch(/^R70 of payment /);
      expect(await listReminders()).toHaveLength(1);
      await syncWith([{ ...first, dueAt: null }, second]);
      expect((await readAlert()).message).toContain(`by ${formatInstant(second.dueAt)}.`);
      await syncWith([first, second]);
      expect((await readAlert()).message).toContain(`by ${formatInstant(first.dueAt)}.`);
      expect(await listReminders()).toHaveLength(2);
    });

    it("raises its alert together with a refund", async () => {
      await syncWith([{ dueAt: null }]);
      await refundPayment(sessionId, 1000);
      const dueAt = day(3);
      await syncWith([{ dueAt }]);
      expect((await readPurchase()).refundedCents).toBe(1000);
      expect((await readAlert()).message).toContain(`by ${formatInstant(dueAt)}.`);
      expect(await listReminders()).toHaveLength(1);
    });

    it.each([
      ["nothing has changed", (dueAt: Date) => [{ dueAt }]],
      ["it was answered", () => [{ dueAt: null }]],
      [
        "a dispute in another currency has another deadline",
        (dueAt: Date) => [{ dueAt }, { dueAt: day(1), currency: "usd" }],
      ],
    ])("raises no alert when %s, also after the reminder", async (_, report) => {
      const dueAt = day(7);
      await syncWith([{ dueAt }]);
      for (let round = 1; round <= 2; round += 1) {
        await database().update(alerts).set({ resolvedAt: now() });
        const before = await readAlert();
        daysAhead(round);
        for (let repeat = 1; repeat <= 2; repeat += 1) await syncWith(report(dueAt));
        expect(await readAlert()).toEqual(before);
        expect(await listReminders()).toHaveLength(1);
        await reportNext([{ dueAt }]);
        await remind();
        expect((await readAlert()).message).toMatch(
          /^Half of the time to answer has passed\. R70 /,
        );
      }
    });

    it("raises one alert and one reminder when ten reports arrive concurrently", async () => {
      await syncWith([{ dueAt: null }]);
      const dueAt = day(7);
      await reportNext([{ dueAt }], { reads: 10 });
      await Promise.all(Array.from({ length: 10 }, () => sync()));
      expect((await readAlert()).message).toContain(`by ${formatInstant(dueAt)}.`);
      expect(await listReminders()).toHaveLength(1);
    });

    it("ignores an older read that arrives after the one with the new deadline", async () => {
      await syncWith([{ dueAt: day(2) }]);
      await reportNext([{ dueAt: day(2) }]);
      const read = vi.mocked(stripeGateway.readPayment);
      const stale = await stripeGateway.readPayment("");
      let respond = () => {};
      const isReleased = new Promise<void>((resolve) => {
        respond = resolve;
      });
      const isReading = new Promise<void>((resolve) => {
        read.mockImplementationOnce(async () => {
          resolve();
          await isReleased;
          return stale;
        });
      });
      const older = sync();
      await isReading;
      const dueAt = day(6);
      await syncWith([{ dueAt }]);
      respond();
      await older;
      expect((await readAlert()).message).toContain(`by ${formatInstant(dueAt)}.`);
      expect(await listReminders()).toHaveLength(2);
    });

    it("is not reminded of a deadline that has changed", async () => {
      await syncWith([{ dueAt: day(2) }]);
      const dueAt = day(6);
      await syncWith([{ dueAt }]);
      const [reminder] = await listReminders();
      if (!reminder) throw new Error("no reminder");
      await reportNext([{ dueAt }]);
      await remindOfDispute.run(reminder, { isLast: false });
      expect((await readAlert()).message).toMatch(/^R70 of payment /);
    });
  });

  it.each(["won", "lost"] as const)(
    "has an alert with amount and deadline, which is resolved when it is %s",
    async (outcome) => {
      const read = async () => {
        const [alert] = await database()
          .select()
          .from(alerts)
          .where(and(eq(alerts.kind, "dispute"), eq(alerts.subject, (await readPurchase()).id)));
        return alert;
      };
      await dispute("needs_response");
      expect(await read()).toMatchObject({
        resolvedAt: null,
        message: expect.stringMatching(
          /^R70 of payment \S+ is disputed\. Answer the dispute at the payment provider by \d+ \w+ 20\d\d, \d\d:\d\d\.$/,
        ),
      });
      await dispute(outcome);
      expect((await read())?.resolvedAt).toBeInstanceOf(Date);
    },
  );

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

  it.each([
    ["is lost after two months", () => dispute("needs_response")],
    ["is first reported as lost", () => disputePayment(sessionId, "needs_response")],
  ])("takes the coins and the earnings when it %s", async (_, open) => {
    await grantTestCoins(buyer.id, 4);
    await openCards(3);
    await open();
    daysAhead(60);
    await dispute("lost");
    expect(await wallet()).toEqual({ has: 0, owes: 8, isFrozen: false });
    expect(await listSaleStates()).toEqual(["earned", "reversed: lost", "reversed: lost"]);
    expect(await readPurchase()).toMatchObject({
      disputeStatus: "lost",
      lostCents: 7000,
      recoveredCoins: 8,
    });
    expect(await alertKinds()).toContain("dispute-lost");
  });

  it("takes half the coins for half the amount, and none twice after refunds", async () => {
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
    expect(await wallet()).toEqual({ has: 0, owes: 4, isFrozen: false });
    expect(await listSaleStates()).toEqual(["reversed: lost"]);
  });

  it("holds no earning of a sale that granted coins pay for", async () => {
    await grantTestCoins(buyer.id, 4);
    await openCards(1);
    await dispute("needs_response");
    expect(await listSaleStates()).toEqual(["earned"]);
  });

  it("holds no earning for money that was refunded before the dispute", async () => {
    const disputed = sessionId;
    await openCards(1);
    await refund(3500);
    await buy("starter_4");
    await dispute("needs_response", { id: disputed });
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
    expect(await wallet()).toEqual({ has: 0, owes: 4, isFrozen: false });
    expect(await listSaleStates()).toEqual(["earned", "reversed: lost"]);
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

  it("loses its welcome coins with the whole payment, and gets them back with it", async () => {
    const { creatorId } = await createGuestPurchase();
    for (const has of [3, 2, 1]) {
      await refund(1000);
      expect(await wallet()).toMatchObject({ has, owes: 0 });
      expect(await listSaleStates()).toEqual(["earned"]);
    }
    await refund(1000);
    expect(await wallet()).toMatchObject({ has: 0, owes: 4 });
    expect(await listSaleStates()).toEqual(["reversed: lost"]);
    expect(await readPayableCents(creatorId)).toBe(0);
    await failRefunds(4000);
    expect(await wallet()).toMatchObject({ has: 4, owes: 0 });
    expect(await listSaleStates()).toEqual(["earned"]);
    expect(await readPayableCents(creatorId)).toBe(2800);
  });
});

describe("creator notices about a reversed sale", () => {
  const readNotices = async (creatorId: string) =>
    (await readCreatorNotices(creatorId, { since: new Date(0) })).map(({ title, message }) => ({
      title,
      message,
    }));

  it("are sent once when it is reversed and when it is restored, also by email", async () => {
    const creatorIds = await openCards(2);
    await refund(7000);
    await failRefunds(3500);
    await Promise.all([sync(), sync()]);
    const reversed = {
      title: "R28.00 of your earnings was reversed",
      message:
        "we reversed what you earned from 1 sale, because the buyer's payment was refunded or lost in a dispute.",
    };
    const title = "R28.00 of your earnings was restored";
    const message =
      "we restored what you earned from 1 sale, because the buyer has paid after all.";
    expect(await Promise.all(creatorIds.map(readNotices))).toEqual([
      [{ title, message }, reversed],
      [reversed],
    ]);
    const { rows } = await database().execute(
      sql`select 1 from emails where user_id = ${creatorIds[0]} and kind = 'creator-notice' and subject = ${title}`,
    );
    expect(rows).toHaveLength(1);
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
    expect(await enterTipResultAsTwo(admin.id, entry)).toMatchObject({ ok: true });
  };
  /** Enters that a race was run after all. Only after its off. */
  const correctTip = async (tipId: string | undefined) => {
    const entry = { tipId: tipId ?? "", result: "lost" as const, reason: "It ran" };
    expect(await enterTipResultAsTwo(admin.id, entry)).toMatchObject({ ok: true });
  };
  const voidAndReturn = async (tipId: string | undefined) => {
    await voidTip(tipId);
    await drainQueue([returnCoins]);
  };

  it("takes only the coins that were not returned, and later returns pay for them", async () => {
    const [card, other] = await openFourRaces(2);
    await voidAndReturn(card?.tipIds[0]);
    expect(await wallet()).toMatchObject({ has: 1, owes: 0 });
    await refund(7000);
    expect(await wallet()).toMatchObject({ has: 0, owes: 7 });
    expect(await listSaleStates()).toEqual(["reversed: lost", "reversed: lost"]);
    await voidAndReturn(card?.tipIds[1]);
    await voidAndReturn(other?.tipIds[0]);
    expect(await wallet()).toMatchObject({ has: 0, owes: 5 });
    await failRefunds(7000);
    expect(await listSaleStates()).toEqual(["earned 1400", "earned 2100"]);
    expect(await wallet()).toMatchObject({ has: 3, owes: 0 });
    expect(await readPayableCents(card?.creatorId ?? "")).toBe(1400);
    const notices = await readCreatorNotices(other?.creatorId ?? "", { since: new Date(0) });
    expect(notices.map(({ title }) => title)).toContain("R21.00 of your earnings was restored");
  });

  it("returns the coins of a lost sale that becomes void, and restores nothing for it", async () => {
    const [card, other] = await openFourRaces(2);
    await loseDispute();
    expect(await wallet()).toMatchObject({ has: 0, owes: 8 });
    for (const tipId of card?.tipIds ?? []) await voidTip(tipId);
    await drainQueue([returnCoins]);
    expect(await wallet()).toMatchObject({ has: 0, owes: 4 });
    expect(await listSaleStates()).toEqual(["reversed: void", "reversed: lost"]);
    await dispute("won");
    expect(await listSaleStates()).toEqual(["reversed: void", "earned"]);
    expect(await wallet()).toMatchObject({ has: 4, owes: 0 });
    expect(await readPayableCents(card?.creatorId ?? "")).toBe(0);
    expect(await readPayableCents(other?.creatorId ?? "")).toBe(2800);
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
    expect(await listSaleStates()).toEqual(["earned 700"]);
    await expectInvariantsToHold();
    await dispute("lost");
    expect(await wallet()).toEqual({ has: 0, owes: 0, isFrozen: false });
    expect(await listSaleStates()).toEqual(["earned 700"]);
    expect(await readPayableCents(card?.creatorId ?? "")).toBe(700);
  });
});

describe("the state after refunds and disputes", () => {
  it("is the same for every order of the events of different payments", async () => {
    const PACKS = ["starter_4", "value_8", "starter_4"] as const;
    const event = constantFrom<[(id: string) => Promise<unknown>, string]>(
      [(id) => refund(1000, id), "refund"],
      [(id) => refund(4000, id), "full refund"],
      [(id) => failRefunds(1000, id), "failed refund"],
      [(id) => loseDispute({ id, amountCents: 3000 }), "lost dispute"],
      [(id) => dispute("won", { id }), "won dispute"],
    );
    const events = array(record({ pack: nat(PACKS.length - 1), event }), {
      minLength: 4,
      maxLength: 7,
    });
    const cards = [await publishRaceCard(), await publishRaceCard(), await publishRaceCard()];
    const settle = async (
      steps: { pack: number; event: [(id: string) => Promise<unknown>, string] }[],
    ) => {
      buyer = await makeUser();
      await grantTestCoins(buyer.id, 1);
      const sessionIds: string[] = [];
      for (const [index, pack] of PACKS.entries()) {
        sessionIds.push(await buy(pack));
        expect(await unlockRaceCardAs(buyer.id, cards[index] as (typeof cards)[0])).toMatchObject({
          ok: true,
        });
      }
      for (const step of steps) await step.event[0](sessionIds[step.pack] ?? "");
      return { states: await listSaleStates(), wallet: await wallet() };
    };
    await assert(
      asyncProperty(events, async (steps) => {
        // Each payment keeps the order of its own events.
        const byPayment = steps.toSorted((a, b) => b.pack - a.pack);
        expect(await settle(byPayment)).toEqual(await settle(steps));
        await expectInvariantsToHold();
      }),
      { numRuns: 4 },
    );
  }, 60_000);
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
    expect(await listSaleStates()).toEqual(["reversed: lost"]);
  });

  it.each([
    ["won", "held: late-hold"],
    ["lost", "reversed: lost"],
  ] as const)(
    "stays in an exported payout when the dispute is %s, and is %s when that is withdrawn",
    async (outcome, state) => {
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
      expect(await withdrawShownExport(admin.id, payoutId, "Stopped at the bank")).toEqual({
        ok: true,
      });
      expect(await payoutRow(payoutId)).toEqual({ status: "processing", amount_cents: 5 * 2800 });
      expect(await listSaleStates()).toEqual([state]);
      await expectInvariantsToHold();
    },
  );

  it("is taken out of a requested payout by a refund", async () => {
    const { payoutId } = await requestedPayout(4);
    await refund(7000);
    expect(await listSaleStates()).toEqual(["reversed: lost"]);
    expect(await wallet()).toMatchObject({ has: 0, owes: 4 });
    expect(await payoutRow(payoutId)).toEqual({ status: "requested", amount_cents: 4 * 2800 });
  });

  it("stays with the creator if the payout was paid, and the operator is alerted", async () => {
    const { payoutId } = await requestedPayout(5);
    const admin = await makeAdmin();
    await startPayout(admin.id, payoutId);
    await exportForBank(admin.id, payoutId);
    await markShownPayoutPaid(admin.id, payoutId);
    await refund(7000);
    expect(await listSaleStates()).toEqual(["earned"]);
    expect(await wallet()).toMatchObject({ has: 0, owes: 4 });
    expect(await alertsAbout(payoutId)).toEqual(["exported-payout-disputed"]);
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

  it.each([
    ["before", true],
    ["after", false],
  ])(
    "states the deadline of a dispute that arrives %s the purchase, and reminds of it once",
    async (_, isBefore) => {
      const { session, completed } = await unfulfilled();
      const credit = async () => {
        for (let time = 0; time < 2; time += 1)
          expect((await postWebhook(completed)).status).toBe(200);
      };
      const report = async () => {
        await disputePayment(session, "needs_response");
        const event = JSON.stringify(await newestEventOf(session));
        expect((await postWebhook(event)).status).toBe(200);
      };
      for (const step of isBefore ? [report, credit] : [credit, report]) await step();
      await drainQueue([syncPaymentJob]);

      const [purchase] = await database()
        .select()
        .from(coinPurchases)
        .where(eq(coinPurchases.sessionId, session));
      const id = purchase?.id ?? "";
      const payment = await stripeGateway.readPayment(purchase?.paymentId ?? "");
      const [dueAt] = (payment?.disputes ?? []).flatMap((open) => open.dueAt ?? []);
      if (!dueAt) throw new Error("no deadline");
      const raised = await database().select().from(alerts).where(eq(alerts.subject, id));
      expect(raised).toMatchObject([
        { kind: "dispute", message: expect.stringContaining(`by ${formatInstant(dueAt)}.`) },
      ]);
      const { rows } = await database().execute(sql`
      select from jobs.job where name = ${remindOfDispute.name} and data ->> 'purchaseId' = ${id}`);
      expect(rows).toHaveLength(1);
    },
  );

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
