import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { freezeClock, now } from "#platform/clock.server.ts";
import { database } from "#platform/database.server.ts";
import { alerts } from "#platform/tables.server.ts";
import { unlockRaceCardAs } from "#race-cards/race-cards.server.ts";
import { readWallet } from "#wallet/wallet.server.ts";
import { expectBooksToHold } from "../../test/books.ts";
import { giveCoins, makeUser, publishRaceCard } from "../../test/cast.ts";
import { answerInProcess, emittedEvents, postWebhook } from "../../test/gateway.ts";
import { followPayment } from "./follow-payment.server.ts";
import { fulfilPurchase } from "./fulfil-purchase.server.ts";
import type { DisputeStatus } from "./gateway.server.ts";
import { makeDemoPurchase } from "./stand-in/make-demo-purchase.server.ts";
import { paySession } from "./stand-in/pay-session.server.ts";
import { disputePayment, refundPayment } from "./stand-in/undo-payment.server.ts";
import { startPurchase } from "./start-purchase.server.ts";
import { coinPurchases, paymentReports, stripeEvents } from "./tables.server.ts";

beforeAll(answerInProcess);
afterAll(expectBooksToHold);
afterEach(() => freezeClock(null));

let buyer: { id: string; email: string };
let sessionId: string;
let paymentIntentId: string;

/** A buyer of eight coins for R70, an hour ago. */
beforeEach(async () => {
  buyer = await makeUser();
  const at = new Date(now().getTime() - 60 * 60_000);
  ({ sessionId } = await makeDemoPurchase({ userId: buyer.id, packageId: "value_8", at }));
  paymentIntentId = (await purchase()).paymentIntentId ?? "";
});

async function purchase() {
  const [row] = await database()
    .select()
    .from(coinPurchases)
    .where(eq(coinPurchases.stripeSessionId, sessionId));
  if (!row) throw new Error("no purchase");
  return row;
}

async function wallet() {
  const { balanceCoins, owedCoins, isFrozen } = await readWallet(buyer.id);
  return { has: balanceCoins, owes: owedCoins, isFrozen };
}

/** Opens so many cards, each of another creator. */
async function openCards(count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const { raceCardId } = await publishRaceCard();
    const unlock = await unlockRaceCardAs(buyer.id, { raceCardId });
    if (!unlock.ok) throw new Error(unlock.refusal);
  }
}

async function tell(refundedCents: number, disputeStatus: DisputeStatus | null = null) {
  return await followPayment({ paymentIntentId, refundedCents, disputeStatus });
}

/** The buyer's sales, oldest first: what stands against each earning. */
async function sales(): Promise<string[]> {
  const { rows } = await database().execute<{ state: string }>(sql`
    select coalesce('reversed: ' || r.reason, 'held: ' || e.held_reason, 'earned') as state
    from sales s join earnings e on e.sale_id = s.id
    left join earning_reversals r on r.sale_id = s.id
    where s.buyer_id = ${buyer.id} order by s.id`);
  return rows.map((row) => row.state);
}

async function opened(): Promise<number> {
  const { rows } = await database().execute(sql`select 1 from sales where buyer_id = ${buyer.id}`);
  return rows.length;
}

const later = (days: number) => freezeClock(new Date(now().getTime() + days * 24 * 60 * 60_000));

describe("a refund", () => {
  it("takes back what is still in the wallet", async () => {
    expect(await tell(7000)).toBe("followed");
    expect(await wallet()).toEqual({ has: 0, owes: 0, isFrozen: false });
    expect(await purchase()).toMatchObject({ refundedCents: 7000, takenBackCoins: 8 });
  });

  it("takes back no more than was bought", async () => {
    await giveCoins(buyer.id, 5);
    await tell(7000);
    expect(await wallet()).toMatchObject({ has: 5, owes: 0 });
  });

  it("of coins that were spent reverses the newest sales, and the cards stay open", async () => {
    await openCards(1);
    await tell(7000);
    expect(await wallet()).toMatchObject({ has: 0, owes: 0 });
    expect(await sales()).toEqual(["reversed: refund"]);
    expect(await opened()).toBe(1);
  });

  it("does not touch sales from before the purchase", async () => {
    const other = await makeUser({ coins: 4 });
    const mine = buyer;
    buyer = other;
    await openCards(1);
    later(1);
    ({ sessionId } = await makeDemoPurchase({
      userId: other.id,
      packageId: "value_8",
      at: now(),
    }));
    paymentIntentId = (await purchase()).paymentIntentId ?? "";
    await openCards(1);
    await tell(7000);
    expect(await sales()).toEqual(["earned", "reversed: refund"]);
    buyer = mine;
  });

  it("of sales that are payable already leaves the coins owed, and no card opens until they are", async () => {
    await openCards(2);
    later(15);
    await tell(7000);
    expect(await sales()).toEqual(["earned", "earned"]);
    expect(await wallet()).toMatchObject({ has: 0, owes: 8 });
    await giveCoins(buyer.id, 4);
    const { raceCardId } = await publishRaceCard();
    const refused = await unlockRaceCardAs(buyer.id, { raceCardId });
    expect(refused).toMatchObject({ ok: false, refusal: "owing" });
    await makeDemoPurchase({ userId: buyer.id, packageId: "pro_12", at: now() });
    expect(await wallet()).toMatchObject({ has: 8, owes: 0 });
    expect((await unlockRaceCardAs(buyer.id, { raceCardId })).ok).toBe(true);
  });

  it("in parts takes back whole coins by what was refunded in all", async () => {
    await tell(1000);
    expect(await wallet()).toMatchObject({ has: 7 });
    await tell(3500);
    expect(await wallet()).toMatchObject({ has: 4 });
    await tell(7000);
    expect(await wallet()).toMatchObject({ has: 0 });
    expect(await purchase()).toMatchObject({ refundedCents: 7000, takenBackCoins: 8 });
  });

  it("told twice, late or in the wrong order counts the most that was ever told", async () => {
    await tell(3500);
    await tell(1000);
    await tell(3500);
    expect(await wallet()).toMatchObject({ has: 4 });
    expect(await purchase()).toMatchObject({ refundedCents: 3500, takenBackCoins: 4 });
  });

  it("told twenty times at once is one", async () => {
    await Promise.all(Array.from({ length: 20 }, () => tell(7000)));
    expect(await wallet()).toMatchObject({ has: 0, owes: 0 });
  });

  it("of more than was paid takes back what was bought, and tells the operator", async () => {
    await tell(9000);
    expect(await purchase()).toMatchObject({ refundedCents: 7000, takenBackCoins: 8 });
    const { id } = await purchase();
    const [alert] = await database().select().from(alerts).where(eq(alerts.subject, id));
    expect(alert?.kind).toBe("refund-exceeds-payment");
  });

  it("while the buyer opens cards never leaves a wallet below zero or a coin unaccounted for", async () => {
    const cards = [await publishRaceCard(), await publishRaceCard()];
    await Promise.all([
      tell(7000),
      ...cards.map(({ raceCardId }) => unlockRaceCardAs(buyer.id, { raceCardId })),
    ]);
    expect(await wallet()).toMatchObject({ has: 0, owes: 0 });
    const states = await sales();
    expect(states.every((state) => state === "reversed: refund")).toBe(true);
  });
});

describe("a dispute", () => {
  it("while it is open freezes the wallet and holds what was earned by its coins", async () => {
    await openCards(1);
    await tell(0, "open");
    expect(await wallet()).toEqual({ has: 4, owes: 0, isFrozen: true });
    expect(await sales()).toEqual(["held: dispute"]);
    const { raceCardId } = await publishRaceCard();
    expect(await unlockRaceCardAs(buyer.id, { raceCardId })).toMatchObject({ refusal: "owing" });
  });

  it("that is won lets everything go", async () => {
    await openCards(1);
    await tell(0, "open");
    await tell(0, "won");
    expect(await wallet()).toEqual({ has: 4, owes: 0, isFrozen: false });
    expect(await sales()).toEqual(["earned"]);
    expect((await purchase()).disputeStatus).toBe("won");
  });

  it("that is lost takes back what was bought and lets the rest go", async () => {
    await openCards(1);
    await tell(0, "open");
    await tell(0, "lost");
    expect(await wallet()).toEqual({ has: 0, owes: 0, isFrozen: false });
    expect(await sales()).toEqual(["reversed: dispute"]);
    expect(await purchase()).toMatchObject({ disputeStatus: "lost", takenBackCoins: 8 });
  });

  it("that is lost after two months reverses what it held all the time", async () => {
    await openCards(2);
    await tell(0, "open");
    later(60);
    await tell(0, "lost");
    expect(await sales()).toEqual(["reversed: dispute", "reversed: dispute"]);
    expect(await wallet()).toMatchObject({ has: 0, owes: 0 });
  });

  it("that is lost after a part was refunded takes back the other part", async () => {
    await tell(3500);
    await tell(0, "lost");
    expect(await wallet()).toMatchObject({ has: 0, owes: 0 });
    const { rows } = await database().execute(sql`
      select t.kind, p.amount from ledger_postings p join ledger_transactions t on t.id = p.transaction_id
      where p.account = 'provider' and t.reference like ${`${(await purchase()).id}%`} order by p.id`);
    expect(rows).toEqual([
      { kind: "refund", amount: -3500 },
      { kind: "dispute", amount: -3500 },
    ]);
  });

  it("told as opened after it was closed stays closed", async () => {
    await tell(0, "won");
    await tell(0, "open");
    expect(await wallet()).toMatchObject({ isFrozen: false });
    await tell(0, "lost");
    await tell(0, "won");
    expect((await purchase()).disputeStatus).toBe("lost");
  });

  it("that the provider, asked again, says is a new one opens again", async () => {
    await tell(0, "won");
    later(1);
    const facts = { paymentIntentId, refundedCents: 0, disputeStatus: "open" as const };
    await followPayment(facts, { askedAt: now() });
    expect(await wallet()).toMatchObject({ isFrozen: true });
  });

  it("keeps the wallet frozen as long as another of the same buyer is open", async () => {
    const first = paymentIntentId;
    ({ sessionId } = await makeDemoPurchase({
      userId: buyer.id,
      packageId: "starter_4",
      at: now(),
    }));
    paymentIntentId = (await purchase()).paymentIntentId ?? "";
    await openCards(1);
    await tell(0, "open");
    await followPayment({ paymentIntentId: first, refundedCents: 0, disputeStatus: "open" });
    await tell(0, "won");
    expect(await wallet()).toMatchObject({ isFrozen: true });
    expect(await sales()).toEqual(["held: dispute"]);
    await followPayment({ paymentIntentId: first, refundedCents: 0, disputeStatus: "won" });
    expect(await wallet()).toMatchObject({ isFrozen: false });
    expect(await sales()).toEqual(["earned"]);
  });
});

describe("what is told of a payment before its purchase is known", () => {
  async function unfulfilled() {
    const started = await startPurchase({
      viewer: buyer,
      packageId: "starter_4",
      requestKey: randomUUID(),
      returnTo: "/",
    });
    if (!started.ok) throw new Error(started.refusal);
    await paySession(started.sessionId, "4242424242424242");
    const events = (await emittedEvents()).filter((event) =>
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
  ])("%s waits for it, and is applied with it", async (_, undo, expected) => {
    const { session, completed } = await unfulfilled();
    await undo(session);
    const told = (await emittedEvents()).at(-1);
    expect((await postWebhook(JSON.stringify(told))).status).toBe(200);
    const [kept] = await database()
      .select()
      .from(stripeEvents)
      .where(eq(stripeEvents.id, told?.id ?? ""));
    expect(kept?.outcome).toBe("kept");
    expect((await postWebhook(completed)).status).toBe(200);
    expect(await wallet()).toEqual(expected);
  });

  it("at the same moment as the purchase is never lost", async () => {
    for (let round = 0; round < 10; round += 1) {
      const { session } = await unfulfilled();
      const facts = {
        sessionId: session,
        orderId: null as string | null,
        status: "complete" as const,
        isPaid: true,
        amountCents: 4000,
        currency: "zar",
        isLive: false,
        paymentIntentId: `pi_${session}`,
        cardFingerprint: null,
      };
      const { rows } = await database().execute<{ id: string }>(
        sql`select id from orders where session_id = ${session}`,
      );
      facts.orderId = rows[0]?.id ?? null;
      const refund = { paymentIntentId: `pi_${session}`, refundedCents: 4000, disputeStatus: null };
      await Promise.all([fulfilPurchase(facts), followPayment(refund)]);
      const [report] = await database()
        .select()
        .from(paymentReports)
        .where(eq(paymentReports.paymentIntentId, `pi_${session}`));
      expect(report?.refundedCents).toBe(4000);
      expect(await wallet()).toMatchObject({ has: 8 });
    }
  });
});

it("refunds and disputes made on the pay page reach the purchase by signed events", async () => {
  await refundPayment(sessionId, 3500);
  await disputePayment(sessionId, "needs_response");
  await disputePayment(sessionId, "lost");
  for (const event of (await emittedEvents()).toReversed())
    expect((await postWebhook(JSON.stringify(event))).status).toBe(200);
  expect(await purchase()).toMatchObject({
    refundedCents: 3500,
    disputeStatus: "lost",
    takenBackCoins: 8,
  });
});
