import { randomUUID } from "node:crypto";
import { eq, isNotNull, like, sql } from "drizzle-orm";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { freezeClock, now } from "#platform/clock.server.ts";
import { database } from "#platform/database.server.ts";
import { alerts } from "#platform/tables.server.ts";
import { makeUser, publishRaceCard } from "#test/factories.ts";
import { listEmittedEvents, postWebhook, stubFetchInProcess } from "#test/gateway.ts";
import { expectInvariantsToHold } from "#test/integrity-checks.ts";
import { withRefusedWrites } from "#test/refused-writes.ts";
import { readWallet } from "#wallet/wallet.server.ts";
import {
  paySession,
  resolveDelayedPayment,
  startDelayedPayment,
} from "./fake-stripe/pay-session.server.ts";
import { refundPayment } from "./fake-stripe/refund-and-dispute.server.ts";
import { fakeStripeEvents } from "./fake-stripe/tables.server.ts";
import { reconcilePayments } from "./reconcile-payments.server.ts";
import { startGuestPurchase } from "./start-guest-purchase.server.ts";
import { startPurchase } from "./start-purchase.server.ts";
import { orders, paymentEvents, pendingRegistrations } from "./tables.server.ts";

let buyer: { id: string; email: string };
let sessionId: string;

beforeEach(async () => {
  stubFetchInProcess();
  buyer = await makeUser();
  const started = await startPurchase({
    viewer: buyer,
    coinPackId: "starter_4",
    idempotencyKey: randomUUID(),
    returnTo: "/",
  });
  if (!started.ok) throw new Error(started.refusal);
  sessionId = started.sessionId;
});
afterEach(() => freezeClock(null));
afterAll(expectInvariantsToHold);

const reconcile = () => reconcilePayments.run({}, { isLast: true });
const advanceMinutes = (minutes: number) =>
  freezeClock(new Date(now().getTime() + minutes * 60_000));
const coins = async () => (await readWallet(buyer.id)).balanceCoins;

async function status(id = sessionId): Promise<string | undefined> {
  const [order] = await database().select().from(orders).where(eq(orders.sessionId, id));
  return order?.status;
}

/** Creates another buyer's open order, updated `seconds` from now (negative: in the past). */
async function createOtherOrder(seconds: number, hasPage = true) {
  const { id } = await makeUser();
  const started = await startPurchase({
    viewer: { id, email: "other@example.test" },
    coinPackId: "starter_4",
    idempotencyKey: randomUUID(),
    returnTo: "/",
  });
  if (!started.ok) throw new Error(started.refusal);
  const updatedAt = new Date(now().getTime() + seconds * 1000);
  const [order] = await database()
    .update(orders)
    .set({ updatedAt, ...(hasPage ? {} : { sessionId: null }) })
    .where(eq(orders.sessionId, started.sessionId))
    .returning({ id: orders.id });
  return { orderId: order?.id ?? "", sessionId: started.sessionId };
}

/** Stubs the provider: paths that begin with one of `paths` succeed, all others fail. */
function answerOnly(...paths: string[]): void {
  stubFetchInProcess();
  const originalFetch = fetch;
  vi.stubGlobal("fetch", (url: string, init?: RequestInit) =>
    paths.some((path) => new URL(url).pathname.startsWith(path))
      ? originalFetch(url, init)
      : Promise.reject(new TypeError("fetch failed")),
  );
}

describe("the reconciler", () => {
  it("credits a paid session without webhooks by reading the session", async () => {
    await paySession(sessionId, "4242424242424242");
    advanceMinutes(5);
    answerOnly("/v1/checkout/sessions");
    await reconcile();
    expect(await coins()).toBe(4);
  });

  it("credits a paid session from the provider's list of events", async () => {
    await paySession(sessionId, "4242424242424242");
    answerOnly("/v1/events", "/v1/checkout/sessions/");
    await reconcile();
    expect(await coins()).toBe(4);
  });

  it("credits once when the webhook arrives later", async () => {
    await paySession(sessionId, "4242424242424242");
    advanceMinutes(5);
    await Promise.all([reconcile(), reconcile(), reconcile()]);
    for (const event of await listEmittedEvents())
      expect((await postWebhook(JSON.stringify(event))).status).toBe(200);
    expect(await coins()).toBe(4);
  });

  it("applies a refund without a webhook", async () => {
    await paySession(sessionId, "4242424242424242");
    await reconcile();
    await refundPayment(sessionId, 4000);
    await reconcile();
    expect(await coins()).toBe(0);
  });

  it("leaves an open session unpaid and expires its order after an hour", async () => {
    advanceMinutes(5);
    await reconcile();
    expect(await status()).toBe("unpaid");
    advanceMinutes(56);
    await reconcile();
    expect(await status()).toBe("expired");
    expect(await coins()).toBe(0);
  });

  it("resolves a delayed payment when it arrives", async () => {
    await startDelayedPayment(sessionId);
    advanceMinutes(5);
    await reconcile();
    expect(await status()).toBe("delayed");
    await resolveDelayedPayment(sessionId, true);
    answerOnly("/v1/checkout/sessions");
    advanceMinutes(61);
    await reconcile();
    expect(await coins()).toBe(4);
  });

  it("handles an event that arrived while the provider was down", async () => {
    await startDelayedPayment(sessionId);
    await resolveDelayedPayment(sessionId, false);
    const failed = (await listEmittedEvents("checkout.session.async_payment_failed")).at(-1);
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("fetch failed")));
    expect((await postWebhook(JSON.stringify(failed))).status).toBe(503);
    stubFetchInProcess();
    advanceMinutes(2);
    await reconcile();
    const [event] = await database()
      .select()
      .from(paymentEvents)
      .where(eq(paymentEvents.id, failed?.id ?? ""));
    expect(event?.outcome).toBe("failed");
    expect(await status()).toBe("failed");
  });

  it("alerts the operator about an event unhandled for five minutes", async () => {
    await startDelayedPayment(sessionId);
    await resolveDelayedPayment(sessionId, false);
    const failed = (await listEmittedEvents("checkout.session.async_payment_failed")).at(-1);
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("fetch failed")));
    await postWebhook(JSON.stringify(failed));
    const listAlertsAbout = () =>
      database()
        .select()
        .from(alerts)
        .where(eq(alerts.subject, failed?.id ?? ""));
    advanceMinutes(3);
    await reconcile();
    expect(await listAlertsAbout()).toEqual([]);
    advanceMinutes(3);
    await reconcile();
    expect((await listAlertsAbout())[0]?.kind).toBe("event-unprocessed");
    stubFetchInProcess();
    await reconcile();
  });

  it("continues after an order that the provider cannot read, and alerts once a day", async () => {
    await paySession(sessionId, "4242424242424242");
    const unreadable = await createOtherOrder(-60);
    stubFetchInProcess();
    const originalFetch = fetch;
    vi.stubGlobal("fetch", (url: string, init?: RequestInit) =>
      String(url).includes(unreadable.sessionId)
        ? Promise.resolve(Response.json({ error: { type: "api_error" } }, { status: 400 }))
        : originalFetch(url, init),
    );
    const listAlertsAbout = () =>
      database().select().from(alerts).where(eq(alerts.subject, unreadable.orderId));
    advanceMinutes(5);
    await reconcile();
    expect(await coins()).toBe(4);
    const [first] = await listAlertsAbout();
    expect(first?.kind).toBe("order-unreadable");
    await database().update(alerts).set({ resolvedAt: now() });
    advanceMinutes(10);
    await reconcile();
    expect(await listAlertsAbout()).toMatchObject([{ createdAt: first?.createdAt }]);
  });

  it("continues after an order that cannot be written, and raises an alert", async () => {
    await paySession(sessionId, "4242424242424242");
    const broken = await createOtherOrder(-60);
    advanceMinutes(5);
    answerOnly("/v1/checkout/sessions");
    await withRefusedWrites(
      { table: "orders", write: "update", condition: `new.id = '${broken.orderId}'` },
      reconcile,
    );
    expect(await coins()).toBe(4);
    const [alert] = await database()
      .select()
      .from(alerts)
      .where(eq(alerts.subject, broken.orderId));
    expect(alert?.kind).toBe("order-unreadable");
  });

  it.each(["insert", "update"] as const)(
    "continues after an event that cannot be stored, on %s, and handles it in a later run",
    async (write) => {
      const other = await createOtherOrder(60 * 60);
      await paySession(other.sessionId, "4242424242424242");
      const findEvent = async (id: string) =>
        (await listEmittedEvents("checkout.session.completed")).find((emittedEvent) =>
          JSON.stringify(emittedEvent).includes(id),
        );
      const broken = await findEvent(other.sessionId);
      await paySession(sessionId, "4242424242424242");
      answerOnly("/v1/events", "/v1/checkout/sessions/");
      if (write === "update")
        for (const [id, event] of [
          [other.sessionId, broken],
          [sessionId, await findEvent(sessionId)],
        ] as const)
          await database()
            .insert(paymentEvents)
            .values({
              provider: "stripe",
              id: event?.id ?? "",
              type: "checkout.session.completed",
              sessionId: id,
              receivedAt: now(),
            });
      advanceMinutes(6);
      await withRefusedWrites(
        { table: "payment_events", write, condition: `new.id = '${broken?.id}'` },
        reconcile,
      );
      expect(await coins()).toBe(4);
      const [alert] = await database()
        .select()
        .from(alerts)
        .where(eq(alerts.subject, broken?.id ?? ""));
      expect(alert?.kind).toBe(write === "insert" ? "event-unreadable" : "event-unprocessed");
      await reconcile();
      expect(await status(other.sessionId)).toBe("paid");
    },
  );

  it("continues after a response that is not a session", async () => {
    const charge = {
      billing_details: { name: 5 },
      payment_method_details: { card: { last4: "4242" } },
    };
    const notASession = { payment_intent: { latest_charge: charge } };
    await paySession(sessionId, "4242424242424242");
    const unreadable = await createOtherOrder(-60);
    stubFetchInProcess();
    const originalFetch = fetch;
    vi.stubGlobal("fetch", (url: string, init?: RequestInit) =>
      String(url).includes(unreadable.sessionId)
        ? Promise.resolve(Response.json(notASession))
        : originalFetch(url, init),
    );
    advanceMinutes(5);
    await reconcile();
    expect(await coins()).toBe(4);
  });

  it("reads the 101st open order in the next run", async () => {
    for (let index = 0; index < 100; index += 1) await createOtherOrder(-120 - index, false);
    await paySession(sessionId, "4242424242424242");
    advanceMinutes(5);
    answerOnly("/v1/checkout/sessions");
    await reconcile();
    expect(await coins()).toBe(0);
    advanceMinutes(5);
    await reconcile();
    expect(await coins()).toBe(4);
  });

  it("handles the 101st stored event in the next run", async () => {
    const receivedAt = new Date(now().getTime() - 60 * 60_000);
    for (let index = 0; index < 100; index += 1)
      await database()
        .insert(paymentEvents)
        .values({
          provider: "stripe",
          id: `evt_stuck_${index}_${randomUUID()}`,
          type: "charge.refunded",
          paymentId: `pi_unknown_${index}`,
          receivedAt,
        });
    await paySession(sessionId, "4242424242424242");
    const [event] = (await listEmittedEvents("checkout.session.completed")).filter((emittedEvent) =>
      JSON.stringify(emittedEvent).includes(sessionId),
    );
    await database()
      .insert(paymentEvents)
      .values({
        provider: "stripe",
        id: event?.id ?? "",
        type: event?.type ?? "",
        sessionId,
        receivedAt: now(),
      });
    const outcome = async () => {
      const [row] = await database()
        .select()
        .from(paymentEvents)
        .where(eq(paymentEvents.id, event?.id ?? ""));
      return row?.outcome;
    };
    // Fails the provider's list of events, which this test does not cover.
    const originalFetch = fetch;
    vi.stubGlobal("fetch", (url: string, init?: RequestInit) =>
      new URL(url).pathname === "/v1/events"
        ? Promise.reject(new TypeError("fetch failed"))
        : originalFetch(url, init),
    );
    advanceMinutes(2);
    await reconcile();
    expect(await outcome()).toBeNull();
    advanceMinutes(3);
    await reconcile();
    expect(await outcome()).not.toBeNull();
    await database().delete(paymentEvents).where(like(paymentEvents.id, "evt_stuck_%"));
  });

  it.each([
    [59, 4],
    [61, 0],
  ])("for an event listed %d minutes late, credits %d coins", async (minutes, expected) => {
    // Reads all events up to now.
    await reconcile();
    await paySession(sessionId, "4242424242424242");
    await database()
      .update(fakeStripeEvents)
      .set({ createdAt: new Date(now().getTime() - minutes * 60_000) })
      .where(sql`${fakeStripeEvents.payload}::text like ${`%${sessionId}%`}`);
    answerOnly("/v1/events", "/v1/checkout/sessions/");
    await reconcile();
    expect(await coins()).toBe(expected);
  });

  it("continues after an unreadable event and raises an alert", async () => {
    await paySession(sessionId, "4242424242424242");
    const [event] = (await listEmittedEvents("charge.succeeded")).slice(-1);
    const id = `evt_${randomUUID().replaceAll("-", "")}`;
    await database()
      .insert(fakeStripeEvents)
      .values({
        id,
        type: "checkout.session.completed",
        createdAt: now(),
        payload: { ...event, id, type: "checkout.session.completed", data: { object: null } },
      });
    answerOnly("/v1/events", "/v1/checkout/sessions/");
    await reconcile();
    expect(await coins()).toBe(4);
    const [alert] = await database().select().from(alerts).where(eq(alerts.subject, id));
    expect(alert?.kind).toBe("event-unreadable");
  });

  it("continues after an event that the provider refuses to explain", async () => {
    const [template] = (await listEmittedEvents("charge.succeeded")).slice(-1);
    await paySession(sessionId, "4242424242424242");
    const id = `evt_${randomUUID().replaceAll("-", "")}`;
    const paymentId = `pi_${randomUUID().replaceAll("-", "")}`;
    await database()
      .insert(fakeStripeEvents)
      .values({
        id,
        type: "charge.refunded",
        createdAt: new Date(now().getTime() - 60_000),
        payload: {
          ...template,
          id,
          type: "charge.refunded",
          data: { object: { object: "charge", payment_intent: paymentId } },
        },
      });
    const originalFetch = fetch;
    vi.stubGlobal("fetch", (url: string, init?: RequestInit) =>
      String(url).includes(paymentId)
        ? Promise.resolve(Response.json({ error: { type: "api_error" } }, { status: 400 }))
        : originalFetch(url, init),
    );
    await reconcile();
    expect(await coins()).toBe(4);
    await database().delete(fakeStripeEvents).where(eq(fakeStripeEvents.id, id));
    await database().delete(paymentEvents).where(eq(paymentEvents.id, id));
  });

  it("expires an unpaid order two days after its creation, not earlier", async () => {
    await database().update(orders).set({ sessionId: null }).where(eq(orders.sessionId, sessionId));
    const [order] = await database().select().from(orders).where(eq(orders.userId, buyer.id));
    const createdMs = order?.createdAt.getTime() ?? 0;
    const readStatus = async () => {
      const [row] = await database().select().from(orders).where(eq(orders.userId, buyer.id));
      return row?.status;
    };
    freezeClock(new Date(createdMs + 2 * 24 * 60 * 60_000));
    await reconcile();
    expect(await readStatus()).toBe("unpaid");
    freezeClock(new Date(createdMs + 2 * 24 * 60 * 60_000 + 1));
    await reconcile();
    expect(await readStatus()).toBe("expired");
  });

  it("deletes the password, then the registration, of an order without a session", async () => {
    const { raceCardId } = await publishRaceCard();
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("fetch failed")));
    const email = `guest-${randomUUID()}@example.test`;
    await startGuestPurchase({
      raceCardId,
      name: "Sipho Dlamini",
      email,
      password: "a horse called Pocket",
      agreed: true,
      idempotencyKey: randomUUID(),
      clientAddress: "10.0.0.1",
      returnTo: "/",
    });
    stubFetchInProcess();
    advanceMinutes(49 * 60);
    await reconcile();
    expect(
      await database()
        .select()
        .from(pendingRegistrations)
        .where(isNotNull(pendingRegistrations.passwordHash)),
    ).toEqual([]);
    advanceMinutes(30 * 24 * 60);
    await reconcile();
    expect(await database().select().from(pendingRegistrations)).toEqual([]);
  });
});
