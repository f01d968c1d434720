import { afterEach, beforeEach, expect, it } from "vitest";
import { startSession } from "#accounts/accounts.server.ts";
import { grantCoins } from "#accounts/admin/grant-coins.server.ts";
import { addDays, instantAt } from "#domain/calendar.ts";
import { makeDemoPurchase } from "#payments/payments.server.ts";
import { freezeClock, now } from "#platform/clock.server.ts";
import { pool, transaction } from "#platform/database.server.ts";
import { unlockRaceCardAs } from "#sales/sales.server.ts";
import { Browser } from "#test/browser.ts";
import { makeAdmin, makeUser, type Person, publishRaceCard } from "#test/factories.ts";
import { expectInvariantsToHold } from "#test/integrity-checks.ts";
import { readVisibleText } from "#test/page-text.ts";
import { postToLedger, readWallet } from "#wallet/wallet.server.ts";
import {
  listCustomersMoney,
  readCustomersMoney,
  sumCustomersMoney,
} from "./customers-money.server.ts";
import { listUnspentCoins } from "./list-unspent-coins.server.ts";

const TODAY = "2028-03-01";

let admin: Person;
let browser: Browser;
beforeEach(async () => {
  freezeClock(instantAt(TODAY, "08:00"));
  await pool().query("truncate customer_money_days");
  admin = await makeAdmin();
  browser = new Browser();
  browser.applyCookies(await startSession(admin.id));
});
afterEach(async () => {
  await expectInvariantsToHold();
  freezeClock(null);
});

const buy = (userId: string, coinPackId: string, daysAgo: number) =>
  makeDemoPurchase({ userId, coinPackId, at: instantAt(addDays(TODAY, -daysAgo), "08:00") });

async function open(userId: string): Promise<void> {
  const { raceCardId } = await publishRaceCard({ raceDate: addDays(TODAY, 1) });
  expect(await unlockRaceCardAs(userId, { raceCardId })).toMatchObject({ ok: true });
}

const run = () => sumCustomersMoney.run({}, { isLast: true });

/** Returns coins and cents by age, of all customers of this file. */
async function readAges(): Promise<Record<string, [number, number]>> {
  await run();
  const { ages } = await readCustomersMoney();
  return Object.fromEntries(
    ages.map(({ maxAgeDays, coins, amountCents }) => [String(maxAgeDays), [coins, amountCents]]),
  );
}

it("is what was paid for unspent coins, by the age of the purchase, the oldest coins spent first", async () => {
  const before = await readAges();
  const user = await makeUser();
  await buy(user.id, "starter_4", 400);
  await buy(user.id, "starter_4", 20);
  await buy(user.id, "starter_4", 2);
  await open(user.id);
  const { balanceCoins } = await readWallet(user.id);
  expect(await listUnspentCoins(user.id, balanceCoins)).toMatchObject([
    { coins: 4, amountCents: 4000, isRefundable: true },
    { coins: 4, amountCents: 4000, isRefundable: true },
  ]);
  const after = await readAges();
  const added = (age: string) =>
    [0, 1].map((i) => (after[age]?.[i] ?? 0) - (before[age]?.[i] ?? 0));
  expect(Object.keys(after)).toEqual(["7", "30", "365", "1095", "null"]);
  expect([added("7"), added("30"), added("365"), added("1095"), added("null")]).toEqual([
    [4, 4000],
    [4, 4000],
    [0, 0],
    [0, 0],
    [0, 0],
  ]);
});

it("counts a purchase of which coins were spent by its share, and neither welcome nor granted coins", async () => {
  const before = await readAges();
  const user = await makeUser();
  await buy(user.id, "pro_12", 40);
  await open(user.id);
  await grantCoins(admin.id, user.id, {
    ...{ amountCoins: 5, reason: "The site was down", idempotencyKey: "customers-money" },
  });
  const [unspent] = await listUnspentCoins(user.id, (await readWallet(user.id)).balanceCoins);
  expect(unspent?.coins).toBe(8);
  const after = await readAges();
  expect((after["365"]?.[0] ?? 0) - (before["365"]?.[0] ?? 0)).toBe(8);
  expect((after["365"]?.[1] ?? 0) - (before["365"]?.[1] ?? 0)).toBe(unspent?.amountCents);
});

it("has one sum a day and age when it runs again or at the same time, and reads the newest", async () => {
  await Promise.all([run(), run()]);
  const user = await makeUser();
  await buy(user.id, "starter_4", 0);
  const [first] = (await readCustomersMoney()).ages;
  await run();
  const [second] = (await readCustomersMoney()).ages;
  expect((second?.amountCents ?? 0) - (first?.amountCents ?? 0)).toBe(4000);
  const { rows } = await pool().query("select count(*)::integer as count from customer_money_days");
  expect(rows).toEqual([{ count: 5 }]);
  freezeClock(instantAt(addDays(TODAY, 1), "03:00"));
  await run();
  expect((await readCustomersMoney()).summedAt).toEqual(now());
});

it("is on a page with who owes coins, and in a file with a line for each purchase", async () => {
  const user = await makeUser();
  await buy(user.id, "starter_4", 3);
  const owing = await makeUser();
  await transaction((tx) =>
    postToLedger(tx, "refund", `test:${owing.id}`, [
      { account: "owed", owner: owing.id, unit: "coin", amount: -3 },
      { account: "sold", unit: "coin", amount: 3 },
    ]),
  );
  const text = await readVisibleText(await browser.get("/admin/purchases/customers-money"));
  const { ages } = await readCustomersMoney();
  const total = ages.reduce((sum, { amountCents }) => sum + amountCents, 0);
  expect(text.replaceAll(/\s/g, "")).toContain(`R${(total / 100).toFixed(2)}`);
  expect(text).toContain(owing.name);
  const csv = await (await browser.get("/admin/purchases/customers-money.csv")).text();
  expect(csv.match(new RegExp(`${user.email}.*`, "g"))).toEqual([
    expect.stringMatching(/,2028-02-27,4,40\.00,refund of the payment,/),
  ]);
  const due = [...csv.matchAll(/,(\d+\.\d\d),(?:refund|claim)/g)].map(([, rand]) => Number(rand));
  expect(due.reduce((sum, rand) => sum + rand, 0)).toBeCloseTo(total / 100, 2);
});

it("lists every customer once across pages", async () => {
  for (const _ of [1, 2, 3]) await buy((await makeUser()).id, "starter_4", 1);
  const all = (await listCustomersMoney({ afterUserId: null, limit: 1000 })).money;
  const paged: typeof all = [];
  let afterUserId: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof listCustomersMoney>> = await listCustomersMoney({
      afterUserId,
      limit: 2,
    });
    paged.push(...page.money);
    afterUserId = page.lastUserId;
  } while (afterUserId !== null);
  expect(paged).toEqual(all);
  expect(all.length).toBeGreaterThanOrEqual(3);
});
