import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { startSession } from "#accounts/accounts.server.ts";
import { instantAt } from "#domain/calendar.ts";
import { jobs } from "#jobs.server.ts";
import { freezeClock } from "#platform/clock.server.ts";
import { database, transaction } from "#platform/database.server.ts";
import { drainQueue } from "#platform/queue.server.ts";
import { emails } from "#platform/tables.server.ts";
import { unlockRaceCardAs } from "#sales/sales.server.ts";
import { Browser } from "#test/browser.ts";
import {
  grantTestCoins,
  makeUser,
  type Person,
  publishRaceCard,
  reportOffTimes,
} from "#test/factories.ts";
import { stubFetchInProcess } from "#test/gateway.ts";
import { expectInvariantsToHold } from "#test/integrity-checks.ts";
import { readVisibleText } from "#test/page-text.ts";
import { postToLedger, readWallet } from "#wallet/wallet.server.ts";
import {
  paySession,
  resolveDelayedPayment,
  startDelayedPayment,
} from "./fake-stripe/pay-session.server.ts";
import { orders } from "./tables.server.ts";

const RACE_DATE = "2026-11-22";
const VISA = "4242424242424242";

let raceCardId: string;
let buyer: Person;
let browser: Browser;

beforeEach(async () => {
  stubFetchInProcess();
  freezeClock(instantAt(RACE_DATE, "08:00"));
  const raceCard = await publishRaceCard({ raceDate: RACE_DATE, races: [1, 2, 3] });
  ({ raceCardId } = raceCard);
  await reportOffTimes(raceCard.venue.id, RACE_DATE, { firstOff: "14:45", races: 3 });
  buyer = await makeUser();
  browser = await createBrowserFor(buyer);
});
afterEach(() => freezeClock(null));
afterAll(expectInvariantsToHold);

async function createBrowserFor(person: Person): Promise<Browser> {
  const browser = new Browser();
  browser.applyCookies(await startSession(person.id));
  return browser;
}

async function postPack(change: Record<string, string> = {}): Promise<Response> {
  return await browser.post("/buy-coins", {
    coinPackId: "pro_12",
    idempotencyKey: randomUUID(),
    returnTo: `/race-cards/${raceCardId}`,
    raceCardId,
    ...change,
  });
}

async function placeOrder(change: Record<string, string> = {}): Promise<string> {
  const response = await postPack(change);
  return /cs_test_[0-9a-f]+/.exec(response.headers.get("Location") ?? "")?.[0] ?? "";
}

async function buy(change: Record<string, string> = {}): Promise<string> {
  const sessionId = await placeOrder(change);
  await paySession(sessionId, VISA);
  return sessionId;
}

async function readSuccess(sessionId: string, visitor = browser): Promise<string> {
  return await readVisibleText(await visitor.get(`/success?session_id=${sessionId}`));
}

async function setWallet(coins: number, owedCoins: number): Promise<void> {
  if (coins > 0) await grantTestCoins(buyer.id, coins);
  if (owedCoins === 0) return;
  await transaction((tx) =>
    postToLedger(tx, "refund", randomUUID(), [
      { account: "owed", owner: buyer.id, unit: "coin", amount: -owedCoins },
      { account: "sold", unit: "coin", amount: owedCoins },
    ]),
  );
}

const listOrders = () => database().select().from(orders).where(eq(orders.userId, buyer.id));
const isOpened = async () =>
  (await (await browser.get(`/race-cards/${raceCardId}`)).text()).includes("Unlocked");
const readCoins = async () => (await readWallet(buyer.id)).balanceCoins;

describe("a race card that a buyer of coins wants to open", () => {
  it("is shown after the payment as one button, which opens it and charges once", async () => {
    const sessionId = await buy();
    const response = await browser.get(`/success?session_id=${sessionId}`);
    const html = await response.text();
    expect(html).toContain(`action="/race-cards/${raceCardId}"`);
    const page = await readVisibleText(new Response(html));
    expect(page).toMatch(/Open Kenilworth by .+ First race to come: 14:45\./);
    expect(page).not.toContain("Taking you to Racing Tips");
    expect(await isOpened()).toBe(false);
    expect(await readCoins()).toBe(12);
    const idempotencyKey = /name="idempotencyKey" value="([^"]+)"/.exec(html)?.[1] ?? "";
    const click = () => browser.post(`/race-cards/${raceCardId}`, { idempotencyKey });
    await Promise.all([click(), click()]);
    await click();
    expect(await isOpened()).toBe(true);
    expect(await readCoins()).toBe(8);
  });

  it("is shown as a link to the opened race card after it was opened in another tab", async () => {
    const sessionId = await buy();
    await readSuccess(sessionId);
    await unlockRaceCardAs(buyer.id, { raceCardId });
    expect(await readSuccess(sessionId)).toMatch(/Read Kenilworth by /);
    expect(await readCoins()).toBe(8);
  });

  it("names the first race that is not run, up to the off of the last one", async () => {
    const sessionId = await buy();
    freezeClock(instantAt(RACE_DATE, "14:45"));
    const page = await readSuccess(sessionId);
    expect(page).toMatch(/First race to come: 1\d:\d\d\./);
    expect(page).not.toContain("14:45");
    freezeClock(instantAt(RACE_DATE, "19:00"));
    const laterPage = await readSuccess(sessionId);
    expect(laterPage).toMatch(/Kenilworth by .+ is no longer on sale/);
    expect(laterPage).toContain("Your coins stay in your wallet and never expire.");
    expect(laterPage).not.toContain("Open Kenilworth");
  });

  it("is stored once when a request is repeated or sent twice at the same time", async () => {
    const idempotencyKey = randomUUID();
    const sessionIds = await Promise.all([
      placeOrder({ idempotencyKey }),
      placeOrder({ idempotencyKey }),
    ]);
    sessionIds.push(await placeOrder({ idempotencyKey }));
    expect(new Set(sessionIds).size).toBe(1);
    expect(await listOrders()).toMatchObject([{ raceCardId }]);
  });

  it("is not stored for an order without one", async () => {
    const page = await readSuccess(await buy({ raceCardId: "" }));
    expect(page).toContain("Payment Successful");
    expect(page).not.toContain("Kenilworth");
    expect(await listOrders()).toMatchObject([{ raceCardId: null }]);
  });

  it("is refused before the payment if it is unknown or off sale; the form then sells coins without it", async () => {
    for (const id of ["not-an-id", randomUUID()])
      expect((await postPack({ raceCardId: id })).status).toBe(409);
    freezeClock(instantAt(RACE_DATE, "19:00"));
    const response = await postPack();
    expect(response.status).toBe(409);
    const html = await response.text();
    expect(html).toContain("This race card is no longer on sale. You have not been charged.");
    expect(html).not.toContain('name="raceCardId"');
    expect(await listOrders()).toEqual([]);
  });

  it("does not prevent a repeated form from reaching the order once it is off sale", async () => {
    const idempotencyKey = randomUUID();
    const sessionId = await buy({ idempotencyKey });
    expect(await readSuccess(sessionId)).toContain("Payment Successful");
    freezeClock(instantAt(RACE_DATE, "19:00"));
    const repeated = await postPack({ idempotencyKey });
    expect(repeated.status).toBe(303);
    expect(repeated.headers.get("Location")).toContain(sessionId);
    expect(await listOrders()).toHaveLength(1);
    expect(await readCoins()).toBe(12);
  });

  it("is named on the pending page, in the receipt and on the page after a delayed payment", async () => {
    const sessionId = await placeOrder();
    await startDelayedPayment(sessionId);
    expect(await readSuccess(sessionId)).toContain("Race card Kenilworth by");
    await resolveDelayedPayment(sessionId, true);
    await drainQueue(jobs());
    const sent = await database().select().from(emails).where(eq(emails.recipient, buyer.email));
    const receipt = sent.find(({ kind }) => kind === "receipt")?.text;
    expect(receipt).toMatch(/Open Kenilworth by /);
    expect(receipt).toContain(`/race-cards/${raceCardId}`);
    expect(await readSuccess(sessionId)).toMatch(/Open Kenilworth by /);
  });

  it("is shown to its buyer only, also in another browser", async () => {
    const sessionId = await buy();
    const device = new Browser();
    const html = await (await device.get(`/success?session_id=${sessionId}`)).text();
    expect(html).not.toContain("Kenilworth");
    expect(html).toContain(
      `/login?return=${encodeURIComponent(`/success?session_id=${sessionId}`)}`,
    );
    const other = await createBrowserFor(await makeUser());
    expect(await readSuccess(sessionId, other)).not.toContain("Kenilworth");
    expect(await readSuccess(sessionId, await createBrowserFor(buyer))).toMatch(
      /Open Kenilworth by /,
    );
  });

  it("stays with the next attempt after a payment page has expired", async () => {
    const sessionId = await placeOrder();
    freezeClock(instantAt(RACE_DATE, "09:01"));
    const html = await (await browser.get(`/success?session_id=${sessionId}`)).text();
    expect(html).toContain(`href="/buy-coins?card=${raceCardId}"`);
  });
});

describe("the coin packs for a race card", () => {
  it.each([
    [0, 0, 4, ["Horse Chestnut", "Sea Cottage"]],
    [3, 0, 1, ["Horse Chestnut", "Sea Cottage"]],
    [0, 1, 5, ["Sea Cottage", "Jet Master"]],
    [0, 9, 13, ["London News", "Pocket Power"]],
  ])(
    "with %i coins and %i owed: name the %i missing coins and list two packs that have them first",
    async (balance, owed, missing, titles) => {
      await setWallet(balance, owed);
      const html = await (await browser.get(`/buy-coins?card=${raceCardId}`)).text();
      const text = await readVisibleText(new Response(html));
      expect(text).toContain(`You need ${missing} more coin${missing === 1 ? "." : "s."}`);
      const [leading = ""] = html.split("More coin packs");
      expect([...leading.matchAll(/<h2[^>]*>([^<]+)</g)].map(([, title]) => title)).toEqual(titles);
    },
  );

  it("are where the gold buttons lead with three coins; with four, the button opens the race card", async () => {
    const path = `/race-cards/${raceCardId}`;
    await grantTestCoins(buyer.id, 3);
    // One race is run, which is asked about only where the coins suffice.
    freezeClock(instantAt(RACE_DATE, "14:45"));
    const locked = await (await browser.get(path)).text();
    expect(locked).toContain(`href="/buy-coins?card=${raceCardId}"`);
    expect(locked).not.toContain(`action="${path}"`);
    await grantTestCoins(buyer.id, 1);
    const affordable = await (await browser.get(path)).text();
    expect(affordable).not.toContain("/buy-coins?card=");
    expect(affordable).toContain(`action="${path}"`);
  });

  it("carry it through the form, also after a login", async () => {
    const path = `/buy-coins?card=${raceCardId}`;
    expect(await (await browser.get(path)).text()).toContain(
      `name="raceCardId" value="${raceCardId}"`,
    );
    expect((await new Browser().get(path)).headers.get("Location")).toBe(
      `/login?mode=register&return=${encodeURIComponent(path)}`,
    );
    freezeClock(instantAt(RACE_DATE, "19:00"));
    const html = await (await browser.get(path)).text();
    expect(html).toContain("is not on sale.");
    expect(html).not.toContain('name="raceCardId"');
  });
});
