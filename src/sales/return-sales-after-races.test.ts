import { afterEach, beforeEach, expect, it } from "vitest";
import { startSession } from "#accounts/accounts.server.ts";
import { addDays, instantAt } from "#domain/calendar.ts";
import { returnCoins } from "#payments/payments.server.ts";
import {
  readPayouts,
  requestPayout,
  startPayout,
  writeBankDetails,
} from "#payouts/payouts.server.ts";
import { freezeClock, now } from "#platform/clock.server.ts";
import { pool, transaction } from "#platform/database.server.ts";
import { drainQueue } from "#platform/queue.server.ts";
import { enterTipResultAsTwo } from "#test/admin-results.ts";
import { Browser } from "#test/browser.ts";
import { readEmailsTo } from "#test/emails.ts";
import {
  exportForBank,
  makeAdmin,
  makeUser,
  publishRaceCard,
  reportRaceDay,
  withdrawShownExport,
} from "#test/factories.ts";
import { expectInvariantsToHold } from "#test/integrity-checks.ts";
import { readWallet } from "#wallet/wallet.server.ts";
import { emailReturnedCoins } from "./email-returned-coins.server.ts";
import { readCoinReturn } from "./opened-cards.server.ts";
import { returnSalesAfterRaces } from "./return-sales-after-races.server.ts";
import { unlockRaceCardAs, unlockRaceCardForGuest } from "./unlock-race-card.server.ts";

const at = (time: string) => instantAt(raceDate, time);
// Each test has a race date of its own.
let raceDate = "2026-11-21";
/** The buyers of the race card, in the order in which they opened it. */
let buyers: { id: string; email: string }[] = [];
let raceCard: Awaited<ReturnType<typeof publishRaceCard>>;

beforeEach(async () => {
  raceDate = addDays(raceDate, 1);
  freezeClock(at("08:00"));
  raceCard = await publishRaceCard({ raceDate, races: [1, 2] });
  buyers = [];
});
afterEach(async () => {
  await expectInvariantsToHold();
  freezeClock(null);
});

async function openAt(time: string): Promise<string> {
  freezeClock(at(time));
  const buyer = await makeUser({ coins: 4 });
  expect(await unlockRaceCardAs(buyer.id, raceCard)).toMatchObject({ ok: true });
  buyers.push(buyer);
  return buyer.id;
}

const report = (...times: string[]) =>
  reportRaceDay(
    raceCard.venue.id,
    raceDate,
    times.map((time, index) => ({ raceNumber: index + 1, time })),
  );

async function runJobs(): Promise<void> {
  await returnSalesAfterRaces.run({}, { isLast: false });
  await drainQueue([returnCoins]);
}

async function listReturnedCoins(): Promise<number[]> {
  const returns = await Promise.all(
    buyers.map(({ id }) => readCoinReturn(id, raceCard.raceCardId)),
  );
  return returns.map(({ coins }) => coins);
}

async function readAlert() {
  const { rows } = await pool().query<{ message: string; created_at: Date }>(
    "select message, created_at from alerts where kind = 'sold-after-races' and subject = $1",
    [raceCard.raceCardId],
  );
  return rows[0];
}

/** Returns the amount of each earning of the race card and why it is reversed, in the order of the sales. */
async function listEarnings() {
  const { rows } = await pool().query<{ cents: number; reversed: string | null }>(
    `select e.amount_cents as cents, r.reason as reversed
     from sales s join earnings e on e.sale_id = s.id left join earning_reversals r on r.sale_id = s.id
     where s.race_card_id = $1 order by s.id`,
    [raceCard.raceCardId],
  );
  return rows;
}

const readTipResults = async () => {
  const { rows } = await pool().query<{ result: string | null }>(
    "select result from tips where race_card_id = $1",
    [raceCard.raceCardId],
  );
  return rows.map(({ result }) => result);
};

it("returns all coins of sales at or after the last off that is learnt later, and no others", async () => {
  for (const time of ["14:59", "15:00", "15:01"]) await openAt(time);
  freezeClock(at("16:00"));
  await report("14:00", "15:00");
  await runJobs();
  expect(await listReturnedCoins()).toEqual([0, 4, 4]);
  expect((await listEarnings()).map(({ reversed }) => reversed)).toEqual([null, "void", "void"]);
  // The tips stay as they are: only the sale is undone.
  expect(await readTipResults()).toEqual([null, null]);
  expect((await readAlert())?.message).toMatch(
    /^2 sales of a race card for Kenilworth on .* followed its last race.* We are returning 8 coins\.$/,
  );
});

it("tells the buyer why, once", async () => {
  await openAt("15:30");
  await report("14:00", "15:00");
  await runJobs();
  await runJobs();
  freezeClock(new Date(now().getTime() + 60_000));
  for (let run = 0; run < 2; run += 1) await emailReturnedCoins.run({}, { isLast: false });
  const emails = (await readEmailsTo(buyers[0]?.email ?? "")).filter(
    ({ kind }) => kind === "coins-returned",
  );
  expect(emails.map(({ subject }) => subject)).toEqual([
    "We have returned your 4 coins for Kenilworth",
  ]);
  expect(emails[0]?.text).toContain(
    "you opened a race card after the last race, whose off time we did not know then, so we have returned your coins",
  );
  expect(emails[0]?.text).not.toContain("void");
});

it("shows the buyer why on the race card and in My cards", async () => {
  const buyerId = await openAt("15:30");
  const browser = new Browser();
  browser.applyCookies(await startSession(buyerId));
  const readPages = () =>
    Promise.all(
      [`/race-cards/${raceCard.raceCardId}`, "/my-cards"].map(async (path) =>
        (await browser.get(path)).text(),
      ),
    );
  for (const page of await readPages()) expect(page).not.toContain("after the last race");
  await report("14:00", "15:00");
  await runJobs();
  for (const page of await readPages())
    expect(page).toContain(
      "You opened this race card after the last race, whose off time we did not know then. We have returned your 4 coins to your wallet.",
    );
});

it("tells the buyer of a void race and of a sale after the races in one email", async () => {
  freezeClock(at("08:30"));
  const other = await publishRaceCard({ raceDate, races: [1, 2] });
  const buyer = await makeUser({ coins: 8 });
  buyers.push(buyer);
  await unlockRaceCardAs(buyer.id, other);
  freezeClock(at("15:30"));
  await unlockRaceCardAs(buyer.id, raceCard);
  await report("14:00", "15:00");
  const { rows } = await pool().query<{ id: string }>(
    "select id from tips where race_card_id = $1 order by race_number limit 1",
    [other.raceCardId],
  );
  const admin = await makeAdmin();
  const voided = { tipId: rows[0]?.id ?? "", result: "void", reason: "Meeting abandoned" } as const;
  expect(await enterTipResultAsTwo(admin.id, voided)).toMatchObject({ ok: true });
  await runJobs();
  freezeClock(new Date(now().getTime() + 60_000));
  await emailReturnedCoins.run({}, { isLast: false });
  const texts = (await readEmailsTo(buyer.email)).map(({ text }) => text?.replace(/\s+/g, " "));
  expect(texts.find((text) => text?.includes("returned"))).toContain(
    "a race on a race card you opened was declared void, and you opened a race card after the last race, whose off time we did not know then, so we have returned part of your coins",
  );
});

it("leaves sales alone while the off of one of their races is unknown", async () => {
  await openAt("15:30");
  await report("14:00");
  await runJobs();
  expect(await listReturnedCoins()).toEqual([0]);
  expect(await readAlert()).toBeUndefined();
});

it("keeps the sale to a guest who ordered before the last off and paid after it", async () => {
  freezeClock(at("08:30"));
  await report("14:00", "15:00");
  freezeClock(at("15:10"));
  for (const orderedAt of [at("14:59"), at("15:00")]) {
    const guest = await makeUser({ coins: 4 });
    const { raceCardId } = raceCard;
    expect(
      await transaction((tx) =>
        unlockRaceCardForGuest(tx, { userId: guest.id, raceCardId, orderedAt }),
      ),
    ).toMatchObject({ ok: true });
    buyers.push(guest);
  }
  await runJobs();
  expect(await listReturnedCoins()).toEqual([0, 4]);
});

it("returns nothing twice, also when two jobs run at once", async () => {
  const buyerId = await openAt("15:30");
  await report("14:00", "15:00");
  await Promise.all([
    returnSalesAfterRaces.run({}, { isLast: false }),
    returnSalesAfterRaces.run({}, { isLast: false }),
  ]);
  await Promise.all([drainQueue([returnCoins]), drainQueue([returnCoins])]);
  const raisedAt = (await readAlert())?.created_at;
  freezeClock(new Date(now().getTime() + 1000));
  await runJobs();
  expect(await listReturnedCoins()).toEqual([4]);
  expect((await readWallet(buyerId)).balanceCoins).toBe(4);
  expect((await readAlert())?.created_at).toEqual(raisedAt);
});

it("pays the tipster again when the off is corrected, and leaves the coins to the buyer", async () => {
  await openAt("15:30");
  await report("14:00", "15:00");
  await runJobs();
  await report("14:00", "16:00");
  await runJobs();
  expect(await listReturnedCoins()).toEqual([4]);
  expect(await listEarnings()).toEqual([{ cents: 2800, reversed: null }]);
  await report("14:00", "15:00");
  await runJobs();
  expect(await listEarnings()).toEqual([{ cents: 2800, reversed: "void" }]);
});

it("pays the tipster again when offs that were all reported too early are corrected", async () => {
  await openAt("09:30");
  await report("07:30", "08:05");
  await runJobs();
  expect(await listReturnedCoins()).toEqual([4]);
  expect(await listEarnings()).toEqual([{ cents: 2800, reversed: "void" }]);
  await report("17:30", "18:05");
  await runJobs();
  expect(await listReturnedCoins()).toEqual([4]);
  expect(await listEarnings()).toEqual([{ cents: 2800, reversed: null }]);
});

it("takes a sale after the races out of a payout that is withdrawn from its payment file", async () => {
  const { creatorId } = raceCard;
  for (const time of ["09:00", "10:00", "11:00", "12:00", "15:30"]) await openAt(time);
  await writeBankDetails(creatorId, {
    holder: "S. Dube",
    bank: "Absa",
    branchCode: "632005",
    accountNumber: "12345678",
    accountType: "cheque",
  });
  freezeClock(new Date(at("16:00").getTime() + 14 * 24 * 60 * 60_000));
  const payout = await requestPayout(creatorId);
  if (!payout.ok) throw new Error(payout.refusal);
  const admin = await makeAdmin();
  expect(await startPayout(admin.id, payout.payoutId)).toEqual({ ok: true });
  await exportForBank(admin.id, payout.payoutId);
  await report("14:00", "15:00");
  await runJobs();
  expect(await listReturnedCoins()).toEqual([0, 0, 0, 0, 4]);
  const readPayout = async () => (await readPayouts({ creatorId })).payouts[0];
  expect(await readPayout()).toMatchObject({ amountCents: 5 * 2800 });
  expect(await withdrawShownExport(admin.id, payout.payoutId, "Rejected")).toEqual({ ok: true });
  expect(await readPayout()).toMatchObject({ amountCents: 4 * 2800, removedCents: 2800 });
  expect((await listEarnings()).map(({ reversed }) => reversed)).toEqual([
    null,
    null,
    null,
    null,
    "void",
  ]);
});
