import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { grantRole, startSession } from "#accounts/accounts.server.ts";
import { addDays, type CalendarDate, instantAt } from "#domain/calendar.ts";
import { readAudit } from "#platform/audit/audit.server.ts";
import { freezeClock, now } from "#platform/clock.server.ts";
import { pool, transaction } from "#platform/database.server.ts";
import { unlockRaceCardAs } from "#sales/sales.server.ts";
import { Browser } from "#test/browser.ts";
import { makeTipster, makeUser, type Person, publishRaceCard } from "#test/factories.ts";
import { stubFetchInProcess } from "#test/gateway.ts";
import { expectInvariantsToHold } from "#test/integrity-checks.ts";
import { readVisibleText } from "#test/page-text.ts";
import { changePrice, readSaleTerms } from "#wallet/wallet.server.ts";

const PATH = "/admin/purchases/coin-packs";

let admin: Person;
let browser: Browser;
/** Each test starts 100 days later, because the share that the test before it set stays in the database. */
let today: CalendarDate = "2026-09-01";

beforeAll(async () => {
  admin = await makeUser({ name: "Nomsa Radebe" });
  await transaction((tx) => grantRole(tx, { userId: admin.id, role: "admin", actorId: null }));
});
beforeEach(async () => {
  today = addDays(today, 100);
  freezeClock(instantAt(today, "10:00"));
  browser = await signIn(admin);
});
afterEach(async () => {
  await expectInvariantsToHold();
  freezeClock(null);
});

async function signIn({ id }: { id: string }): Promise<Browser> {
  const signedIn = new Browser();
  signedIn.applyCookies(await startSession(id, { codeVerifiedAt: now() }));
  return signedIn;
}

const tomorrow = () => addDays(today, 1);

async function submit(fields: Record<string, string>, as?: Browser) {
  const response = await (as ?? (await signIn(admin))).post(PATH, {
    subject: "creator-share",
    amount: "75",
    from: tomorrow(),
    ...fields,
  });
  return { status: response.status, text: await readVisibleText(response) };
}

/** Returns the number of changes that apply from a day. */
async function countChanges(from: CalendarDate): Promise<number> {
  const { rows } = await pool().query<{ count: number }>(
    "select count(*)::integer from prices where valid_from = $1",
    [instantAt(from)],
  );
  return rows[0]?.count ?? 0;
}

async function listAudited(from: CalendarDate) {
  const { entries } = await readAudit({ action: "change-price" });
  return entries
    .filter(({ details }) => JSON.stringify(details).includes(`"from":"${from}"`))
    .map(({ actorId, subject, details }) => ({ actorId, subject, details }));
}

async function sell(creatorId: string, raceDate: CalendarDate) {
  const buyer = await makeUser({ coins: 4 });
  const { raceCardId } = await publishRaceCard({ creatorId, raceDate });
  expect(await unlockRaceCardAs(buyer.id, { raceCardId })).toMatchObject({ ok: true });
  const { rows } = await pool().query(
    `select s.price_cents, s.earning_cents, e.amount_cents from sales s
     join earnings e on e.sale_id = s.id where s.race_card_id = $1`,
    [raceCardId],
  );
  return rows;
}

it("changes the share of sales from its first day on, and on every page that says it", async () => {
  const creator = await makeTipster();
  const readPages = async () => {
    const creatorBrowser = await signIn(creator);
    return {
      terms: await readVisibleText(await browser.get("/terms")),
      howItWorks: await readVisibleText(await browser.get("/how-it-works")),
      application: await readVisibleText(await browser.get("/tipster-auth?mode=apply")),
      earnings: await readVisibleText(await creatorBrowser.get("/tipster-dashboard/earnings")),
      coinPacks: await readVisibleText(await browser.get(PATH)),
    };
  };
  const { status, text } = await submit({ amount: "75" });
  expect(status).toBe(200);
  expect(text).toContain("Tipsters' share: 75% from");
  expect(await listAudited(tomorrow())).toEqual([
    {
      actorId: admin.id,
      subject: "creator-share",
      details: { from: tomorrow(), value: 75, previous: 70 },
    },
  ]);

  freezeClock(new Date(instantAt(tomorrow()).getTime() - 1));
  expect(await readPages()).toMatchObject({
    terms: expect.stringContaining("You earn 70%: R28 of R40"),
    howItWorks: expect.stringContaining("70% : R28 each time"),
    application: expect.stringContaining("earn R28 each time"),
    earnings: expect.stringContaining("You earn R28.00 each time"),
    coinPacks: expect.stringContaining("pays its tipster R28."),
  });
  expect(await sell((await makeTipster()).id, addDays(today, 2))).toEqual([
    { price_cents: 4000, earning_cents: 2800, amount_cents: 2800 },
  ]);

  freezeClock(instantAt(tomorrow()));
  expect(await readPages()).toMatchObject({
    terms: expect.stringMatching(/You earn 75%: R30 of R40.*We keep 25%.*by R7\.50 for each coin/s),
    howItWorks: expect.stringContaining("75% : R30 each time"),
    application: expect.stringContaining("earn R30 each time"),
    earnings: expect.stringContaining("You earn R30.00 each time"),
    coinPacks: expect.stringContaining("pays its tipster R30."),
  });
  expect(await sell((await makeTipster()).id, addDays(today, 2))).toEqual([
    { price_cents: 4000, earning_cents: 3000, amount_cents: 3000 },
  ]);
});

it("lists the prices with their first days and the admins who set them", async () => {
  await submit({ amount: "66" });
  const text = await readVisibleText(await browser.get(PATH));
  expect(text).toMatch(/Tipsters' share 66% \w+, \d+ \w+ \d{4} Nomsa Radebe/);
  expect(text).toContain("Tipsters' share 70% The start");
  expect(text).toContain("Sea Cottage (8 coins) R70 The start");
});

it.each([
  ["a share of 0", { amount: "0" }, "Please enter a whole number"],
  ["a share of 101", { amount: "101" }, "Must be 100% or less"],
  ["half a per cent", { amount: "70.5" }, "Please enter a whole number"],
  ["a missing share", { amount: "" }, "Please enter a whole number"],
  ["a price of a million rand", { subject: "pro_12", amount: "1000000" }, "Please enter a whole"],
  ["a coin pack that does not exist", { subject: "pro_13" }, "Please choose what to change"],
  ["nothing to change", { subject: "" }, "Please choose what to change"],
  ["a day that does not exist", { from: "2027-02-30" }, "Please choose a day"],
])("refuses %s", async (_, fields, message) => {
  const { status, text } = await submit(fields);
  expect(status).toBe(422);
  expect(text).toContain(message);
  expect(await countChanges(tomorrow())).toBe(0);
});

it("refuses today, and tomorrow within an hour of midnight", async () => {
  expect((await submit({ from: today })).text).toContain("Must be tomorrow or later");
  freezeClock(instantAt(today, "23:00"));
  expect((await submit({ amount: "60" })).text).toContain("Must be tomorrow or later");
  expect(await countChanges(tomorrow())).toBe(0);
  freezeClock(new Date(instantAt(today, "23:00").getTime() - 1));
  expect((await submit({ amount: "60" })).status).toBe(200);
  expect(await countChanges(tomorrow())).toBe(1);
});

it("refuses a day more than a year ahead", async () => {
  const last = addDays(today, 365);
  expect((await submit({ amount: "61", from: addDays(last, 1) })).text).toContain(
    "Must be within a year",
  );
  expect(await countChanges(addDays(last, 1))).toBe(0);
  expect((await submit({ amount: "61", from: last })).status).toBe(200);
  expect(await countChanges(last)).toBe(1);
});

it("refuses guests, creators and an admin without a code", async () => {
  for (const other of [new Browser(), await signIn(await makeTipster())])
    expect([302, 403]).toContain((await submit({ amount: "62" }, other)).status);
  const later = new Browser();
  later.applyCookies(await startSession(admin.id));
  const { status, text } = await submit({ amount: "62" }, later);
  expect(status).toBe(401);
  expect(text).toContain("Enter the code from your authenticator app.");
  expect(await countChanges(tomorrow())).toBe(0);
  expect(await listAudited(tomorrow())).toEqual([]);
});

it("changes nothing when the same change arrives again", async () => {
  expect((await submit({ amount: "63" })).status).toBe(200);
  const { status, text } = await submit({ amount: "63" });
  expect(status).toBe(409);
  expect(text).toContain("It is 63% on that day already");
  expect(await countChanges(tomorrow())).toBe(1);
  expect(await listAudited(tomorrow())).toHaveLength(1);
});

it("applies the later of two changes from the same day, so that a change can be taken back", async () => {
  const { sharePercent } = await readSaleTerms();
  expect((await submit({ amount: "64" })).status).toBe(200);
  expect((await submit({ amount: String(sharePercent) })).status).toBe(200);
  expect(await countChanges(tomorrow())).toBe(2);
  expect(await readSaleTerms(instantAt(tomorrow()))).toMatchObject({ sharePercent });
});

it("makes a change once when the same requests arrive together", async () => {
  const change = { subject: "creator-share", value: 65, from: tomorrow() };
  const results = await Promise.all(Array.from({ length: 4 }, () => changePrice(admin.id, change)));
  expect(results.filter((result) => result.ok)).toHaveLength(1);
  expect(results.filter((result) => !result.ok && result.refusal === "unchanged")).toHaveLength(3);
  expect(await countChanges(tomorrow())).toBe(1);
  expect(await listAudited(tomorrow())).toHaveLength(1);
});

describe("the price of a coin pack", () => {
  /** Sets the first prices again from the next day on, for the tests that follow. */
  afterEach(async () => {
    const from = addDays(tomorrow(), 1);
    for (const subject of ["starter_4", "unlock_tip_starter"])
      await changePrice(admin.id, { subject, value: 4000, from });
  });

  /** Changes the price of the smallest pack and the guest deal, from tomorrow on, and returns both in rand. */
  async function changePrices(rand: number) {
    for (const subject of ["starter_4", "unlock_tip_starter"])
      expect((await submit({ subject, amount: String(rand) })).status).toBe(200);
  }

  const order = async (buyer: Person, fields: Record<string, string> = {}) => {
    const as = await signIn(buyer);
    const response = await as.post("/buy-coins", {
      coinPackId: "starter_4",
      idempotencyKey: "a-key-of-sixteen-or-more",
      ...fields,
    });
    const { rows } = await pool().query<{ amount_cents: number }>(
      "select amount_cents from orders where user_id = $1",
      [buyer.id],
    );
    return {
      status: response.status,
      text: response.status === 303 ? "" : await readVisibleText(response),
      amounts: rows.map((row) => row.amount_cents),
    };
  };

  /** Returns the rand amounts that search engines and previews show of a page, each once. */
  async function readDescribedRand(response: Response): Promise<string[]> {
    const html = await response.text();
    const descriptions = [...html.matchAll(/<meta [^>]*content="([^"]*)"/g)].map(([, it]) => it);
    return [...new Set(descriptions.join(" ").match(/\bR\d+/g))];
  }

  it("changes on every page, for orders and sales, from its first day on", async () => {
    stubFetchInProcess();
    const { sharePercent } = await readSaleTerms();
    await changePrices(44);
    const buyer = await makeUser({ coins: 8 });
    const { raceCardId } = await publishRaceCard({ raceDate: addDays(today, 2) });
    const readPages = async () => {
      const guest = new Browser();
      const buyerBrowser = await signIn(buyer);
      const read = async (by: Browser, path: string) => readVisibleText(await by.get(path));
      return {
        homeDescriptions: await readDescribedRand(await buyerBrowser.get("/")),
        packs: await read(buyerBrowser, "/buy-coins"),
        guestDeal: await read(guest, `/unlock/${raceCardId}`),
        howItWorks: await read(buyerBrowser, "/how-it-works"),
        help: await read(buyerBrowser, "/help"),
        search: await read(guest, `/search?q=${encodeURIComponent("R44 with the smallest pack")}`),
        terms: await read(buyerBrowser, "/terms-of-service"),
        raceCard: await read(buyerBrowser, `/race-cards/${raceCardId}`),
        profile: await read(buyerBrowser, "/profile"),
        api: await (await buyerBrowser.get("/api/race-cards")).text(),
        margin: await read(browser, PATH),
      };
    };
    const expected = (rand: number) => ({
      homeDescriptions: [`R${rand}`],
      packs: expect.stringContaining(`A race card costs 4 coins: R${rand}, or less`),
      guestDeal: expect.stringContaining(`Pay R${rand} and open`),
      howItWorks: expect.stringContaining(`4 coins · R${rand} opens the whole race card`),
      help: expect.stringContaining(`That is R${rand} with the smallest pack`),
      search: expect.stringContaining(
        rand === 44 ? "What does a race card cost?" : "Nothing found for",
      ),
      terms: expect.stringContaining(`Horse Chestnut: 4 coins for R${rand}`),
      raceCard: expect.stringMatching(new RegExp(`4 coins\\s·?\\s*R${rand}`)),
      profile: expect.stringContaining(`Rand value at R${rand / 4} a coin`),
      api: expect.stringContaining(`"priceCents":${rand * 100}`),
      margin: expect.stringContaining(`${sharePercent}% of R${rand}`),
    });
    freezeClock(new Date(instantAt(tomorrow()).getTime() - 1));
    expect(await readPages()).toMatchObject(expected(40));
    expect((await order(await makeUser())).amounts).toEqual([4000]);
    const earlier = await sell((await makeTipster()).id, addDays(today, 2));
    expect(earlier).toMatchObject([{ price_cents: 4000, earning_cents: 40 * sharePercent }]);

    freezeClock(instantAt(tomorrow()));
    expect(await readPages()).toMatchObject(expected(44));
    expect((await order(await makeUser())).amounts).toEqual([4400]);
    const later = await sell((await makeTipster()).id, addDays(today, 2));
    expect(later).toMatchObject([{ price_cents: 4400, earning_cents: 44 * sharePercent }]);
  });

  it("charges what was shown to a buyer who began before the change", async () => {
    stubFetchInProcess();
    await changePrices(46);
    const buyer = await makeUser();
    const shown = { "shownCents.starter_4": "4000" };
    freezeClock(new Date(instantAt(tomorrow()).getTime() - 1));
    expect(await order(buyer, shown)).toMatchObject({ status: 303, amounts: [4000] });
    freezeClock(instantAt(tomorrow()));
    expect(await order(buyer, shown)).toMatchObject({ status: 303, amounts: [4000] });
  });

  it("refuses a form that shows the price of yesterday, and charges nothing", async () => {
    await changePrices(48);
    freezeClock(instantAt(tomorrow()));
    const { status, text, amounts } = await order(await makeUser(), {
      "shownCents.starter_4": "4000",
    });
    expect([status, amounts]).toEqual([409, []]);
    expect(text).toContain("The price has changed. Check it, then pay.");
    expect(text).toContain("Buy for R48");
    const { raceCardId } = await publishRaceCard({ raceDate: addDays(today, 2) });
    const response = await new Browser().post(`/unlock/${raceCardId}`, {
      name: "Sipho Dlamini",
      email: "sipho@example.test",
      password: "a good long password",
      agreed: "on",
      idempotencyKey: "a-key-of-sixteen-or-more",
      "shownCents.unlock_tip_starter": "4000",
    });
    expect(response.status).toBe(409);
    expect(await readVisibleText(response)).toContain("Pay R48 and open");
    const api = await (await signIn(await makeUser())).postJson(
      "/.netlify/functions/create-checkout-session",
      { packageId: "starter_4", price: 40 },
    );
    expect(api.status).toBe(422);
  });
});
