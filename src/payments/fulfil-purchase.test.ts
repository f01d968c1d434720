import { randomUUID } from "node:crypto";
import { count, eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { now } from "#platform/clock.server.ts";
import { database, transaction } from "#platform/database.server.ts";
import { env } from "#platform/env.server.ts";
import { alerts } from "#platform/tables.server.ts";
import { makeUser, type Person } from "#test/factories.ts";
import { listEmittedEvents, postWebhook, stubFetchInProcess } from "#test/gateway.ts";
import { expectInvariantsToHold } from "#test/integrity-checks.ts";
import { readWallet } from "#wallet/wallet.server.ts";
import {
  paySession,
  resolveDelayedPayment,
  startDelayedPayment,
} from "./fake-stripe/pay-session.server.ts";
import { fakeStripeEvents, fakeStripeSessions } from "./fake-stripe/tables.server.ts";
import { fulfilPurchase } from "./fulfil-purchase.server.ts";
import type { CheckoutDetails } from "./gateway.ts";
import { startPurchase } from "./start-purchase.server.ts";
import { stripeGateway } from "./stripe/gateway.server.ts";
import { coinPurchases, orders, paymentEvents } from "./tables.server.ts";

beforeAll(stubFetchInProcess);
afterAll(expectInvariantsToHold);

const VISA = "4242424242424242";

/** Creates a buyer with an open checkout session. */
async function startTestCheckout(coinPackId = "value_8") {
  const viewer = await makeUser();
  const started = await startPurchase({
    viewer,
    coinPackId,
    idempotencyKey: randomUUID(),
    returnTo: "/",
  });
  if (!started.ok) throw new Error(started.refusal);
  return { viewer, sessionId: started.sessionId };
}

async function paidSession(coinPackId?: string) {
  const { viewer, sessionId } = await startTestCheckout(coinPackId);
  await paySession(sessionId, VISA);
  return { viewer, session: await read(sessionId) };
}

async function read(sessionId: string): Promise<CheckoutDetails> {
  const session = await stripeGateway.readCheckout(sessionId);
  if (!session) throw new Error(`no session ${sessionId}`);
  return session;
}

async function readCoins({ id }: Person): Promise<number> {
  return (await readWallet(id)).balanceCoins;
}

async function findTestOrder(sessionId: string) {
  const [order] = await database().select().from(orders).where(eq(orders.sessionId, sessionId));
  if (!order) throw new Error(`no order of ${sessionId}`);
  return order;
}

async function alertAbout(subject: string) {
  const [alert] = await database().select().from(alerts).where(eq(alerts.subject, subject));
  return alert?.kind ?? null;
}

/** Returns the emitted events of a session, oldest first. */
async function listSessionEvents(sessionId: string) {
  const all = await listEmittedEvents();
  return all.filter((event) => JSON.stringify(event).includes(sessionId));
}

describe("a paid session", () => {
  it("credits the coins of its order and records the purchase", async () => {
    const { viewer, session } = await paidSession("pro_12");
    expect(await fulfilPurchase(session)).toBe("credited");
    expect(await readCoins(viewer)).toBe(12);
    const [purchase] = await database()
      .select()
      .from(coinPurchases)
      .where(eq(coinPurchases.userId, viewer.id));
    expect(purchase).toMatchObject({
      coins: 12,
      amountCents: 10_000,
      coinPackTitle: "Jet Master",
      currency: "zar",
      sessionId: session.sessionId,
      paymentId: session.paymentId,
    });
    expect((await findTestOrder(session.sessionId)).status).toBe("paid");
  });

  it("credits once for repeated calls", async () => {
    const { viewer, session } = await paidSession();
    const outcomes = [];
    for (let time = 0; time < 5; time += 1) outcomes.push(await fulfilPurchase(session));
    expect(outcomes).toEqual(["credited", "already", "already", "already", "already"]);
    expect(await readCoins(viewer)).toBe(8);
  });

  it("credits once for fifty concurrent calls", async () => {
    const { viewer, session } = await paidSession();
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, () => fulfilPurchase({ ...session })),
    );
    expect(outcomes.filter((outcome) => outcome === "credited")).toHaveLength(1);
    expect(await readCoins(viewer)).toBe(8);
  });

  it("credits once for a thousand concurrent webhook deliveries", async () => {
    const { viewer, session } = await paidSession();
    const bodies = (await listEmittedEvents()).slice(-3).map((event) => JSON.stringify(event));
    const completed = bodies.find((body) => body.includes("checkout.session.completed")) ?? "";
    const other = { ...JSON.parse(completed), id: `evt_${randomUUID()}` };
    other.type = "checkout.session.async_payment_succeeded";
    bodies.push(JSON.stringify(other));
    const responses = await Promise.all(
      Array.from({ length: 1000 }, (_, index) => postWebhook(bodies[index % bodies.length] ?? "")),
    );
    expect(new Set(responses.map((answer) => answer.status))).toEqual(new Set([200]));
    expect(await readCoins(viewer)).toBe(8);
    const [purchases] = await database()
      .select({ count: count() })
      .from(coinPurchases)
      .where(eq(coinPurchases.sessionId, session.sessionId));
    expect(purchases?.count).toBe(1);
    const outcomes = await database()
      .select({ outcome: paymentEvents.outcome })
      .from(paymentEvents)
      .where(eq(paymentEvents.sessionId, session.sessionId));
    expect(outcomes.map((outcome) => outcome.outcome).sort()).toEqual(["already", "credited"]);
  });

  it("repays the debt first and credits the rest to the wallet", async () => {
    const { viewer, session } = await paidSession();
    await transaction((tx) =>
      tx.execute(
        sql`select post_to_ledger('refund', ${randomUUID()}, ${now()}, ${JSON.stringify([
          { account: "owed", owner: viewer.id, unit: "coin", amount: -3 },
          { account: "sold", unit: "coin", amount: 3 },
        ])}::jsonb)`,
      ),
    );
    await fulfilPurchase(session);
    expect(await readWallet(viewer.id)).toMatchObject({ balanceCoins: 5, owedCoins: 0 });
  });

  it("leaves the wallet empty and the rest owed when the debt is larger", async () => {
    const { viewer, session } = await paidSession();
    await transaction((tx) =>
      tx.execute(
        sql`select post_to_ledger('refund', ${randomUUID()}, ${now()}, ${JSON.stringify([
          { account: "owed", owner: viewer.id, unit: "coin", amount: -11 },
          { account: "sold", unit: "coin", amount: 11 },
        ])}::jsonb)`,
      ),
    );
    await fulfilPurchase(session);
    expect(await readWallet(viewer.id)).toMatchObject({ balanceCoins: 0, owedCoins: 3 });
  });
});

describe("a session that does not match its order or is unpaid", () => {
  const differences: [string, (session: CheckoutDetails) => CheckoutDetails][] = [
    ["another amount", (session) => ({ ...session, amountCents: 100 })],
    ["one cent too little", (session) => ({ ...session, amountCents: 6999 })],
    ["one cent too much", (session) => ({ ...session, amountCents: 7001 })],
    ["no amount", (session) => ({ ...session, amountCents: null })],
    ["another currency", (session) => ({ ...session, currency: "usd" })],
    ["live mode when test mode is configured", (session) => ({ ...session, isLive: true })],
    ["another session of the same order", (session) => ({ ...session, sessionId: "cs_test_x" })],
  ];
  it.each(differences)("credits nothing and alerts the operator for %s", async (_, change) => {
    const { viewer, session } = await paidSession();
    const other = change(session);
    expect(await fulfilPurchase(other)).toBe("mismatch");
    expect(await readCoins(viewer)).toBe(0);
    expect(await alertAbout(other.sessionId)).toBe("payment-mismatch");
    // The unchanged session is still credited.
    expect(await fulfilPurchase(session)).toBe("credited");
    expect(await readCoins(viewer)).toBe(8);
    await database().delete(alerts);
  });

  it("credits nothing and alerts the operator for test mode when live mode is configured", async () => {
    const { viewer, session } = await paidSession();
    const { stripe } = env();
    const { secretKey } = stripe;
    stripe.secretKey = "sk_live_1";
    try {
      expect(await fulfilPurchase(session)).toBe("mismatch");
    } finally {
      stripe.secretKey = secretKey;
    }
    expect(await readCoins(viewer)).toBe(0);
    expect(await alertAbout(session.sessionId)).toBe("payment-mismatch");
  });

  it.each([
    ["no order id", null],
    ["an unknown order id", randomUUID()],
    ["an invalid order id", "x' or '1'='1"],
  ])("credits nothing and alerts the operator when it has %s", async (_, orderId) => {
    const { viewer, session } = await paidSession();
    expect(await fulfilPurchase({ ...session, orderId })).toBe("unknown-order");
    expect(await readCoins(viewer)).toBe(0);
    expect(await alertAbout(session.sessionId)).toBe("payment-without-order");
  });

  it("does not credit the buyer of another order", async () => {
    const { session } = await paidSession();
    const { viewer: bystander, sessionId } = await startTestCheckout();
    const foreign = await findTestOrder(sessionId);
    expect(await fulfilPurchase({ ...session, orderId: foreign.id })).toBe("mismatch");
    expect(await readCoins(bystander)).toBe(0);
  });

  it("credits nothing while it is unpaid", async () => {
    const { viewer, sessionId } = await startTestCheckout();
    expect(await fulfilPurchase(await read(sessionId))).toBe("unpaid");
    expect(await readCoins(viewer)).toBe(0);
  });

  it("waits for a delayed payment and credits it when it arrives", async () => {
    const { viewer, sessionId } = await startTestCheckout();
    await startDelayedPayment(sessionId);
    expect(await fulfilPurchase(await read(sessionId))).toBe("delayed");
    expect((await findTestOrder(sessionId)).status).toBe("delayed");
    expect(await readCoins(viewer)).toBe(0);
    await resolveDelayedPayment(sessionId, true);
    expect(await fulfilPurchase(await read(sessionId))).toBe("credited");
    expect(await readCoins(viewer)).toBe(8);
  });

  it("stays delayed when its page is reported as unpaid", async () => {
    const { sessionId } = await startTestCheckout();
    await startDelayedPayment(sessionId);
    const session = await read(sessionId);
    await fulfilPurchase(session);
    expect(await fulfilPurchase({ ...session, status: "unpaid" })).toBe("delayed");
    expect((await findTestOrder(sessionId)).status).toBe("delayed");
  });

  it("fails when the delayed payment fails", async () => {
    const { viewer, sessionId } = await startTestCheckout();
    await startDelayedPayment(sessionId);
    await resolveDelayedPayment(sessionId, false);
    expect(await fulfilPurchase(await read(sessionId))).toBe("failed");
    expect((await findTestOrder(sessionId)).status).toBe("failed");
    expect(await readCoins(viewer)).toBe(0);
  });

  it("stays failed when its session is reported as complete or expired later", async () => {
    const { viewer, sessionId } = await startTestCheckout();
    await startDelayedPayment(sessionId);
    const unpaid = await read(sessionId);
    expect(await fulfilPurchase({ ...unpaid, status: "failed" })).toBe("failed");
    for (const status of ["delayed", "expired"] as const)
      expect(await fulfilPurchase({ ...unpaid, status })).toBe("failed");
    expect((await findTestOrder(sessionId)).status).toBe("failed");
    expect(await readCoins(viewer)).toBe(0);
  });

  it("stays expired when its unpaid session is reported as complete later", async () => {
    const { sessionId } = await startTestCheckout();
    const session = await read(sessionId);
    expect(await fulfilPurchase({ ...session, status: "expired" })).toBe("expired");
    expect(await fulfilPurchase({ ...session, status: "delayed" })).toBe("expired");
    expect((await findTestOrder(sessionId)).status).toBe("expired");
  });

  it("stays paid when an expiry is reported after the payment", async () => {
    const { viewer, session } = await paidSession();
    await fulfilPurchase(session);
    expect(await fulfilPurchase({ ...session, status: "expired" })).toBe("already");
    expect((await findTestOrder(session.sessionId)).status).toBe("paid");
    expect(await readCoins(viewer)).toBe(8);
  });

  it("is credited when it is paid after being recorded as expired", async () => {
    const { viewer, session } = await paidSession();
    expect(await fulfilPurchase({ ...session, status: "expired" })).toBe("expired");
    expect(await fulfilPurchase(session)).toBe("credited");
    expect(await readCoins(viewer)).toBe(8);
  });
});

describe("the events of one payment, delivered twice each, in every order", () => {
  const completed = "checkout.session.completed";
  const succeeded = "checkout.session.async_payment_succeeded";
  const expired = "checkout.session.expired";
  const orderings = permutations([completed, succeeded, expired]);

  it.each(orderings.map((types) => [types.join(", ")]))("credits once: %s", async (joined) => {
    const { viewer, sessionId } = await startTestCheckout();
    await startDelayedPayment(sessionId);
    await resolveDelayedPayment(sessionId, true);
    const events = await listSessionEvents(sessionId);
    const completedEvent = events.find((event) => event.type === completed);
    // An expiry event of a session that was paid just before its expiry.
    const { object: sessionObject } = (completedEvent?.data ?? {}) as { object?: object };
    const object = { ...sessionObject, status: "expired" };
    events.push({ ...completedEvent, id: `evt_${randomUUID()}`, type: expired, data: { object } });
    for (const type of joined.split(", ")) {
      const body = JSON.stringify(events.find((event) => event.type === type));
      expect((await postWebhook(body)).status).toBe(200);
      expect((await postWebhook(body)).status).toBe(200);
    }
    expect(await readCoins(viewer)).toBe(8);
    expect((await findTestOrder(sessionId)).status).toBe("paid");
  });
});

it("rolls back a purchase that fails half way, and succeeds on retry", async () => {
  const { viewer, session } = await paidSession();
  await database().execute(sql`
    create function break_receipts() returns trigger language plpgsql as $$
    begin raise exception 'broken'; end $$`);
  await database().execute(sql`
    create trigger break_receipts after update on orders
    for each row when (new.status = 'fulfilled') execute function break_receipts()`);
  await expect(fulfilPurchase(session)).rejects.toThrow();
  expect(await readCoins(viewer)).toBe(0);
  await database().execute(sql`drop trigger break_receipts on orders`);
  expect(await fulfilPurchase(session)).toBe("credited");
  expect(await readCoins(viewer)).toBe(8);
});

it("credits a payment after the buyer closed the account and alerts the operator", async () => {
  const { viewer, session } = await paidSession();
  await database().execute(sql`update users set closed_at = ${now()} where id = ${viewer.id}`);
  expect(await fulfilPurchase(session)).toBe("credited");
  const [purchase] = await database()
    .select()
    .from(coinPurchases)
    .where(eq(coinPurchases.sessionId, session.sessionId));
  expect(await alertAbout(purchase?.id ?? "")).toBe("payment-of-closed-account");
});

it("the fake provider stores no card number", async () => {
  const { session } = await paidSession();
  const [row] = await database()
    .select()
    .from(fakeStripeSessions)
    .where(eq(fakeStripeSessions.id, session.sessionId));
  const events = await database().select().from(fakeStripeEvents);
  expect(JSON.stringify([row, events])).not.toContain(VISA);
  expect(row?.cardLast4).toBe("4242");
});

function permutations(items: string[]): string[][] {
  if (items.length < 2) return [items];
  return items.flatMap((item, index) =>
    permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]),
  );
}
