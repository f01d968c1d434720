import { randomUUID } from "node:crypto";
import { and, eq, like, sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { findUserByEmail, startSession } from "#accounts/accounts.server.ts";
import { resetPassword } from "#accounts/password/reset-password.server.ts";
import { resendConfirmation } from "#accounts/request-email.server.ts";
import { addDays, dateAt, instantAt } from "#domain/calendar.ts";
import { jobs } from "#jobs.server.ts";
import { freezeClock, now } from "#platform/clock.server.ts";
import { database } from "#platform/database.server.ts";
import { drainQueue } from "#platform/queue.server.ts";
import { emails } from "#platform/tables.server.ts";
import { findOpenedCards, unlockRaceCardAs } from "#sales/sales.server.ts";
import { Browser } from "#test/browser.ts";
import { findEmailToken } from "#test/emails.ts";
import { makeAdmin, makeUser, publishRaceCard } from "#test/factories.ts";
import { listEmittedEvents, postWebhook, stubFetchInProcess } from "#test/gateway.ts";
import { expectInvariantsToHold } from "#test/integrity-checks.ts";
import { readWallet } from "#wallet/wallet.server.ts";
import {
  paySession,
  resolveDelayedPayment,
  startDelayedPayment,
} from "./fake-stripe/pay-session.server.ts";
import { fulfilPurchase } from "./fulfil-purchase.server.ts";
import { startGuestPurchase } from "./start-guest-purchase.server.ts";
import { stripeGateway } from "./stripe/gateway.server.ts";
import { coinPurchases, orders, pendingRegistrations } from "./tables.server.ts";

beforeAll(stubFetchInProcess);
afterAll(expectInvariantsToHold);
afterEach(() => freezeClock(null));

let raceCardId: string;
let creatorId: string;
beforeEach(async () => {
  ({ raceCardId, creatorId } = await publishRaceCard());
});

let cards = 0;
/** Returns a new 16-digit card number with a valid check digit. */
function createCardNumber(): string {
  cards += 1;
  const digits = `41111111${String(cards).padStart(7, "0")}`;
  for (let check = 0; check < 10; check += 1) {
    const sum = [...`${digits}${check}`].reverse().reduce((total, digit, index) => {
      const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
      return total + (value > 9 ? value - 9 : value);
    }, 0);
    if (sum % 10 === 0) return `${digits}${check}`;
  }
  throw new Error("there is always one");
}

function createEmailAddress(): string {
  return `guest-${randomUUID()}@example.test`;
}

async function guestAtCheckout(email = createEmailAddress(), cardId = raceCardId) {
  const started = await startGuestPurchase({
    raceCardId: cardId,
    name: "Sipho Dlamini",
    email,
    password: "a horse called Pocket",
    agreed: true,
    idempotencyKey: randomUUID(),
    clientAddress: "10.1.1.1",
    returnTo: "/",
  });
  if (!started.ok) throw new Error(started.refusal);
  return { email, sessionId: started.sessionId };
}

async function fulfil(sessionId: string) {
  const session = await stripeGateway.readCheckout(sessionId);
  if (!session) throw new Error("no session");
  return await fulfilPurchase(session);
}

async function payAsGuest({
  email = createEmailAddress(),
  card = createCardNumber(),
  cardId = raceCardId,
  by: options = {} as Parameters<typeof paySession>[2],
} = {}) {
  const { sessionId } = await guestAtCheckout(email, cardId);
  await paySession(sessionId, card, options);
  expect(await fulfil(sessionId)).toBe("credited");
  return await readResult(email, sessionId);
}

async function readResult(email: string, sessionId: string) {
  const user = await findUserByEmail(email);
  if (!user) throw new Error(`nobody has ${email}`);
  const [order] = await database().select().from(orders).where(eq(orders.sessionId, sessionId));
  const [purchase] = await database()
    .select()
    .from(coinPurchases)
    .where(eq(coinPurchases.sessionId, sessionId));
  const opened = await findOpenedCards(user.id, [raceCardId]);
  const { balanceCoins } = await readWallet(user.id);
  return { user, order, purchase, coins: balanceCoins, isOpen: opened.size === 1 };
}

async function readEmailsTo(email: string) {
  await drainQueue(jobs());
  return await database()
    .select({ kind: emails.kind, text: emails.text })
    .from(emails)
    .where(eq(emails.recipient, email))
    .orderBy(emails.kind);
}

describe("a guest who has paid", () => {
  it("gets an account, the opened race card and four purchased coins", async () => {
    const { user, order, purchase, coins, isOpen } = await payAsGuest();
    expect(user).toMatchObject({ name: "Sipho Dlamini", emailVerified: false });
    expect({ coins, isOpen }).toEqual({ coins: 4, isOpen: true });
    expect(order).toMatchObject({ guestOutcome: "new-account", userId: user.id });
    expect(order?.signInUntil?.getTime()).toBeGreaterThan(now().getTime());
    expect(purchase).toMatchObject({ welcomeCoins: 4, openedRaceCardId: raceCardId });
  });

  it("has opened the race card in the evidence for a dispute", async () => {
    const { purchase } = await payAsGuest();
    const browser = new Browser();
    browser.applyCookies(await startSession((await makeAdmin()).id));
    const evidence = await browser.get(`/admin/purchases/${purchase?.id}/evidence.csv`);
    expect(await evidence.text()).toContain("Race card opened");
  });

  it("is emailed a receipt and a confirmation link", async () => {
    const { user } = await payAsGuest();
    const sent = await readEmailsTo(user.email);
    expect(sent.map(({ kind }) => kind)).toEqual(["confirm-email", "receipt"]);
    expect(sent[1]?.text).toContain("R40");
    // Both count towards the limit of three an hour, so one more is allowed.
    expect(await resendConfirmation(user.email, "10.1.1.9")).toEqual({ ok: true });
    expect(await resendConfirmation(user.email, "10.1.1.9")).toMatchObject({
      refusal: "too-many-emails",
    });
  });

  it("gets welcome coins, which pay for the race card", async () => {
    const { user } = await payAsGuest();
    const { rows } = await database().execute(sql`
      select t.kind, p.amount, p.balance_after from ledger_postings p
      join ledger_transactions t on t.id = p.transaction_id
      where p.owner_id = ${user.id} and p.account = 'wallet' order by p.id`);
    expect(rows).toEqual([
      { kind: "purchase", amount: 4, balance_after: 4 },
      { kind: "welcome", amount: 4, balance_after: 8 },
      { kind: "unlock", amount: -4, balance_after: 4 },
    ]);
  });

  it("leaves no pending registration", async () => {
    const { order } = await payAsGuest();
    const rows = await database()
      .select()
      .from(pendingRegistrations)
      .where(eq(pendingRegistrations.orderId, order?.id ?? ""));
    expect(rows).toEqual([]);
  });

  it("gets the coins and the race card from the webhook alone", async () => {
    const { email, sessionId } = await guestAtCheckout();
    await paySession(sessionId, createCardNumber());
    const event = (await listEmittedEvents("checkout.session.completed")).find((emittedEvent) =>
      JSON.stringify(emittedEvent).includes(sessionId),
    );
    expect((await postWebhook(JSON.stringify(event))).status).toBe(200);
    expect(await readResult(email, sessionId)).toMatchObject({
      coins: 4,
      isOpen: true,
      order: { guestOutcome: "new-account" },
    });
  });

  it("gets the coins and the race card once for twenty concurrent calls", async () => {
    const { email, sessionId } = await guestAtCheckout();
    await paySession(sessionId, createCardNumber());
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => fulfil(sessionId)));
    expect(outcomes.filter((outcome) => outcome === "credited")).toHaveLength(1);
    expect(await readResult(email, sessionId)).toMatchObject({ coins: 4, isOpen: true });
  });

  it("gets welcome coins once when buying two race cards with one address", async () => {
    const email = createEmailAddress();
    const other = await publishRaceCard();
    const firstCheckout = await guestAtCheckout(email);
    const secondCheckout = await guestAtCheckout(email, other.raceCardId);
    await Promise.all([
      paySession(firstCheckout.sessionId, createCardNumber()),
      paySession(secondCheckout.sessionId, createCardNumber()),
    ]);
    await Promise.all([fulfil(firstCheckout.sessionId), fulfil(secondCheckout.sessionId)]);
    const first = await readResult(email, firstCheckout.sessionId);
    const second = await readResult(email, secondCheckout.sessionId);
    // Eight purchased plus four welcome coins, minus eight for two race cards.
    expect(first.coins).toBe(4);
    expect([first.order?.guestOutcome, second.order?.guestOutcome].sort()).toEqual([
      "existing-account",
      "new-account",
    ]);
    expect(await findOpenedCards(first.user.id, [raceCardId, other.raceCardId])).toHaveProperty(
      "size",
      2,
    );
  });
});

describe("the welcome coins", () => {
  it("are not granted twice to one payment card, but the race card opens", async () => {
    const card = createCardNumber();
    await payAsGuest({ card });
    const { coins, isOpen, order, purchase } = await payAsGuest({ card });
    expect({ coins, isOpen }).toEqual({ coins: 0, isOpen: true });
    expect(order).toMatchObject({ guestOutcome: "repeat" });
    expect(order?.signInUntil).not.toBeNull();
    expect(purchase?.welcomeCoins).toBe(0);
  });

  it("are granted to one of ten guests who pay with one card concurrently", async () => {
    const card = createCardNumber();
    const guests = await Promise.all(Array.from({ length: 10 }, () => guestAtCheckout()));
    for (const { sessionId } of guests) await paySession(sessionId, card);
    await Promise.all(guests.map(({ sessionId }) => fulfil(sessionId)));
    const results = await Promise.all(
      guests.map(({ email, sessionId }) => readResult(email, sessionId)),
    );
    const outcomes = results.map(({ order }) => order?.guestOutcome);
    expect(outcomes.filter((outcome) => outcome === "new-account")).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === "repeat")).toHaveLength(9);
    expect(results.every(({ isOpen }) => isOpen)).toBe(true);
  });

  it("are not granted twice to one card with different wallet fingerprints", async () => {
    const card = createCardNumber();
    const holder = "S. Dlámini";
    const wallet = (device: string) => ({ type: "apple_pay", device });
    const first = await payAsGuest({ card, by: { wallet: wallet("one"), holder } });
    expect(first.order).toMatchObject({ guestOutcome: "new-account" });
    const second = await payAsGuest({ card, by: { wallet: wallet("two"), holder: "s dlamini" } });
    expect(second.order).toMatchObject({ guestOutcome: "repeat" });
    // The card itself after its mobile wallet, then another holder with the same last digits.
    expect((await payAsGuest({ card, by: { holder } })).order).toMatchObject({
      guestOutcome: "repeat",
    });
    const other = { wallet: wallet("three"), holder: "Nomsa Radebe" };
    expect((await payAsGuest({ card, by: other })).order).toMatchObject({
      guestOutcome: "new-account",
    });
  });

  it("are not granted for a wallet without a cardholder", async () => {
    const options = { wallet: { type: "google_pay", device: "one" }, holder: " " };
    expect((await payAsGuest({ by: options })).order).toMatchObject({ guestOutcome: "no-card" });
  });

  it("are not granted for a payment without a card", async () => {
    const { email, sessionId } = await guestAtCheckout();
    await startDelayedPayment(sessionId);
    await resolveDelayedPayment(sessionId, true);
    await fulfil(sessionId);
    expect(await readResult(email, sessionId)).toMatchObject({
      coins: 0,
      isOpen: true,
      order: { guestOutcome: "no-card" },
      purchase: { welcomeCoins: 0 },
    });
  });

  it("hold the buyer's second sale of the same creator for review", async () => {
    const { user } = await payAsGuest();
    const second = await publishRaceCard({ creatorId, venue: "greyville" });
    expect((await unlockRaceCardAs(user.id, { raceCardId: second.raceCardId })).ok).toBe(true);
    const { rows } = await database().execute(sql`
      select e.held_reason from earnings e join sales s on s.id = e.sale_id
      where s.buyer_id = ${user.id} order by s.id`);
    expect(rows).toEqual([{ held_reason: null }, { held_reason: "guest-deal-repeat" }]);
  });
});

describe("five guest deals of one tipster", () => {
  it("are held for review, each with another address and card", async () => {
    const readHolds = async () => {
      await drainQueue(jobs());
      const { rows } = await database().execute<{ held_reason: string | null }>(sql`
        select held_reason from earnings where creator_id = ${creatorId}`);
      return rows.map((row) => row.held_reason);
    };
    for (let guest = 0; guest < 4; guest += 1) await payAsGuest();
    expect(await readHolds()).toEqual([null, null, null, null]);
    await payAsGuest();
    expect(await readHolds()).toEqual(Array(5).fill("guest-deal-share"));
  });
});

describe("a guest's race card that was on sale at checkout", () => {
  it("opens after the last race until the end of its day", async () => {
    const { email, sessionId } = await guestAtCheckout();
    freezeClock(instantAt(addDays(dateAt(now()), 1), "23:59"));
    await fulfilPaidSession(sessionId);
    expect(await readResult(email, sessionId)).toMatchObject({ coins: 4, isOpen: true });
  });

  it("stays locked after its day, and the buyer keeps eight coins", async () => {
    const { email, sessionId } = await guestAtCheckout();
    freezeClock(instantAt(addDays(dateAt(now()), 2), "00:00"));
    await fulfilPaidSession(sessionId);
    expect(await readResult(email, sessionId)).toMatchObject({
      coins: 8,
      isOpen: false,
      purchase: { openedRaceCardId: null, welcomeCoins: 4 },
    });
  });

  /** Fulfils a paid session whose confirmation arrives long after its hour. */
  async function fulfilPaidSession(sessionId: string) {
    const session = await stripeGateway.readCheckout(sessionId);
    if (!session) throw new Error("no session");
    const paid = { ...session, status: "paid" as const };
    await fulfilPurchase({
      ...paid,
      paymentId: `pi_${sessionId}`,
      cardFingerprint: createCardNumber(),
    });
  }
});

describe("an address that has an account", () => {
  it("takes over an unconfirmed and empty account with the guest's password", async () => {
    const email = createEmailAddress();
    const { id } = await makeUser({ email, name: "Somebody Else", verified: false });
    const { user, coins, isOpen } = await payAsGuest({ email });
    expect(user).toMatchObject({ id, name: "Sipho Dlamini" });
    expect({ coins, isOpen }).toEqual({ coins: 4, isOpen: true });
    expect(await passwordOf(id)).toMatch(/^\$argon2id\$/);
  });

  it("credits an account created since checkout and keeps its name and password", async () => {
    const { email, sessionId } = await guestAtCheckout();
    const owner = await makeUser({ email, name: "Its Owner", coins: 4 });
    await paySession(sessionId, createCardNumber());
    await fulfil(sessionId);
    const { user, coins, isOpen, order } = await readResult(email, sessionId);
    expect(user).toMatchObject({ id: owner.id, name: "Its Owner" });
    expect({ coins, isOpen }).toEqual({ coins: 4, isOpen: true });
    expect(order).toMatchObject({ guestOutcome: "existing-account", signInUntil: null });
    expect(await passwordOf(owner.id)).toBeNull();
    const sent = await readEmailsTo(email);
    expect(sent.map(({ kind }) => kind)).toEqual(["receipt"]);
    expect(sent[0]?.text).toContain("already has a Furlong account");
  });

  async function passwordOf(userId: string): Promise<string | null> {
    const { rows } = await database().execute<{ password: string }>(
      sql`select password from credentials where user_id = ${userId}`,
    );
    return rows[0]?.password ?? null;
  }
});

describe("a guest who does not pay", () => {
  it("leaves no password once the session has failed", async () => {
    const { email, sessionId } = await guestAtCheckout();
    await startDelayedPayment(sessionId);
    await resolveDelayedPayment(sessionId, false);
    expect(await fulfil(sessionId)).toBe("failed");
    const rows = await database()
      .select()
      .from(pendingRegistrations)
      .where(
        and(eq(pendingRegistrations.email, email), like(pendingRegistrations.passwordHash, "$%")),
      );
    expect(rows).toEqual([]);
    expect(await findUserByEmail(email)).toBeNull();
  });

  it("gets the coins and the race card when the payment arrives after the expiry", async () => {
    const { email, sessionId } = await guestAtCheckout();
    const session = await stripeGateway.readCheckout(sessionId);
    if (!session) throw new Error("no session");
    await fulfilPurchase({ ...session, status: "expired" });
    await paySession(sessionId, createCardNumber());
    await fulfil(sessionId);
    expect(await readResult(email, sessionId)).toMatchObject({ coins: 4, isOpen: true });
    // The password was deleted meanwhile, so the address is confirmed by choosing another one.
    const sent = await readEmailsTo(email);
    expect(sent.map(({ kind }) => kind)).toEqual(["confirm-email", "receipt"]);
    expect(sent[0]?.text).toContain("by choosing a password");
    const token = await findEmailToken("/reset-password", email);
    expect(await resetPassword(token, "a horse called Saddle")).toMatchObject({ ok: true });
    expect(await findUserByEmail(email)).toMatchObject({ emailVerified: true });
  });
});
