import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { freezeClock, now } from "#platform/clock.server.ts";
import { database } from "#platform/database.server.ts";
import { env } from "#platform/env.server.ts";
import { emails } from "#platform/tables.server.ts";
import { makeUser, publishRaceCard } from "#test/factories.ts";
import { stubFetchInProcess } from "#test/gateway.ts";
import {
  paySession,
  resolveDelayedPayment,
  startDelayedPayment,
} from "./fake-stripe/pay-session.server.ts";
import { fulfilPurchase } from "./fulfil-purchase.server.ts";
import type { CheckoutDetails } from "./gateway.ts";
import { listOrders } from "./orders.server.ts";
import { startGuestPurchase } from "./start-guest-purchase.server.ts";
import { startPurchase } from "./start-purchase.server.ts";
import { stripeGateway } from "./stripe/gateway.server.ts";

beforeAll(stubFetchInProcess);
afterEach(() => freezeClock(null));

const successUrl = (sessionId: string) => `${env().appUrl}/success?session_id=${sessionId}`;

const listDelayedOrders = (userId: string) => listOrders(userId, { status: "delayed" });

async function startTestCheckout() {
  const viewer = await makeUser();
  const params = { viewer, coinPackId: "value_8", idempotencyKey: randomUUID(), returnTo: "/" };
  const started = await startPurchase(params);
  if (!started.ok) throw new Error(started.refusal);
  return { viewer, sessionId: started.sessionId, params };
}

async function readSessionOrThrow(sessionId: string): Promise<CheckoutDetails> {
  const session = await stripeGateway.readCheckout(sessionId);
  if (!session) throw new Error(`no session ${sessionId}`);
  return session;
}

async function listEmailSubjects(email: string): Promise<string[]> {
  const rows = await database()
    .select({ subject: emails.subject })
    .from(emails)
    .where(eq(emails.recipient, email))
    .orderBy(emails.createdAt);
  return rows.map(({ subject }) => subject);
}

const DELAYED_SUBJECT = "We are waiting for your payment";
const FAILED_SUBJECT = "Your payment did not arrive";

describe("a delayed payment", () => {
  it("sends one email and lists the order until the payment arrives", async () => {
    const { viewer, sessionId } = await startTestCheckout();
    await startDelayedPayment(sessionId);
    expect(await fulfilPurchase(await readSessionOrThrow(sessionId))).toBe("delayed");
    expect(await listEmailSubjects(viewer.email)).toEqual([DELAYED_SUBJECT]);
    expect(await listDelayedOrders(viewer.id)).toMatchObject([
      { coinPackTitle: "Sea Cottage", coins: 8, amountCents: 7_000, sessionId },
    ]);
    expect(await listDelayedOrders((await makeUser()).id)).toEqual([]);

    await resolveDelayedPayment(sessionId, true);
    expect(await fulfilPurchase(await readSessionOrThrow(sessionId))).toBe("credited");
    expect(await listDelayedOrders(viewer.id)).toEqual([]);
    expect(await listEmailSubjects(viewer.email)).not.toContain(FAILED_SUBJECT);
  });

  it("sends one email when five requests process the payment concurrently", async () => {
    const { viewer, sessionId } = await startTestCheckout();
    await startDelayedPayment(sessionId);
    const session = await readSessionOrThrow(sessionId);
    await Promise.all(Array.from({ length: 5 }, () => fulfilPurchase(session)));
    await fulfilPurchase(session);
    expect(await listEmailSubjects(viewer.email)).toEqual([DELAYED_SUBJECT]);
  });

  it("sends a second email and removes the order from the list when payment fails", async () => {
    const { viewer, sessionId } = await startTestCheckout();
    await startDelayedPayment(sessionId);
    await fulfilPurchase(await readSessionOrThrow(sessionId));
    await resolveDelayedPayment(sessionId, false);
    const session = await readSessionOrThrow(sessionId);
    await Promise.all([1, 2, 3].map(() => fulfilPurchase(session)));
    expect(await listEmailSubjects(viewer.email)).toEqual([DELAYED_SUBJECT, FAILED_SUBJECT]);
    expect(await listDelayedOrders(viewer.id)).toEqual([]);
  });

  it("leads to its purchase when its form is sent again, once or concurrently, and charges nothing", async () => {
    const { viewer, sessionId, params } = await startTestCheckout();
    await startDelayedPayment(sessionId);
    await fulfilPurchase(await readSessionOrThrow(sessionId));
    const purchase = { ok: true, redirectUrl: successUrl(sessionId), sessionId };
    expect(await startPurchase(params)).toEqual(purchase);
    const repeated = await Promise.all([1, 2, 3].map(() => startPurchase(params)));
    expect(repeated).toEqual([purchase, purchase, purchase]);
    expect(await listOrders(viewer.id)).toHaveLength(1);
    // Another purchase has a page of its own.
    expect(await startPurchase({ ...params, idempotencyKey: randomUUID() })).not.toMatchObject({
      sessionId,
    });

    await resolveDelayedPayment(sessionId, false);
    await fulfilPurchase(await readSessionOrThrow(sessionId));
    expect(await startPurchase(params)).toEqual({ ok: false, refusal: "checkout-expired" });
  });

  it("leads to its purchase also after the hour in which a page can be opened", async () => {
    const { sessionId, params } = await startTestCheckout();
    await startDelayedPayment(sessionId);
    await fulfilPurchase(await readSessionOrThrow(sessionId));
    freezeClock(new Date(now().getTime() + 3 * 24 * 60 * 60_000));
    expect(await startPurchase(params)).toMatchObject({ redirectUrl: successUrl(sessionId) });
  });

  it("leads a guest to it, and no one who sends the key with another password", async () => {
    const { raceCardId } = await publishRaceCard();
    const params = {
      raceCardId,
      name: "Nandi Khumalo",
      email: `later.${randomUUID()}@example.test`,
      password: "a long shot",
      agreed: true,
      idempotencyKey: randomUUID(),
      clientAddress: "203.0.113.78",
      returnTo: "/",
    };
    const started = await startGuestPurchase(params);
    if (!started.ok) throw new Error(started.refusal);
    const { sessionId } = started;
    await startDelayedPayment(sessionId);
    await fulfilPurchase(await readSessionOrThrow(sessionId));
    expect(await startGuestPurchase(params)).toMatchObject({ redirectUrl: successUrl(sessionId) });
    expect(await startGuestPurchase({ ...params, password: "another long shot" })).toEqual({
      ok: false,
      refusal: "checkout-expired",
    });
  });

  it("sends a guest's email to the address entered at checkout", async () => {
    const { raceCardId } = await publishRaceCard();
    const email = `later.${randomUUID()}@example.test`;
    const started = await startGuestPurchase({
      raceCardId,
      name: "Nandi Khumalo",
      email,
      password: "a long shot",
      agreed: true,
      idempotencyKey: randomUUID(),
      clientAddress: "203.0.113.77",
      returnTo: "/",
    });
    if (!started.ok) throw new Error(started.refusal);
    await startDelayedPayment(started.sessionId);
    await fulfilPurchase(await readSessionOrThrow(started.sessionId));
    expect(await listEmailSubjects(email)).toEqual([DELAYED_SUBJECT]);
  });
});

describe("a payment that is not delayed", () => {
  it("sends no email for an immediate payment or an expired checkout session", async () => {
    const paid = await startTestCheckout();
    await paySession(paid.sessionId, "4242424242424242");
    await fulfilPurchase(await readSessionOrThrow(paid.sessionId));
    const abandoned = await startTestCheckout();
    await fulfilPurchase(await readSessionOrThrow(abandoned.sessionId));
    await fulfilPurchase({ ...(await readSessionOrThrow(abandoned.sessionId)), status: "expired" });
    for (const { viewer } of [paid, abandoned]) {
      const subjects = await listEmailSubjects(viewer.email);
      expect(subjects).not.toContain(DELAYED_SUBJECT);
      expect(subjects).not.toContain(FAILED_SUBJECT);
    }
  });
});
