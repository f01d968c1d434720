import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startSession } from "#accounts/accounts.server.ts";
import { instantAt } from "#domain/calendar.ts";
import { returnCoins } from "#payments/payments.server.ts";
import {
  CHANGED_REASON,
  listHeldEarnings,
  readEarningsSummary,
  readPayouts,
  removeFromPayouts,
  requestPayout,
  rollUpEarnings,
  startPayout,
  writeBankDetails,
} from "#payouts/payouts.server.ts";
import { reverseHeldEarning } from "#payouts/review-earning.server.ts";
import { freezeClock, now } from "#platform/clock.server.ts";
import { pool, transaction } from "#platform/database.server.ts";
import { drainQueue } from "#platform/queue.server.ts";
import { enterTipResultAsTwo, voidRaceCardAsTwo } from "#test/admin-results.ts";
import { Browser } from "#test/browser.ts";
import {
  closeTestAccount,
  exportForBank,
  holdEarningsOfBuyer,
  makeAdmin,
  makeUser,
  publishRaceCard,
  withdrawShownExport,
} from "#test/factories.ts";
import { expectInvariantsToHold } from "#test/integrity-checks.ts";
import { waitForLockWaiters } from "#test/locks.ts";
import { readVisibleText } from "#test/page-text.ts";
import { withRefusedWrites } from "#test/refused-writes.ts";
import { readRaceCardsOfTips } from "#tips/tips.server.ts";
import {
  lockWallet,
  postToLedger,
  readPayableCents,
  readStatement,
  readWallet,
} from "#wallet/wallet.server.ts";
import { emailReturnedCoins } from "./email-returned-coins.server.ts";
import {
  countOpened,
  readCoinReturn,
  readOpenedCards,
  readOpenedTips,
} from "./opened-cards.server.ts";
import { enqueueCoinReturns } from "./return-coins.server.ts";
import { unlockRaceCardAs } from "./unlock-race-card.server.ts";

const START = instantAt("2026-11-21", "08:00");
/** After the last race of every race card. */
const EVENING = instantAt("2026-11-22", "23:00");

beforeEach(() => freezeClock(START));
afterEach(async () => {
  await expectInvariantsToHold();
  freezeClock(null);
});

const drain = () => drainQueue([returnCoins]);

/** Publishes a race card, by default with two races, and opens it for this many buyers. */
async function createOpenedRaceCard(
  buyers = 2,
  params: Parameters<typeof publishRaceCard>[0] = { races: [1, 2] },
) {
  const raceCard = await publishRaceCard(params);
  const punters = [];
  for (let index = 0; index < buyers; index += 1) {
    const punter = await makeUser({ coins: 10 });
    await unlockRaceCardAs(punter.id, raceCard);
    punters.push(punter);
  }
  return { ...raceCard, punters };
}

/** Holds the earnings of a buyer's sales for review. */
async function holdForReview(buyerId: string): Promise<void> {
  await pool().query(
    `update earnings e set held_at = $2, held_reason = 'guest-deal-repeat'
     from sales s where s.id = e.sale_id and s.buyer_id = $1`,
    [buyerId, now()],
  );
}

async function listTipIds(raceCardId: string): Promise<string[]> {
  const { rows } = await pool().query<{ id: string }>(
    "select id from tips where race_card_id = $1 order by race_number",
    [raceCardId],
  );
  return rows.map((row) => row.id);
}

/** Voids one race after the other, as an admin does. */
async function voidAll(raceCardId: string): Promise<void> {
  const admin = await makeAdmin();
  for (const tipId of await listTipIds(raceCardId))
    await enterTipResultAsTwo(admin.id, { tipId, result: "void", reason: "Meeting abandoned" });
}

/** Runs the email job after the coins have been returned, and returns the emails to a user. */
async function readEmails(userId: string) {
  const frozen = now();
  freezeClock(new Date(frozen.getTime() + 60_000));
  await emailReturnedCoins.run({}, { isLast: false });
  freezeClock(frozen);
  const { rows } = await pool().query<{ subject: string; text: string }>(
    "select subject, text from emails where user_id = $1 and kind = 'coins-returned' order by subject desc",
    [userId],
  );
  return rows;
}

/** Starts the creator's payout and exports it to a payment file. */
async function exportPayout(creatorId: string): Promise<void> {
  const admin = await makeAdmin();
  const payoutId = await readPayoutId(creatorId);
  expect(await startPayout(admin.id, payoutId)).toEqual({ ok: true });
  await exportForBank(admin.id, payoutId);
}

/** Withdraws the creator's payout from its payment file. */
async function withdrawPayout(creatorId: string): Promise<void> {
  const admin = await makeAdmin();
  const payoutId = await readPayoutId(creatorId);
  expect(await withdrawShownExport(admin.id, payoutId, "Stopped at the bank")).toEqual({
    ok: true,
  });
}

async function readPayoutId(creatorId: string): Promise<string> {
  const { payouts } = await readPayouts({ creatorId });
  return payouts[0]?.id ?? "";
}

/** Returns the ledger balance payable to a creator, in cents. */
const readPayable = (creatorId: string) => transaction((tx) => readPayableCents(creatorId, tx));

/** Returns the amount of an earning and why it is reversed. */
async function readEarning(saleId: number) {
  const { rows } = await pool().query(
    `select e.amount_cents as cents, r.reason as reversed
     from earnings e left join earning_reversals r using (sale_id) where e.sale_id = $1`,
    [saleId],
  );
  return rows[0];
}

describe("a void race card", () => {
  it("returns 4 coins to each buyer, reverses the earnings and sends one email", async () => {
    const { raceCardId, creatorId, punters } = await createOpenedRaceCard();
    const otherCard = await createOpenedRaceCard(1);
    await voidAll(raceCardId);
    for (const { id } of punters) {
      expect((await readCoinReturn(id, raceCardId)).coins).toBe(0);
      expect(await countOpened(id)).toEqual({ raceCards: 1, tips: 2, spentCoins: 4 });
    }
    await drain();
    const [otherPunterId, otherCardId] = [otherCard.punters[0]?.id ?? "", otherCard.raceCardId];
    expect((await readCoinReturn(otherPunterId, otherCardId)).coins).toBe(0);
    expect((await readOpenedCards(otherPunterId)).cards[0]?.coinReturn.coins).toBe(0);
    for (const punter of punters) {
      expect(await readWallet(punter.id)).toMatchObject({ balanceCoins: 10 });
      expect((await readCoinReturn(punter.id, raceCardId)).coins).toBe(4);
      expect((await readOpenedCards(punter.id)).cards[0]?.coinReturn.coins).toBe(4);
      expect(await countOpened(punter.id)).toEqual({ raceCards: 1, tips: 2, spentCoins: 0 });
      expect((await readStatement(punter.id)).lines[0]).toMatchObject({
        kind: "reversal",
        amountCoins: 4,
        balanceCoins: 10,
      });
      expect((await readOpenedTips(punter.id, [raceCardId])).get(raceCardId)).toHaveLength(2);
      const emails = await readEmails(punter.id);
      expect(emails.map((email) => email.subject)).toEqual([
        "We have returned your 4 coins for Kenilworth",
      ]);
    }
    expect(await readEarningsSummary(creatorId)).toMatchObject({
      sales: 0,
      totalCents: 0,
      reversedCents: 5600,
    });
  });

  it("refunds once when it runs repeatedly or concurrently", async () => {
    const { raceCardId, punters } = await createOpenedRaceCard();
    await voidAll(raceCardId);
    await Promise.all([
      transaction((tx) => enqueueCoinReturns(tx, [raceCardId])),
      transaction((tx) => enqueueCoinReturns(tx, [raceCardId])),
    ]);
    const params = { raceCardIds: [raceCardId], soldUntil: now().toISOString() };
    await Promise.all(Array.from({ length: 4 }, () => returnCoins.run(params, { isLast: false })));
    await drain();
    for (const punter of punters)
      expect(await readWallet(punter.id)).toMatchObject({ balanceCoins: 10 });
  });

  it("refunds a sale whose earning a review reversed, without reversing it again", async () => {
    const { raceCardId, creatorId, punters } = await createOpenedRaceCard();
    const [reviewed, otherPunter] = punters;
    await holdForReview(reviewed?.id ?? "");
    const { earnings } = await listHeldEarnings({ heldFor: "review", limit: 100 });
    const saleId = earnings.find((earning) => earning.buyerId === reviewed?.id)?.saleId ?? 0;
    const admin = await makeAdmin();
    expect(await reverseHeldEarning(admin.id, saleId, "Same household")).toEqual({ ok: true });
    expect(await readWallet(reviewed?.id ?? "")).toMatchObject({ balanceCoins: 6 });
    await voidAll(raceCardId);
    await drain();
    for (const punter of [reviewed, otherPunter])
      expect(await readWallet(punter?.id ?? "")).toMatchObject({ balanceCoins: 10 });
    expect(await readEarningsSummary(creatorId)).toMatchObject({ sales: 0, reversedCents: 5600 });
    const { rows } = await pool().query(
      `select r.reason from earning_reversals r join sales s on s.id = r.sale_id
       where s.race_card_id = $1 order by r.reason`,
      [raceCardId],
    );
    expect(rows).toEqual([{ reason: "review" }, { reason: "void" }]);
  });

  it("reverses the earning once when a review follows the refund", async () => {
    const { raceCardId, creatorId, punters } = await createOpenedRaceCard(1);
    await holdForReview(punters[0]?.id ?? "");
    const { earnings } = await listHeldEarnings({ heldFor: "review", limit: 100 });
    const saleId = earnings.find((earning) => earning.buyerId === punters[0]?.id)?.saleId ?? 0;
    await voidAll(raceCardId);
    await drain();
    const admin = await makeAdmin();
    expect(await reverseHeldEarning(admin.id, saleId, "Same household")).toEqual({ ok: true });
    expect(await readWallet(punters[0]?.id ?? "")).toMatchObject({ balanceCoins: 10 });
    expect(await readEarningsSummary(creatorId)).toMatchObject({ reversedCents: 2800 });
  });

  it("repays the buyer's owed coins first", async () => {
    const { raceCardId, punters } = await createOpenedRaceCard(1);
    const owner = punters[0]?.id ?? "";
    await transaction((tx) =>
      postToLedger(tx, "refund", "test:owing", [
        { account: "owed", owner, unit: "coin", amount: -3 },
        { account: "sold", unit: "coin", amount: 3 },
      ]),
    );
    await voidAll(raceCardId);
    await drain();
    expect(await readWallet(owner)).toMatchObject({ balanceCoins: 7, owedCoins: 0 });
  });

  it("repays coins that a concurrent refund leaves owed", async () => {
    const { raceCardId, punters } = await createOpenedRaceCard(1);
    const owner = punters[0]?.id ?? "";
    await voidAll(raceCardId);
    let draining: Promise<number> | null = null;
    await transaction(async (tx) => {
      await lockWallet(tx, owner);
      draining = drain();
      await waitForLockWaiters(1);
      await postToLedger(tx, "refund", "test:owing-meanwhile", [
        { account: "owed", owner, unit: "coin", amount: -3 },
        { account: "sold", unit: "coin", amount: 3 },
      ]);
    });
    await draining;
    expect(await readWallet(owner)).toMatchObject({ balanceCoins: 7, owedCoins: 0 });
  });

  it("does not reverse an earning that is in a payment file", async () => {
    const { raceCardId, creatorId, punters } = await createOpenedRaceCard(4);
    await writeBankDetails(creatorId, {
      holder: "S. Dube",
      bank: "Absa",
      branchCode: "632005",
      accountNumber: "12345678",
      accountType: "cheque",
    });
    freezeClock(new Date(START.getTime() + 14 * 24 * 60 * 60 * 1000));
    expect(await requestPayout(creatorId)).toMatchObject({ ok: true, amountCents: 11_200 });
    await exportPayout(creatorId);
    await voidAll(raceCardId);
    await drain();
    await drain();
    expect(await readWallet(punters[0]?.id ?? "")).toMatchObject({ balanceCoins: 10 });
    expect(await readEarningsSummary(creatorId)).toMatchObject({
      inPayoutCents: 11_200,
      reversedCents: 0,
    });
  });

  it("runs a second time for sales that committed after the first run", async () => {
    const { raceCardId } = await publishRaceCard({ races: [1] });
    await transaction((tx) => enqueueCoinReturns(tx, [raceCardId]));
    const { rows } = await pool().query(
      `select start_after > created_on + interval '15 seconds' as waits from jobs.job
       where name = 'return-coins' and state = 'created' and data -> 'raceCardIds' ? $1`,
      [raceCardId],
    );
    expect(rows.map((row) => row.waits).sort()).toEqual([false, true]);
    await drain();
  });

  it("refunds the other sales and race cards when one sale fails, and that one when it is retried", async () => {
    const cards = [await createOpenedRaceCard(3), await createOpenedRaceCard(1)];
    const admin = await makeAdmin();
    for (const { raceCardId } of cards)
      await voidRaceCardAsTwo(admin.id, { raceCardId, reason: "Meeting abandoned" });
    const punters = cards.flatMap((card) => card.punters);
    const params = {
      raceCardIds: cards.map((card) => card.raceCardId),
      soldUntil: now().toISOString(),
    };
    const readBalances = () =>
      Promise.all(punters.map(async ({ id }) => (await readWallet(id)).balanceCoins));
    await withRefusedWrites(
      {
        table: "coin_return_notices",
        write: "insert",
        condition: `new.buyer_id = '${punters[0]?.id}'`,
      },
      () =>
        expect(returnCoins.run(params, { isLast: false })).rejects.toThrow(/1 failed: sale \d+/),
    );
    expect(await readBalances()).toEqual([6, 10, 10, 10]);
    await returnCoins.run(params, { isLast: false });
    expect(await readBalances()).toEqual([10, 10, 10, 10]);
  });

  it("does not refund sales made after the refund was enqueued", async () => {
    const { raceCardId, punters } = await createOpenedRaceCard(1);
    await voidAll(raceCardId);
    const soldUntil = new Date(now().getTime() - 1).toISOString();
    await returnCoins.run({ raceCardIds: [raceCardId], soldUntil }, { isLast: false });
    expect(await readWallet(punters[0]?.id ?? "")).toMatchObject({ balanceCoins: 6 });
    await drain();
    expect(await readWallet(punters[0]?.id ?? "")).toMatchObject({ balanceCoins: 10 });
  });
});

const EIGHT_RACES = { races: [1, 2, 3, 4, 5, 6, 7, 8] };

describe("a void race of a race card", () => {
  const admin = { id: "" };
  beforeEach(async () => {
    admin.id = (await makeAdmin()).id;
  });

  async function setResult(tipId: string | undefined, result: "void" | "won" | "lost" = "void") {
    const entry = { tipId: tipId ?? "", result, reason: "Non-runner" };
    expect(await enterTipResultAsTwo(admin.id, entry)).toMatchObject({ ok: true });
  }

  /** Opens a race card with eight races for one buyer. */
  async function openCard(params = EIGHT_RACES) {
    const { raceCardId, creatorId, punters, venue } = await createOpenedRaceCard(1, params);
    const buyerId = punters[0]?.id ?? "";
    const { cards } = await readOpenedCards(buyerId);
    const tipIds = await listTipIds(raceCardId);
    return { raceCardId, creatorId, buyerId, tipIds, venue, saleId: cards[0]?.saleId ?? 0 };
  }

  /** Returns the buyer's coins and what the creator has earned. */
  async function readState({ buyerId, creatorId }: { buyerId: string; creatorId: string }) {
    const { balanceCoins } = await readWallet(buyerId);
    const { totalCents } = await readEarningsSummary(creatorId);
    return [balanceCoins, totalCents];
  }

  it("returns its share in whole coins, and reduces the earning", async () => {
    const card = await openCard();
    const states = [];
    for (const tipId of card.tipIds) {
      await setResult(tipId);
      await drain();
      states.push(await readState(card));
      await expectInvariantsToHold();
    }
    expect(states).toEqual([
      [7, 2100],
      [7, 2100],
      [8, 1400],
      [8, 1400],
      [9, 700],
      [9, 700],
      [10, 0],
      [10, 0],
    ]);
    const { rows } = await pool().query(
      `select step, coins, total_coins, reduced_cents, cardinality(tip_ids) as tips from coin_returns
       where sale_id = $1 order by step`,
      [card.saleId],
    );
    expect(rows).toEqual([
      { step: 1, coins: 1, total_coins: 1, reduced_cents: 700, tips: 1 },
      { step: 2, coins: 1, total_coins: 2, reduced_cents: 700, tips: 3 },
      { step: 3, coins: 1, total_coins: 3, reduced_cents: 700, tips: 5 },
      { step: 4, coins: 1, total_coins: 4, reduced_cents: 0, tips: 7 },
    ]);
  });

  it("is shown in the statements of the buyer and of the creator", async () => {
    const card = await openCard();
    await setResult(card.tipIds[2]);
    await drain();
    expect((await readStatement(card.buyerId)).lines[0]).toMatchObject({
      kind: "reversal",
      reference: `void:${card.saleId}:1`,
      amountCoins: 1,
      balanceCoins: 7,
    });
    expect(await readEarning(card.saleId)).toEqual({ cents: 2100, reversed: null });
    expect(await readEarningsSummary(card.creatorId)).toMatchObject({
      sales: 1,
      totalCents: 2100,
      pendingCents: 2100,
      reversedCents: 700,
    });
    expect((await readCoinReturn(card.buyerId, card.raceCardId)).coins).toBe(1);
  });

  it("counts only races that were on the race card when it was opened", async () => {
    const card = await openCard({ races: [1, 2] });
    const { creatorId, venue } = card;
    await publishRaceCard({ creatorId, venue: venue.slug, races: [3] });
    const [, , addedTipId] = await listTipIds(card.raceCardId);
    await setResult(addedTipId);
    await drain();
    expect(await readState(card)).toEqual([6, 2800]);
    // Later, both races that the buyer paid for are void: all coins return, although one race was run.
    await setResult(card.tipIds[0]);
    await setResult(card.tipIds[1]);
    await drain();
    expect(await readState(card)).toEqual([10, 0]);
  });

  it("returns the coins once when several races are voided and the job runs concurrently", async () => {
    const card = await openCard();
    await Promise.all(card.tipIds.slice(0, 3).map((tipId) => setResult(tipId)));
    const params = { raceCardIds: [card.raceCardId], soldUntil: now().toISOString() };
    await Promise.all([
      ...Array.from({ length: 4 }, () => returnCoins.run(params, { isLast: false })),
      setResult(card.tipIds[3]),
      setResult(card.tipIds[4]),
    ]);
    await drain();
    expect(await readState(card)).toEqual([9, 700]);
  });

  it("leaves the coins with the buyer when the result is corrected, and restores the earning", async () => {
    const card = await openCard();
    freezeClock(EVENING);
    for (const tipId of card.tipIds.slice(0, 3)) await setResult(tipId);
    await drain();
    expect(await readState(card)).toEqual([8, 1400]);
    await setResult(card.tipIds[0], "won");
    await drain();
    expect(await readState(card)).toEqual([8, 2100]);
    await setResult(card.tipIds[0], "void");
    await drain();
    expect(await readState(card)).toEqual([8, 1400]);
    await setResult(card.tipIds[0], "lost");
    for (const tipId of card.tipIds.slice(3)) await setResult(tipId);
    await drain();
    expect(await readState(card)).toEqual([10, 0]);
    expect(await readEarning(card.saleId)).toEqual({ cents: 1400, reversed: "void" });
    // The roll-up stops before the oldest transaction in progress on the server.
    await expect
      .poll(async () => {
        await rollUpEarnings();
        const { rows } = await pool().query(
          `select from earning_reversals r, earning_days_position p
           where r.sale_id = $1 and r.created_xid >= p.before_xid`,
          [card.saleId],
        );
        return rows.length;
      })
      .toBe(0);
    await setResult(card.tipIds[7], "lost");
    await drain();
    expect(await readState(card)).toEqual([10, 700]);
    await rollUpEarnings();
    expect(await readState(card)).toEqual([10, 700]);
    expect(await readEarning(card.saleId)).toEqual({ cents: 700, reversed: null });
    expect(await readEarningsSummary(card.creatorId)).toMatchObject({ sales: 1 });
  });

  it("leaves the rest of the earning to a review, and returns coins after it", async () => {
    const card = await openCard();
    await holdForReview(card.buyerId);
    await setResult(card.tipIds[0]);
    await drain();
    expect(await reverseHeldEarning(admin.id, card.saleId, "Same household")).toEqual({
      ok: true,
    });
    expect(await readPayable(card.creatorId)).toBe(0);
    expect(await readState(card)).toEqual([7, 0]);
    for (const tipId of card.tipIds) await setResult(tipId);
    await drain();
    expect(await readState(card)).toEqual([10, 0]);
    freezeClock(EVENING);
    await setResult(card.tipIds[0], "won");
    await drain();
    expect(await readState(card)).toEqual([10, 0]);
  });

  it("does not change the amount of an earning in a payment file, and pays the rest of the others", async () => {
    const card = await createOpenedRaceCard(5, EIGHT_RACES);
    const [firstTipId, ...tipIds] = await listTipIds(card.raceCardId);
    await setResult(firstTipId);
    await drain();
    await writeBankDetails(card.creatorId, {
      holder: "S. Dube",
      bank: "Absa",
      branchCode: "632005",
      accountNumber: "12345678",
      accountType: "cheque",
    });
    freezeClock(new Date(START.getTime() + 14 * 24 * 60 * 60 * 1000));
    const [buyer] = card.punters;
    await holdForReview(buyer?.id ?? "");
    expect(await requestPayout(card.creatorId)).toMatchObject({ refusal: "below-minimum" });
    await pool().query("update earnings set held_at = null, held_reason = null");
    expect(await requestPayout(card.creatorId)).toMatchObject({ ok: true, amountCents: 10_500 });
    await exportPayout(card.creatorId);
    for (const tipId of tipIds) await setResult(tipId);
    await setResult(firstTipId, "lost");
    await drain();
    expect(await readEarningsSummary(card.creatorId)).toMatchObject({
      inPayoutCents: 10_500,
      totalCents: 10_500,
      payableCents: 0,
    });
    for (const punter of card.punters)
      expect(await readWallet(punter.id)).toMatchObject({ balanceCoins: 10 });
  });

  /** Opens a race card for five buyers and requests a payout of the five earnings. */
  async function openCardInPayout() {
    const card = await createOpenedRaceCard(5, EIGHT_RACES);
    await writeBankDetails(card.creatorId, {
      holder: "S. Dube",
      bank: "Absa",
      branchCode: "632005",
      accountNumber: "12345678",
      accountType: "cheque",
    });
    freezeClock(new Date(START.getTime() + 14 * 24 * 60 * 60 * 1000));
    expect(await requestPayout(card.creatorId)).toMatchObject({ ok: true, amountCents: 14_000 });
    return { ...card, tipIds: await listTipIds(card.raceCardId) };
  }

  /** Holds the earnings of a buyer's sales, which removes them from the payout. */
  const removeFromPayout = (buyerId = "") => holdEarningsOfBuyer(buyerId, "late-hold");

  it("reduces the earnings that leave a payout when its payment file is withdrawn", async () => {
    const card = await openCardInPayout();
    await exportPayout(card.creatorId);
    await setResult(card.tipIds[0]);
    await drain();
    const readCents = async () => {
      const { rows } = await pool().query<{ cents: number }>(
        "select amount_cents as cents from earnings where creator_id = $1 order by sale_id",
        [card.creatorId],
      );
      return rows.map((row) => row.cents);
    };
    await removeFromPayout(card.punters[0]?.id);
    expect(await readCents()).toEqual([2800, 2800, 2800, 2800, 2800]);
    // One earning leaves because of the hold, the others because of the void race.
    await withdrawPayout(card.creatorId);
    expect(await readCents()).toEqual([2100, 2100, 2100, 2100, 2100]);
    expect(await readPayable(card.creatorId)).toBe(10_500);
    expect(await readEarningsSummary(card.creatorId)).toMatchObject({
      heldCents: 2100,
      inPayoutCents: 0,
      payableCents: 8400,
    });
    await pool().query("update earnings set held_at = null, held_reason = null");
    expect(await requestPayout(card.creatorId)).toMatchObject({ ok: true, amountCents: 10_500 });
  });

  /**
   * Returns the texts of the emails and alerts about a creator's reduced and stopped payouts, in this order, and what
   * the audit says is held.
   */
  async function readPayoutChanges(creatorId: string) {
    const read = async (query: string) =>
      (await pool().query<{ value: string }>(query, [creatorId])).rows.map(({ value }) => value);
    return {
      mails: await read(`select text as value from emails
        where user_id = $1 and kind = 'payout-changed' order by subject`),
      alerts: await read(`select message as value from alerts join payouts p on p.id::text = subject
        where p.creator_id = $1 and kind in ('payout-reduced', 'payout-stopped') order by kind`),
      held: await read(`select (details ->> 'heldCents')::integer as value
        from audit_entries join payouts p on p.id::text = subject
        where p.creator_id = $1 and action in ('reduce-payout', 'stop-payout') order by action`),
    };
  }

  it("names no dispute on the pages when changed results took an earning out of a payout", async () => {
    const card = await openCardInPayout();
    const { rows } = await pool().query<{ id: number }>(
      "select id from sales where creator_id = $1 order by id limit 1",
      [card.creatorId],
    );
    const saleIds = rows.map(({ id }) => id);
    await transaction((tx) => removeFromPayouts(tx, { saleIds, reason: CHANGED_REASON }));
    const { payouts } = await readPayouts({ creatorId: card.creatorId });
    expect(payouts).toMatchObject([{ status: "requested", removedCents: 2800 }]);
    const read = async (userId: string, path: string) => {
      const browser = new Browser();
      browser.applyCookies(await startSession(userId));
      return await readVisibleText(await browser.get(path));
    };
    const { id: adminId } = await makeAdmin();
    const own = await read(card.creatorId, "/tipster-dashboard/earnings");
    for (const text of [own, await read(adminId, "/admin/payouts")]) {
      expect(text).toContain("taken out");
      expect(text).not.toMatch(/a buyer's payment is being reviewed|taken out:\s*disputed/);
    }
    const audit = await read(adminId, "/admin/audit?act=reduce-payout");
    expect(audit).not.toContain("disputed sale");
  });

  it("reports the held amount of earnings that leave a payout, after the reductions", async () => {
    const card = await openCardInPayout();
    await exportPayout(card.creatorId);
    await setResult(card.tipIds[0]);
    await drain();
    await removeFromPayout(card.punters[0]?.id);
    await withdrawPayout(card.creatorId);
    const { mails, alerts, held } = await readPayoutChanges(card.creatorId);
    expect(mails[0]).toMatch(
      /Taken out of the payout\s+R28.00\s+Reduced for void races\s+R7.00\s+Held\s+R21.00\s+Left in the payout\s+R112.00/,
    );
    expect(alerts[0]).toContain("R28.00 was taken out of payout");
    expect(alerts[0]).toContain("R21.00 of it is held");
    expect(mails[1]).toMatch(/Taken out of the payout\s+R112.00\s+Left in the payout\s+Nothing/);
    expect(mails[1]).toContain("results of your race cards or payments for them have changed");
    expect(alerts[1]).toContain("The results of its races or the payments for it have changed.");
    expect(held).toEqual([2100, 0]);
  });

  it("reports that nothing is held of an earning that leaves a payout when every race is void", async () => {
    const card = await openCardInPayout();
    await exportPayout(card.creatorId);
    for (const tipId of card.tipIds) await setResult(tipId);
    await drain();
    await removeFromPayout(card.punters[0]?.id);
    await withdrawPayout(card.creatorId);
    const { mails, alerts, held } = await readPayoutChanges(card.creatorId);
    expect(mails[0]).toMatch(/Reduced for void races\s+R28.00\s+Held\s+R0.00/);
    expect(mails[0]).toContain("there is nothing to hold");
    expect(alerts[0]).toContain("R0.00 of it is held");
    expect(mails[1]).not.toContain("payable again");
    expect(held).toEqual([0, 0]);
  });

  it("reports the amount of a stopped payout that is payable again, after the reductions", async () => {
    const card = await openCardInPayout();
    await exportPayout(card.creatorId);
    await setResult(card.tipIds[0]);
    await drain();
    for (const punter of card.punters.slice(0, 2)) await removeFromPayout(punter.id);
    await withdrawPayout(card.creatorId);
    const { mails } = await readPayoutChanges(card.creatorId);
    expect(mails).toHaveLength(1);
    expect(mails[0]).toContain("R63.00 is payable again");
  });

  it("takes earnings out of a payout and raises them after a correction", async () => {
    const card = await createOpenedRaceCard(5, EIGHT_RACES);
    const tipIds = await listTipIds(card.raceCardId);
    for (const tipId of tipIds.slice(0, 2)) await setResult(tipId);
    await drain();
    await writeBankDetails(card.creatorId, {
      holder: "S. Dube",
      bank: "Absa",
      branchCode: "632005",
      accountNumber: "12345678",
      accountType: "cheque",
    });
    freezeClock(new Date(START.getTime() + 14 * 24 * 60 * 60 * 1000));
    expect(await requestPayout(card.creatorId)).toMatchObject({ ok: true, amountCents: 10_500 });
    for (const tipId of tipIds.slice(0, 2)) await setResult(tipId, "lost");
    await drain();
    expect(await readPayable(card.creatorId)).toBe(14_000);
    expect(await requestPayout(card.creatorId)).toMatchObject({ ok: true, amountCents: 14_000 });
  });

  it("takes an earning out of a payout and reverses it when every race became void", async () => {
    const card = await openCardInPayout();
    const { cards } = await readOpenedCards(card.punters[0]?.id ?? "");
    for (const tipId of card.tipIds) await setResult(tipId);
    await drain();
    expect(await readEarning(cards[0]?.saleId ?? 0)).toEqual({ cents: 2800, reversed: "void" });
    expect(await readPayable(card.creatorId)).toBe(0);
  });

  it("leaves an earning that leaves a payout to the job while coins are due", async () => {
    const card = await openCardInPayout();
    const [buyer] = card.punters;
    const { cards } = await readOpenedCards(buyer?.id ?? "");
    const saleId = cards[0]?.saleId ?? 0;
    for (const tipId of card.tipIds.slice(0, 3)) await setResult(tipId);
    await removeFromPayout(buyer?.id);
    expect(await readEarning(saleId)).toEqual({ cents: 2800, reversed: null });
    await drain();
    expect(await readEarning(saleId)).toEqual({ cents: 1400, reversed: null });
    expect((await readCoinReturn(buyer?.id ?? "", card.raceCardId)).coins).toBe(2);
  });

  it("enqueues the race cards of many tips in few jobs", async () => {
    const cards = [];
    for (let index = 0; index < 26; index += 1)
      cards.push(await publishRaceCard({ races: [1, 2] }));
    const tipIds = (await Promise.all(cards.map((card) => listTipIds(card.raceCardId)))).flat();
    await transaction(async (tx) => enqueueCoinReturns(tx, await readRaceCardsOfTips(tx, tipIds)));
    const { rows } = await pool().query(
      `select jsonb_array_length(data -> 'raceCardIds') as cards from jobs.job
       where name = 'return-coins' and state = 'created' order by 1`,
    );
    expect(rows.map((row) => row.cards)).toEqual([1, 1, 25, 25]);
    await transaction(async (tx) => enqueueCoinReturns(tx, await readRaceCardsOfTips(tx, [])));
    expect(await drain()).toBe(4);
  });
});

describe("the email about returned coins", () => {
  it("collects the races and race cards of a meeting", async () => {
    const admin = await makeAdmin();
    const buyer = await makeUser({ coins: 12 });
    const cards: Awaited<ReturnType<typeof publishRaceCard>>[] = [];
    for (const venue of ["kenilworth", "kenilworth", "vaal"]) {
      const card = await publishRaceCard({ ...EIGHT_RACES, venue });
      await unlockRaceCardAs(buyer.id, card);
      cards.push(card);
    }
    const voidRaces = async (index: number, races: number) => {
      const tipIds = await listTipIds(cards[index]?.raceCardId ?? "");
      for (const tipId of tipIds.slice(0, races))
        await enterTipResultAsTwo(admin.id, { tipId, result: "void", reason: "Non-runner" });
      await drain();
    };
    const run = async (seconds: number) => {
      freezeClock(new Date(START.getTime() + seconds * 1000));
      await Promise.all([
        emailReturnedCoins.run({}, { isLast: false }),
        emailReturnedCoins.run({}, { isLast: false }),
      ]);
    };
    await voidRaces(0, 3);
    await run(59);
    await voidRaces(1, 8);
    await voidRaces(2, 1);
    // The meeting at Kenilworth was quiet for 59 seconds only.
    await run(118);
    expect((await readEmails(buyer.id)).map((email) => email.subject)).toEqual([
      "We have returned your 6 coins for Kenilworth",
      "We have returned your 1 coin for Vaal",
    ]);
    const [kenilworth] = await readEmails(buyer.id);
    expect(kenilworth?.text).toContain("2 race cards");
    expect(kenilworth?.text).toMatch(/Race 1 \(.+\), race 2 \(.+\), race 3 \(.+\): 2 coins/);
    expect(kenilworth?.text).toContain("Every race: 4 coins");
  });

  it("names the races for which coins were returned, also when a result was corrected before it is sent", async () => {
    const admin = await makeAdmin();
    const { raceCardId, punters } = await createOpenedRaceCard(1, EIGHT_RACES);
    const buyerId = punters[0]?.id ?? "";
    const [tipId = ""] = await listTipIds(raceCardId);
    freezeClock(EVENING);
    await enterTipResultAsTwo(admin.id, { tipId, result: "void", reason: "Non-runner" });
    await drain();
    await enterTipResultAsTwo(admin.id, { tipId, result: "lost", reason: "It ran" });
    await drain();
    const [email] = await readEmails(buyerId);
    expect(email?.text).toContain(
      "a race on a race card you opened was declared void, so we have returned part of your coins.",
    );
    expect(email?.text).toMatch(/Race 1 \(.+\): 1 coin/);
    // Later, every race is void.
    for (const id of await listTipIds(raceCardId))
      await enterTipResultAsTwo(admin.id, { tipId: id, result: "void", reason: "Abandoned" });
    await drain();
    const emails = await readEmails(buyerId);
    expect(emails.map((each) => each.subject)).toEqual([
      "We have returned your 3 coins for Kenilworth",
      "We have returned your 1 coin for Kenilworth",
    ]);
    expect(emails[0]?.text).toContain("so we have returned the rest of your coins.");
  });

  it("lists the races of the returned coins only, not those of an earlier email", async () => {
    const admin = await makeAdmin();
    const { raceCardId, punters } = await createOpenedRaceCard(1, EIGHT_RACES);
    const buyerId = punters[0]?.id ?? "";
    const tipIds = await listTipIds(raceCardId);
    const voidRaces = async (start: number, end: number) => {
      for (const tipId of tipIds.slice(start, end))
        await enterTipResultAsTwo(admin.id, { tipId, result: "void", reason: "Non-runner" });
      await drain();
    };
    const texts: string[] = [];
    for (const [start, end] of [
      [0, 1],
      // The share of the second race is part of the coin that was returned for the first.
      [1, 3],
      [3, 8],
    ] as const) {
      await voidRaces(start, end);
      freezeClock(new Date(now().getTime() + 2 * 60_000));
      texts.push((await readEmails(buyerId)).find(({ text }) => !texts.includes(text))?.text ?? "");
    }
    expect(texts[0]).toMatch(/Race 1 \([^)]+\): 1 coin/);
    expect(texts[1]).toMatch(/\sRace 2 \([^)]+\), race 3 \([^)]+\): 1 coin/);
    expect(texts[2]).toMatch(/\sRace 4 \([^)]+\), .+, race 8 \([^)]+\): 2 coins/);
    expect(texts[2]).toContain(
      "every race on a race card you opened was declared void, so we have returned the rest of your coins.",
    );
  });

  it("does not mention a partial return when all coins were returned although one race was run", async () => {
    const admin = await makeAdmin();
    const { raceCardId, punters } = await createOpenedRaceCard(1, EIGHT_RACES);
    for (const tipId of (await listTipIds(raceCardId)).slice(0, 7))
      await enterTipResultAsTwo(admin.id, { tipId, result: "void", reason: "Non-runner" });
    await drain();
    const [email] = await readEmails(punters[0]?.id ?? "");
    expect(email?.text).toContain(
      "some races on a race card you opened were declared void, so we have returned all your coins.",
    );
    expect(email?.text).toMatch(/Race 1 \(.+\), .+, race 7 \(.+\): 4 coins/);
  });

  it("is sent after ten minutes although races are still being voided", async () => {
    const admin = await makeAdmin();
    const { raceCardId, punters } = await createOpenedRaceCard(1, EIGHT_RACES);
    const [firstTipId = "", , thirdTipId = ""] = await listTipIds(raceCardId);
    const voidRace = (tipId: string) =>
      enterTipResultAsTwo(admin.id, { tipId, result: "void", reason: "Non-runner" });
    await voidRace(firstTipId);
    await drain();
    freezeClock(new Date(START.getTime() + 599_000));
    const [, secondTipId = ""] = await listTipIds(raceCardId);
    await voidRace(secondTipId);
    await voidRace(thirdTipId);
    await drain();
    const count = async () => {
      await emailReturnedCoins.run({}, { isLast: false });
      const { rows } = await pool().query(
        "select 1 from emails where user_id = $1 and kind = 'coins-returned'",
        [punters[0]?.id],
      );
      return rows.length;
    };
    expect(await count()).toBe(0);
    freezeClock(new Date(START.getTime() + 600_000));
    expect(await count()).toBe(1);
    expect(await count()).toBe(1);
  });

  it("is sent to the other buyers when one email fails", async () => {
    const admin = await makeAdmin();
    const { raceCardId, punters } = await createOpenedRaceCard(2);
    await voidRaceCardAsTwo(admin.id, { raceCardId, reason: "Meeting abandoned" });
    await drain();
    const [failing, other] = punters;
    // The oldest notice is the first of the run.
    await pool().query(
      "update coin_return_notices set created_at = created_at - interval '1 hour' where buyer_id = $1",
      [failing?.id],
    );
    await withRefusedWrites(
      { table: "emails", write: "insert", condition: `new.user_id = '${failing?.id}'` },
      () => expect(readEmails(other?.id ?? "")).rejects.toThrow(`1 failed: buyer ${failing?.id}`),
    );
    freezeClock(START);
    const { rows } = await pool().query(
      "select user_id from emails where user_id = any ($1) and kind = 'coins-returned'",
      [punters.map((punter) => punter.id)],
    );
    expect(rows).toEqual([{ user_id: other?.id }]);
    // The failed one is tried again.
    expect(await readEmails(failing?.id ?? "")).toHaveLength(1);
  });

  it("is not sent about coins returned to an account that was closed before", async () => {
    const { raceCardId, punters } = await createOpenedRaceCard(1);
    const buyerId = punters[0]?.id ?? "";
    const admin = await makeAdmin();
    await closeTestAccount(buyerId);
    await voidRaceCardAsTwo(admin.id, { raceCardId, reason: "Meeting abandoned" });
    await drain();
    expect(await readEmails(buyerId)).toEqual([]);
    expect((await readCoinReturn(buyerId, raceCardId)).coins).toBe(4);
    // The coins go to the house.
    expect(await readWallet(buyerId)).toMatchObject({ balanceCoins: 0 });
  });

  it("is not sent to a closed account", async () => {
    const { raceCardId, punters } = await createOpenedRaceCard(1);
    const admin = await makeAdmin();
    await voidRaceCardAsTwo(admin.id, { raceCardId, reason: "Meeting abandoned" });
    await drain();
    const buyerId = punters[0]?.id ?? "";
    await closeTestAccount(buyerId);
    expect(await readEmails(buyerId)).toEqual([]);
    const { rows } = await pool().query("select from coin_return_notices where buyer_id = $1", [
      buyerId,
    ]);
    expect(rows).toEqual([]);
  });
});
