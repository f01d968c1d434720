import { randomUUID } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { startSession } from "#accounts/accounts.server.ts";
import { addDays, dateAt, instantAt } from "#domain/calendar.ts";
import { jobs } from "#jobs.server.ts";
import { freezeClock, now } from "#platform/clock.server.ts";
import { database, pool } from "#platform/database.server.ts";
import { drainQueue } from "#platform/queue.server.ts";
import { emails } from "#platform/tables.server.ts";
import { Browser, uniqueAddress } from "#test/browser.ts";
import { readEmailsTo } from "#test/emails.ts";
import { makeUser, type Person, publishRaceCard } from "#test/factories.ts";
import { stubFetchInProcess } from "#test/gateway.ts";
import { expectInvariantsToHold } from "#test/integrity-checks.ts";
import { readVisibleText } from "#test/page-text.ts";
import { readWallet } from "#wallet/wallet.server.ts";
import {
  paySession,
  resolveDelayedPayment,
  startDelayedPayment,
} from "./fake-stripe/pay-session.server.ts";
import { fulfilPurchase } from "./fulfil-purchase.server.ts";
import { sendPurchaseEmails } from "./purchase-emails.server.ts";
import { stripeGateway } from "./stripe/gateway.server.ts";
import { coinPurchases, orders, pendingRegistrations } from "./tables.server.ts";

const VISA = "4242424242424242";

let browser: Browser;
let viewer: Person;
beforeEach(async () => {
  stubFetchInProcess();
  viewer = await makeUser();
  browser = await createBrowserFor(viewer);
});
afterEach(() => freezeClock(null));
afterAll(expectInvariantsToHold);

async function createBrowserFor(person: Person): Promise<Browser> {
  const browser = new Browser();
  browser.applyCookies(await startSession(person.id));
  return browser;
}

/** Returns the value of a form field, as a browser without JavaScript would send it. */
async function fieldOf(response: Response, name: string): Promise<string> {
  const html = await response.text();
  const input = new RegExp(`<input[^>]*name="${name}"[^>]*>`).exec(html)?.[0] ?? "";
  return /value="([^"]*)"/.exec(input)?.[1] ?? "";
}

function sessionIn(response: Response): string {
  return /cs_test_[0-9a-f]+/.exec(response.headers.get("Location") ?? "")?.[0] ?? "";
}

async function buy(coinPackId = "value_8"): Promise<string> {
  const idempotencyKey = await fieldOf(await browser.get("/buy-coins"), "idempotencyKey");
  const response = await browser.post("/buy-coins", { coinPackId, idempotencyKey, returnTo: "/" });
  expect(response.status).toBe(303);
  return sessionIn(response);
}

async function openSuccessPage(sessionId: string, by = browser): Promise<string> {
  const response = await by.get(`/success?session_id=${sessionId}`);
  expect(response.status).toBe(200);
  return (await response.text()).replaceAll("&#x27;", "'");
}

async function landingText(sessionId: string, by = browser): Promise<string> {
  return await readVisibleText(new Response(await openSuccessPage(sessionId, by)));
}

const coins = async (id = viewer.id) => (await readWallet(id)).balanceCoins;

describe("the coin packs page", () => {
  it("shows three coin packs, the other five behind a control, and marks the cheapest a card", async () => {
    const html = await (await browser.get("/buy-coins")).text();
    const [leading = "", others = ""] = html.split("More coin packs");
    expect(leading.match(/name="coinPackId"/g)).toHaveLength(3);
    expect(others.match(/name="coinPackId"/g)).toHaveLength(5);
    const text = await readVisibleText(new Response(html));
    expect(text).toContain("Jet Master Popular 12 coins · R33.33 a card · save R20");
    expect(text).toContain("London News Cheapest a card 20 coins · R32 a card · save R40");
    expect(text.match(/Cheapest a card/g)).toHaveLength(1);
    for (const title of ["Horse Chestnut", "Sea Cottage", "Jet Master", "London News"])
      expect(html).toContain(title);
    for (const title of ["Pocket Power", "Igugu", "Captain Al", "Variety Club"])
      expect(html).toContain(title);
    expect(html).toContain("R3600");
    expect(html.match(/name="coinPackId"/g)).toHaveLength(8);
  });

  it("redirects signed-out users to registration and back", async () => {
    const response = await new Browser().get("/buy-coins");
    expect(response.status).toBe(302);
    expect(response.headers.get("Location")).toBe("/login?mode=register&return=buy-coins");
  });

  it("redirects to the payment page when scripts are disabled", async () => {
    expect(await buy()).toMatch(/^cs_test_/);
  });

  it.each([
    [{ coinPackId: "gold_1000" }, "That pack is no longer available"],
    [{ coinPackId: "unlock_tip_starter" }, "This offer is for guests"],
    [{ idempotencyKey: "short" }, "Please reload this page and try again"],
  ])("shows an error message for %j", async (change, message) => {
    const response = await browser.post("/buy-coins", {
      coinPackId: "value_8",
      idempotencyKey: randomUUID(),
      returnTo: "/",
      ...change,
    });
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(await response.text()).toContain(message);
  });

  it("returns 503 with a message when the provider cannot be reached", async () => {
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("fetch failed")));
    const response = await browser.post("/buy-coins", {
      coinPackId: "value_8",
      idempotencyKey: randomUUID(),
      returnTo: "/",
    });
    expect(response.status).toBe(503);
    expect(await response.text()).toContain("Unable to start payment process. Please try again.");
  });

  it("returns 403 for a form from another site", async () => {
    const response = await browser.post(
      "/buy-coins",
      { coinPackId: "value_8", idempotencyKey: randomUUID(), returnTo: "/" },
      { Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" },
    );
    expect(response.status).toBe(403);
  });
});

describe("cancelling on the payment page", () => {
  it("returns to the previous page and shows once that nothing was charged", async () => {
    const idempotencyKey = await fieldOf(await browser.get("/buy-coins"), "idempotencyKey");
    const params = { coinPackId: "value_8", idempotencyKey, returnTo: "/my-cards?x=1" };
    const sessionId = sessionIn(await browser.post("/buy-coins", params));
    const page = await (await browser.get(`/demo/checkout/${sessionId}`)).text();
    const back = /href="([^"]*)"[^>]*>(?:(?!<\/a>)[\s\S])*Back without paying/.exec(page)?.[1];
    expect(back).toBe("http://localhost:3000/my-cards?x=1&amp;cancelled");
    const html = await (await browser.get("/my-cards?x=1&cancelled")).text();
    expect(html).toContain("Payment cancelled. You have not been charged.");
    expect(await (await browser.get("/my-cards?x=1")).text()).not.toContain(
      "Payment cancelled. You have not been charged.",
    );
  });
});

describe("the success page", () => {
  it("redirects home without a session", async () => {
    const response = await browser.get("/success");
    expect(response.status).toBe(302);
    expect(response.headers.get("Location")).toBe("/");
  });

  it("credits a paid session and shows the purchase", async () => {
    const sessionId = await buy();
    await paySession(sessionId, VISA);
    const html = await openSuccessPage(sessionId);
    expect(html).toContain("Payment Successful");
    expect(html).toContain("Sea Cottage");
    expect(html).toContain("R70");
    // The header also shows the new balance.
    expect(html).toContain("8 coins (R80 at R10 a coin)");
    expect(html).toMatch(/What's Next/);
    expect(await coins()).toBe(8);
  });

  it("credits once when it is reloaded", async () => {
    const sessionId = await buy();
    await paySession(sessionId, VISA);
    await Promise.all([
      openSuccessPage(sessionId),
      openSuccessPage(sessionId),
      openSuccessPage(sessionId),
    ]);
    await drainQueue(jobs());
    await openSuccessPage(sessionId);
    expect(await coins()).toBe(8);
  });

  it.each(["cs_test_invented", "cs_live_1", "x' or '1'='1", "../../etc", "a".repeat(5000)])(
    "reports a missing payment and credits nothing for an unknown session (%#)",
    async (sessionId) => {
      const html = await openSuccessPage(encodeURIComponent(sessionId));
      expect(html).toMatch(/<h1[^>]*>Payment not found<\/h1>/);
      expect(await coins()).toBe(0);
    },
  );

  it("shows an unpaid session with a link to pay", async () => {
    const sessionId = await buy();
    const html = await openSuccessPage(sessionId);
    expect(html).toContain("You haven't paid yet");
    expect(html).toContain(`/demo/checkout/${sessionId}`);
    expect(await coins()).toBe(0);
  });

  it("shows a delayed payment as pending, then as paid", async () => {
    const sessionId = await buy();
    await startDelayedPayment(sessionId);
    const page = await landingText(sessionId);
    expect(page).toContain("Your payment is pending");
    expect(page).toContain("Coin pack Sea Cottage Amount R70 Coins 8 coins");
    expect(page).toContain(`Receipt will be sent to ${viewer.email}`);
    expect(page).toContain("Back to Racing Tips");
    const otherPage = await landingText(sessionId, new Browser());
    for (const secret of ["Sea Cottage", "R70", viewer.email])
      expect(otherPage).not.toContain(secret);
    expect(await coins()).toBe(0);
    await resolveDelayedPayment(sessionId, true);
    expect(await openSuccessPage(sessionId)).toContain("Payment Successful");
  });

  it("shows an expired session", async () => {
    const sessionId = await buy();
    freezeClock(new Date(now().getTime() + 61 * 60_000));
    const page = await landingText(sessionId);
    expect(page).toContain("The payment page has expired");
    expect(page).toContain("Coin pack Sea Cottage Amount R70 Coins 8 coins");
    expect(page).not.toContain("Receipt will be sent to");
    const otherPage = await landingText(sessionId, new Browser());
    for (const secret of ["Sea Cottage", "R70", viewer.email])
      expect(otherPage).not.toContain(secret);
  });

  it("shows a failed delayed payment with its order", async () => {
    const sessionId = await buy();
    await startDelayedPayment(sessionId);
    await resolveDelayedPayment(sessionId, false);
    const session = await stripeGateway.readCheckout(sessionId);
    if (session) await fulfilPurchase(session);
    const page = await landingText(sessionId);
    expect(page).toContain("The payment did not go through");
    expect(page).toContain("Coin pack Sea Cottage Amount R70 Coins 8 coins");
    expect(await coins()).toBe(0);
  });

  it("shows the payment as processing while the provider is down", async () => {
    const sessionId = await buy();
    await paySession(sessionId, VISA);
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("fetch failed")));
    const page = await landingText(sessionId);
    expect(page).toContain("Processing your purchase");
    expect(page).toContain("Coin pack Sea Cottage Amount R70 Coins 8 coins");
    expect(await coins()).toBe(0);
  });

  it("shows no details to another user, but credits the buyer", async () => {
    const sessionId = await buy();
    await paySession(sessionId, VISA);
    const other = await makeUser({ name: "Lerato Khumalo" });
    for (const by of [await createBrowserFor(other), new Browser()]) {
      const html = await openSuccessPage(sessionId, by);
      expect(html).toContain("This payment was started in another browser or account");
      for (const secret of ["Sea Cottage", "R70", viewer.email, viewer.name])
        expect(html).not.toContain(secret);
      // The page must not offer a second payment.
      const main = /<main[\s\S]*<\/main>/.exec(html)?.[0] ?? "";
      expect(main).toContain(
        `href="/login?return=${encodeURIComponent(`/success?session_id=${sessionId}`)}"`,
      );
      expect(main).toContain("first confirm your email address with the link we emailed you");
      expect(main).not.toContain("Buy Coins");
    }
    expect(await coins(other.id)).toBe(0);
    expect(await coins()).toBe(8);
  });
});

describe("the guest purchase page", () => {
  let guest: Browser;
  let raceCardId: string;
  let email: string;
  beforeEach(async () => {
    guest = new Browser({ address: uniqueAddress() });
    ({ raceCardId } = await publishRaceCard());
    email = `guest-${randomUUID()}@example.test`;
  });

  async function send(change: Record<string, string> = {}): Promise<Response> {
    const idempotencyKey = await fieldOf(
      await guest.get(`/unlock/${raceCardId}`),
      "idempotencyKey",
    );
    return await guest.post(`/unlock/${raceCardId}`, {
      name: "Sipho Dlamini",
      email,
      password: "a horse called Pocket",
      agreed: "on",
      idempotencyKey,
      returnTo: "/",
      acknowledgedRacesRun: "0",
      ...change,
    });
  }

  it("shows the race card, the price and the conditions, but no selections", async () => {
    const html = await (await guest.get(`/unlock/${raceCardId}`)).text();
    expect(html).toContain("Kenilworth");
    expect(html).toContain("R40");
    expect(html).toContain("One offer per email address and payment card");
    expect(html).not.toContain("Secret Horse");
    expect(html).not.toContain("secret reason");
  });

  it("redirects a signed-in user to the race card", async () => {
    const response = await browser.get(`/unlock/${raceCardId}`);
    expect(response.headers.get("Location")).toBe(`/race-cards/${raceCardId}`);
  });

  it("reports a race card that is not on sale or does not exist", async () => {
    expect((await guest.get("/unlock/not-a-card")).status).toBe(404);
    expect((await guest.get(`/unlock/${randomUUID()}`)).status).toBe(404);
    freezeClock(new Date(now().getTime() + 30 * 24 * 60 * 60_000));
    const unavailable = await guest.get(`/unlock/${raceCardId}`);
    expect(unavailable.status).toBe(200);
    expect(await unavailable.text()).toContain("This race card is no longer on sale");
  });

  it.each([
    [{ name: "" }, "Please enter your full name"],
    [{ email: "nobody" }, "Please enter a valid email address"],
    [{ password: "short" }, "Password must be at least 6 characters long"],
    [{ password: "password" }, "Password is too weak. Please use a stronger password."],
    [{ agreed: "" }, "Please confirm that you are 18 or older and agree to the terms"],
  ])("returns 422 with a message, without the password, for %j", async (change, message) => {
    const response = await send(change);
    expect(response.status).toBe(422);
    const html = await response.text();
    expect(html).toContain(message);
    expect(html).not.toContain("a horse called Pocket");
  });

  it("returns 409 when the address has an account", async () => {
    const response = await send({ email: viewer.email });
    expect(response.status).toBe(409);
    expect(await response.text()).toContain(
      "Email already registered. Please try logging in instead.",
    );
  });

  it("signs the guest in once after payment and opens the race card", async () => {
    const sessionId = sessionIn(await send());
    await paySession(sessionId, "5555555555554444");
    const first = await guest.get(`/success?session_id=${sessionId}`);
    expect(first.status).toBe(302);
    expect(first.headers.get("Location")).toBe(`/success?session_id=${sessionId}`);
    const second = await guest.get(`/success?session_id=${sessionId}`);
    expect(second.status).toBe(302);
    expect(second.headers.get("Location")).toBe(`/race-cards/${raceCardId}?paid=${sessionId}`);
    const paidPath = `/race-cards/${raceCardId}?paid=${sessionId}`;
    const page = await readVisibleText(await guest.get(paidPath));
    expect(page).toContain("Payment Successful Your race card is open, and you have 4 coins");
    expect(page).toContain("Secret Horse");
    const somebodyElse = await createBrowserFor(await makeUser());
    for (const [browser, path] of [
      [new Browser(), paidPath],
      [somebodyElse, paidPath],
      [guest, `/race-cards/${raceCardId}?paid=cs_test_made_up`],
    ] as const)
      expect(await readVisibleText(await browser.get(path))).not.toContain("Payment Successful");
    freezeClock(new Date(now().getTime() + 31 * 60_000));
    expect(await readVisibleText(await guest.get(paidPath))).not.toContain("Payment Successful");
    const me = await (await guest.get("/api/me")).json();
    expect(me.user).toMatchObject({ email, coins: 4 });
  });

  it("shows a guest's pending payment only to the browser that started it", async () => {
    const sessionId = sessionIn(await send());
    await startDelayedPayment(sessionId);
    const page = await landingText(sessionId, guest);
    expect(page).toContain("Race card Kenilworth");
    expect(page).toContain(`Receipt will be sent to ${email}`);
    for (const other of [browser, new Browser()]) {
      const otherPage = await landingText(sessionId, other);
      expect(otherPage).toContain("This payment was started in another browser or account");
      expect(otherPage).not.toContain(email);
      expect(otherPage).not.toContain("Kenilworth");
    }
  });

  it("does not sign in or show details in another browser that has the URL", async () => {
    const sessionId = sessionIn(await send());
    await paySession(sessionId, VISA);
    const other = new Browser();
    const html = await openSuccessPage(sessionId, other);
    expect(html).toContain("This payment was started in another browser or account");
    expect(html).not.toContain(email);
    expect((await other.get("/api/me")).status).toBe(401);
    // The browser that started the payment is still signed in, regardless of what triggered the credit.
    await guest.get(`/success?session_id=${sessionId}`);
    expect((await guest.get("/api/me")).status).toBe(200);
  });

  it("does not sign in to an account that has two-step login by then", async () => {
    const sessionId = sessionIn(await send());
    await paySession(sessionId, VISA);
    // Credits the payment.
    await openSuccessPage(sessionId, new Browser());
    await pool().query(
      `insert into two_step_keys (user_id, encrypted_key, last_step, created_at)
       select id, 'v1.key', 0, now() from users where email = $1`,
      [email],
    );
    expect((await guest.get(`/success?session_id=${sessionId}`)).status).toBe(200);
    expect((await guest.get("/api/me")).status).toBe(401);
  });

  it("signs in once by the order token and only shows the summary afterwards", async () => {
    const sessionId = sessionIn(await send());
    await paySession(sessionId, "5105105105105100");
    const orderCookies = new Map(guest.cookies);
    await guest.get(`/success?session_id=${sessionId}`);
    await guest.post("/api/sign-out", {});
    expect((await guest.get("/api/me")).status).toBe(401);
    // Signing out deletes the order token; a browser that kept it still sees the summary.
    expect(await openSuccessPage(sessionId, guest)).toContain(
      "This payment was started in another browser or account",
    );
    for (const [name, value] of orderCookies) guest.cookies.set(name, value);
    const html = await openSuccessPage(sessionId, guest);
    expect(html).toContain("Payment Successful");
    expect(await readVisibleText(new Response(html))).toContain(
      "Coins received 4 coins Welcome coins 4 coins Race card opened \u22124 coins Balance 4 coins",
    );
    expect(html).toMatch(/Log in to open (<!-- -->)?Kenilworth by /);
    expect((await guest.get("/api/me")).status).toBe(401);
  });

  it("does not sign in 25 hours after the payment", async () => {
    const sessionId = sessionIn(await send());
    await paySession(sessionId, VISA);
    await drainQueue(jobs());
    freezeClock(new Date(now().getTime() + 25 * 60 * 60_000));
    await openSuccessPage(sessionId, guest);
    expect((await guest.get("/api/me")).status).toBe(401);
  });

  it("credits an account created since checkout, without signing the guest in", async () => {
    const sessionId = sessionIn(await send());
    const owner = await makeUser({ email });
    await paySession(sessionId, VISA);
    const html = await openSuccessPage(sessionId, guest);
    expect(html).toContain("You already have an account with this email address");
    expect((await guest.get("/api/me")).status).toBe(401);
    expect(await coins(owner.id)).toBe(0);
  });

  it.each([
    ["an account since checkout", true],
    ["a card we can't recognise", false],
  ])("says that a late payment with %s did not open the race card", async (_, hasAccount) => {
    const sessionId = sessionIn(await send());
    if (hasAccount) await makeUser({ email });
    const session = await stripeGateway.readCheckout(sessionId);
    if (!session) throw new Error("no session");
    freezeClock(instantAt(addDays(dateAt(now()), 2), "00:00"));
    const paid = { ...session, status: "paid" as const, paymentId: `pi_${sessionId}` };
    expect(await fulfilPurchase({ ...paid, cardFingerprint: null })).toBe("credited");
    await drainQueue([sendPurchaseEmails]);

    const [order] = await database().select().from(orders).where(eq(orders.sessionId, sessionId));
    const buyer = new Browser();
    buyer.applyCookies(await startSession(order?.userId ?? ""));
    const page = await landingText(sessionId, buyer);
    expect(page).not.toContain("paid for this race card");
    expect(page).toContain(
      hasAccount
        ? "Log in with your existing password. This payment did not open the race card."
        : "a card we can recognise. This race card was no longer on sale, so your coins are in your wallet.",
    );
    const receipt = (await readEmailsTo(email)).find(({ kind }) => kind === "receipt");
    const text = receipt?.text?.replaceAll(/\s+/g, " ");
    expect(text).toContain("added 4 coins to your wallet.");
    expect(text).not.toContain("Your race card is open");
    if (hasAccount)
      expect(text).toContain(
        "We've added your purchase to it. This payment did not open the race card.",
      );
  });

  it("explains to a repeat guest why there are no welcome coins", async () => {
    await paySession(sessionIn(await send()), "6011111111111117");
    await drainQueue(jobs());
    email = `guest-${randomUUID()}@example.test`;
    guest = new Browser();
    const sessionId = sessionIn(await send());
    await paySession(sessionId, "6011111111111117");
    await guest.get(`/success?session_id=${sessionId}`);
    const page = await landingText(sessionId, guest);
    expect(page).toContain("has had them before");
    expect(page).toContain("Coins received 4 coins Race card opened \u22124 coins Balance 0 coins");
  });
});

describe("POST create-checkout-session", () => {
  const path = "/.netlify/functions/create-checkout-session";
  const body = {
    packageId: "value_8",
    coins: 8,
    price: 70,
    title: "Sea Cottage",
    currency: "ZAR",
    customerEmail: "anyone@example.test",
    customerName: "Anyone",
    successUrl: "http://localhost:3000/success?session_id={CHECKOUT_SESSION_ID}",
    cancelUrl: "http://localhost:3000/",
  };

  it("returns the session and its URL", async () => {
    const response = await browser.postJson(path, body);
    expect(response.status).toBe(200);
    const { sessionId, url } = await response.json();
    expect(url).toBe(`http://localhost:3000/demo/checkout/${sessionId}`);
  });

  it.each([
    [{ price: 1 }, 422],
    [{ price: 70.5 }, 422],
    [{ coins: 800 }, 422],
    [{ currency: "USD" }, 422],
    [{ packageId: "nothing" }, 422],
    [{ successUrl: "https://evil.example/{CHECKOUT_SESSION_ID}" }, 422],
    [{ cancelUrl: "//evil.example" }, 422],
    [{ cancelUrl: "javascript:alert(1)" }, 422],
    [{ packageId: 7 }, 400],
    [{ packageId: "unlock_tip_starter", price: 40, coins: 4 }, 403],
  ])("refuses %j with %i and writes no order", async (change, status) => {
    const response = await browser.postJson(path, { ...body, ...change });
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({ error: expect.any(String) });
    expect(await database().select().from(orders).where(eq(orders.userId, viewer.id))).toEqual([]);
  });

  it("requires a signed-in caller and a JSON body", async () => {
    expect((await new Browser().postJson(path, body)).status).toBe(401);
    expect((await browser.post(path, { packageId: "value_8" })).status).toBe(415);
    expect((await browser.postJson(path, null)).status).toBe(400);
  });

  it("starts a guest's purchase of one race card", async () => {
    const { raceCardId } = await publishRaceCard();
    const guest = new Browser();
    const params = {
      ...body,
      packageId: "unlock_tip_starter",
      coins: 4,
      price: 40,
      tipToUnlock: raceCardId,
      userRegistration: {
        email: `guest-${randomUUID()}@example.test`,
        name: "Sipho Dlamini",
        password: "a horse called Pocket",
        agreed: true,
      },
    };
    const response = await guest.postJson(path, params);
    expect(response.status).toBe(200);
    const { sessionId } = await response.json();
    await paySession(sessionId, "3530111333300000");
    await guest.get(`/success?session_id=${sessionId}`);
    expect((await guest.get("/api/me")).status).toBe(200);
    expect((await new Browser().postJson(path, { ...params, tipToUnlock: undefined })).status).toBe(
      400,
    );
    const registration = { ...params.userRegistration, email: viewer.email };
    expect(
      (await new Browser().postJson(path, { ...params, userRegistration: registration })).status,
    ).toBe(409);
  });

  it.each([undefined, false])("refuses a guest who did not agree to terms (%s)", async (agreed) => {
    const { raceCardId } = await publishRaceCard();
    const email = `guest-${randomUUID()}@example.test`;
    const guest = new Browser();
    const response = await guest.postJson(path, {
      packageId: "unlock_tip_starter",
      tipToUnlock: raceCardId,
      userRegistration: { email, name: "Sipho Dlamini", password: "a long shot", agreed },
    });
    expect(response.status).toBe(422);
    expect((await response.json()).error).toContain("userRegistration.agreed must be true");
    expect(guest.cookies.size).toBe(0);
    const registrations = await database()
      .select()
      .from(pendingRegistrations)
      .where(eq(pendingRegistrations.email, email));
    expect(registrations).toEqual([]);
  });
});

describe("POST send-purchase-receipt", () => {
  const path = "/.netlify/functions/send-purchase-receipt";

  it("resends the receipt of the caller's own purchase", async () => {
    const sessionId = await buy();
    await paySession(sessionId, VISA);
    await openSuccessPage(sessionId);
    await drainQueue(jobs());
    const response = await browser.postJson(path, {
      email: viewer.email,
      name: "Somebody Important",
      coins: 999_999,
      amount: 1,
      transactionId: sessionId,
    });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ ok: true });
    const sent = await database()
      .select()
      .from(emails)
      .where(and(eq(emails.recipient, viewer.email), eq(emails.kind, "receipt")));
    expect(sent).toHaveLength(2);
    expect(sent[1]?.text).toContain("R70");
    // Longer than what the random payment reference holds by chance.
    expect(sent[1]?.text).not.toMatch(/999.?999/);
    expect(sent[1]?.text).not.toContain("Somebody Important");
  });

  it("refuses other users and other addresses", async () => {
    const sessionId = await buy();
    await paySession(sessionId, VISA);
    await openSuccessPage(sessionId);
    const [purchase] = await database()
      .select()
      .from(coinPurchases)
      .where(eq(coinPurchases.userId, viewer.id));
    const params = { email: viewer.email, transactionId: sessionId };
    expect((await new Browser().postJson(path, params)).status).toBe(401);
    const other = await createBrowserFor(await makeUser());
    for (const id of [sessionId, purchase?.id, purchase?.paymentId])
      expect((await other.postJson(path, { transactionId: id })).status).toBe(404);
    expect((await browser.postJson(path, { ...params, email: "x@example.test" })).status).toBe(403);
    expect((await browser.postJson(path, { email: viewer.email })).status).toBe(400);
    expect((await browser.postJson(path, { transactionId: purchase?.id })).status).toBe(200);
  });

  it("returns 429 after three requests for one receipt", async () => {
    const sessionId = await buy();
    await paySession(sessionId, VISA);
    await openSuccessPage(sessionId);
    const statuses = [];
    for (let time = 0; time < 5; time += 1)
      statuses.push((await browser.postJson(path, { transactionId: sessionId })).status);
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
  });
});

describe("the fake provider's pages", () => {
  it("handle a decline, a payment, a refund and a lost dispute without JavaScript", async () => {
    const sessionId = await buy();
    const page = `/demo/checkout/${sessionId}`;
    expect(await (await browser.get(page)).text()).toContain("No real payment is made");
    const declined = await browser.post(`${page}/pay`, { listedCard: "4000000000000002" });
    expect(declined.status).toBe(303);
    const html = await browser.get(declined.headers.get("Location") ?? "");
    expect(await html.text()).toContain("Your card was declined");
    const paid = await browser.post(`${page}/pay`, { cardNumber: "4242 4242 4242 4242" });
    expect(paid.headers.get("Location")).toContain(`/success?session_id=${sessionId}`);
    await drainQueue(jobs());
    expect(await coins()).toBe(8);
    await browser.post(`${page}/refund`, { rand: "35" });
    await drainQueue(jobs());
    expect(await coins()).toBe(4);
    await browser.post(`${page}/dispute`, {});
    await browser.post(`${page}/dispute-lost`, {});
    await drainQueue(jobs());
    expect(await coins()).toBe(0);
    expect(await (await browser.get(page)).text()).toContain("The dispute was lost");
    expect(await (await browser.get("/demo/checkout")).text()).toContain(page);
  });

  it("return 404 for an unknown session", async () => {
    expect((await browser.get("/demo/checkout/cs_test_x")).status).toBe(404);
  });
});
