import { afterEach, beforeEach, expect, it } from "vitest";
import { instantAt } from "#domain/calendar.ts";
import { returnCoins } from "#payments/payments.server.ts";
import { freezeClock, now } from "#platform/clock.server.ts";
import { pool } from "#platform/database.server.ts";
import { drainQueue } from "#platform/queue.server.ts";
import { unlockRaceCardAs } from "#sales/sales.server.ts";
import { enterTipResultAsTwo } from "#test/admin-results.ts";
import {
  exportForBank,
  holdEarningsOfBuyer,
  makeAdmin,
  makeTipster,
  makeUser,
  markShownPayoutPaid,
  publishRaceCard,
  reverseEarningsOfBuyer,
} from "#test/factories.ts";
import { expectInvariantsToHold } from "#test/integrity-checks.ts";
import { requestPayout } from "./create-payout.server.ts";
import { rollUpEarnings } from "./earning-days.server.ts";
import { readEarnings, readEarningsByDay, readEarningsSummary } from "./earnings.server.ts";
import { listDuePayouts } from "./list-due-payouts.server.ts";
import { writeBankDetails } from "./save-bank-details.server.ts";
import { startPayout } from "./start-payout.server.ts";

// The price and the creator's earning change twice between the sales of each test.

const START = instantAt("2026-09-01", "08:00");
const DAY = 24 * 60 * 60 * 1000;
const VENUES = ["kenilworth", "greyville", "vaal"];
/** The price and share before the changes, after the first and after the second one. */
const TERMS = [
  [4000, 70],
  [4000, 75],
  [3500, 70],
] as const;
/** 4 coins do not divide the last one evenly. */
const EARNINGS = [2800, 3000, 2450];

/** Each test starts 100 days later, because the terms of the test before stay in the database. */
let start = START.getTime();
beforeEach(async () => {
  start += 100 * DAY;
  freezeClock(new Date(start));
  await changeTerms(TERMS[0]);
  later(DAY);
});
afterEach(async () => {
  await expectInvariantsToHold();
  freezeClock(null);
});

const later = (ms: number) => freezeClock(new Date(now().getTime() + ms));

/** Changes the terms from tomorrow at this time on. */
async function changeTerms([priceCents, sharePercent]: readonly [number, number]): Promise<void> {
  await pool().query(
    `insert into prices (subject, valid_from, value, created_at)
     values ('starter_4', $1, $2, $4), ('creator-share', $1, $3, $4)`,
    [new Date(now().getTime() + DAY), priceCents, sharePercent, now()],
  );
}

type Sale = { saleId: number; buyerId: string; tipIds: string[]; earningCents: number };

/** Sells a race card with four races for a number of buyers on each of the three terms. */
async function sellOnEachTerms(buyers: number) {
  const { id: creatorId } = await makeTipster();
  await writeBankDetails(creatorId, {
    holder: "S. Dube",
    bank: "Capitec",
    branchCode: "470010",
    accountNumber: "1234567890",
    accountType: "savings",
  });
  const sales: Sale[] = [];
  for (const [index, terms] of TERMS.entries()) {
    const earningCents = EARNINGS[index] ?? 0;
    if (index > 0) {
      await changeTerms(terms);
      later(DAY);
    }
    const { raceCardId } = await publishRaceCard({
      creatorId,
      venue: VENUES[index],
      races: [1, 2, 3, 4],
    });
    for (let buyer = 0; buyer < buyers; buyer += 1) {
      const { id: buyerId } = await makeUser({ coins: 4 });
      await unlockRaceCardAs(buyerId, { raceCardId });
      const { rows } = await pool().query<{ id: number; tip_ids: string[] }>(
        "select id, tip_ids from sales where buyer_id = $1",
        [buyerId],
      );
      const [sale] = rows;
      if (!sale) throw new Error("nothing was sold");
      sales.push({ saleId: sale.id, buyerId, tipIds: sale.tip_ids, earningCents });
    }
  }
  return { creatorId, sales };
}

async function listAmounts(creatorId: string) {
  const { earnings } = await readEarnings(creatorId, { limit: 100 });
  return earnings.map((earning) => earning.amountCents).reverse();
}

it("stores the price and the earning of the terms in force at the instant of the sale", async () => {
  const { raceCardId, creatorId } = await publishRaceCard({ races: [1] });
  await changeTerms([4400, 75]);
  later(DAY - 1);
  const { raceCardId: nextRaceCardId } = await publishRaceCard({ races: [1] });
  const sell = async (id: string) => {
    const buyer = await makeUser({ coins: 4 });
    expect(await unlockRaceCardAs(buyer.id, { raceCardId: id })).toMatchObject({ ok: true });
    const { rows } = await pool().query(
      `select s.price_cents, s.earning_cents, e.amount_cents from sales s
       join earnings e on e.sale_id = s.id where s.buyer_id = $1`,
      [buyer.id],
    );
    return Object.values(rows[0]);
  };
  expect(await sell(raceCardId)).toEqual([4000, 2800, 2800]);
  later(1);
  expect(await sell(nextRaceCardId)).toEqual([4400, 3300, 3300]);
  expect(await listAmounts(creatorId)).toEqual([2800]);
});

it("sums and pays earlier and later earnings", async () => {
  const { creatorId } = await sellOnEachTerms(2);
  const totalCents = 2 * (2800 + 3000 + 2450);
  for (const isRolledUp of [false, true]) {
    if (isRolledUp) await rollUpEarnings();
    expect(await readEarningsSummary(creatorId)).toMatchObject({ sales: 6, totalCents });
    const days = await readEarningsByDay(creatorId, { days: 3 });
    expect(days.map((day) => day.earnedCents)).toEqual([5600, 6000, 4900]);
  }
  await expectInvariantsToHold();
  later(14 * DAY);
  const { due } = await listDuePayouts({ limit: 100 });
  expect(due.find((each) => each.creatorId === creatorId)?.dueCents).toBe(totalCents);
  const payout = await requestPayout(creatorId);
  expect(payout).toMatchObject({ ok: true, amountCents: totalCents });
  if (!payout.ok) return;
  const admin = await makeAdmin();
  await startPayout(admin.id, payout.payoutId);
  await exportForBank(admin.id, payout.payoutId);
  expect(await markShownPayoutPaid(admin.id, payout.payoutId)).toMatchObject({ ok: true });
  expect(await readEarningsSummary(creatorId)).toMatchObject({
    paidCents: totalCents,
    payableCents: 0,
  });
});

it("reduces each earning by the part of its own coins for void races", async () => {
  const { creatorId, sales } = await sellOnEachTerms(1);
  const admin = await makeAdmin();
  const enter = async (race: number, result: "void" | "lost") => {
    for (const { tipIds } of sales)
      await enterTipResultAsTwo(admin.id, { tipId: tipIds[race] ?? "", result, reason: "Checked" });
    await drainQueue([returnCoins]);
    await expectInvariantsToHold();
  };
  await enter(0, "void");
  expect(await listAmounts(creatorId)).toEqual([2100, 2250, 1838]);
  await enter(1, "void");
  expect(await listAmounts(creatorId)).toEqual([1400, 1500, 1225]);
  await rollUpEarnings();
  await enter(2, "void");
  expect(await listAmounts(creatorId)).toEqual([700, 750, 613]);
  await enter(3, "void");
  expect(await readEarningsSummary(creatorId)).toMatchObject({ sales: 0, totalCents: 0 });
  later(2 * DAY);
  await enter(3, "lost");
  expect(await listAmounts(creatorId)).toEqual([700, 750, 613]);
  await enter(2, "lost");
  await enter(1, "lost");
  await enter(0, "lost");
  expect(await listAmounts(creatorId)).toEqual(EARNINGS);
});

it("excludes from a payout only the earnings that a changed result has not adjusted yet", async () => {
  const { creatorId, sales } = await sellOnEachTerms(3);
  later(14 * DAY);
  const admin = await makeAdmin();
  const [first] = sales;
  await enterTipResultAsTwo(admin.id, {
    tipId: first?.tipIds[0] ?? "",
    result: "void",
    reason: "Non-runner",
  });
  expect(await requestPayout(creatorId)).toMatchObject({ amountCents: 3 * (3000 + 2450) });
  await drainQueue([returnCoins]);
});

it("holds and reverses exactly the earning of the sale", async () => {
  const { creatorId, sales } = await sellOnEachTerms(1);
  for (const { buyerId, earningCents } of sales) {
    await holdEarningsOfBuyer(buyerId);
    expect(await readEarningsSummary(creatorId)).toMatchObject({ heldCents: earningCents });
    await reverseEarningsOfBuyer(buyerId);
    await expectInvariantsToHold();
  }
  expect(await readEarningsSummary(creatorId)).toMatchObject({
    sales: 0,
    totalCents: 0,
    reversedCents: 2800 + 3000 + 2450,
  });
});

it("refuses an amount above the earning of the sale", async () => {
  const { sales } = await sellOnEachTerms(1);
  for (const { saleId, earningCents } of sales)
    await expect(
      pool().query("update earnings set amount_cents = $2 where sale_id = $1", [
        saleId,
        earningCents + 1,
      ]),
    ).rejects.toMatchObject({ code: "23001" });
});
