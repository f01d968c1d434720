import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { instantAt } from "#domain/calendar.ts";
import {
  listHeldEarnings,
  readEarningsSummary,
  requestPayout,
  reverseHeldEarning,
  writeBankDetails,
} from "#payouts/payouts.server.ts";
import { freezeClock, now } from "#platform/clock.server.ts";
import { pool, transaction } from "#platform/database.server.ts";
import { drainQueue } from "#platform/queue.server.ts";
import { makeAdmin, makeUser, publishRaceCard } from "#test/factories.ts";
import { expectInvariantsToHold } from "#test/integrity-checks.ts";
import { correctResult } from "#tips/tips.server.ts";
import { postToLedger, readStatement, readWallet } from "#wallet/wallet.server.ts";
import { areCoinsRefunded, readOpenedCards, readOpenedTips } from "./opened-cards.server.ts";
import { refundVoidRaceCard, refundVoidRaceCards } from "./refund-void-race-card.server.ts";
import { reverseNewestSales, reverseSaleOfRaceCard } from "./reverse-sales.server.ts";
import { unlockRaceCardAs } from "./unlock-race-card.server.ts";

const START = instantAt("2026-11-21", "08:00");

beforeEach(() => freezeClock(START));
afterEach(async () => {
  await expectInvariantsToHold();
  freezeClock(null);
});

const drain = () => drainQueue([refundVoidRaceCards]);

/** Publishes a race card with two races and opens it for this many buyers. */
async function createOpenedRaceCard(buyers = 2) {
  const raceCard = await publishRaceCard({ races: [1, 2] });
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

/** Voids one race after the other, as the operator does. The last one enqueues the refund. */
async function voidAll(raceCardId: string): Promise<void> {
  const admin = await makeAdmin();
  const { rows } = await pool().query<{ id: string }>(
    "select id from tips where race_card_id = $1 order by race_number",
    [raceCardId],
  );
  for (const { id: tipId } of rows)
    await transaction(async (tx) => {
      const result = await correctResult(tx, {
        tipId,
        result: "void",
        reason: "Meeting abandoned",
        actorId: admin.id,
      });
      if (result.ok && result.isCardVoid) await refundVoidRaceCard(tx, raceCardId);
    });
}

describe("refundVoidRaceCard", () => {
  it("refunds 4 coins to each buyer, reverses the earnings and sends emails", async () => {
    const { raceCardId, creatorId, punters } = await createOpenedRaceCard();
    const otherCard = await createOpenedRaceCard(1);
    await voidAll(raceCardId);
    for (const { id } of punters) expect(await areCoinsRefunded(id, raceCardId)).toBe(false);
    await drain();
    const [otherPunterId, otherCardId] = [otherCard.punters[0]?.id ?? "", otherCard.raceCardId];
    expect(await areCoinsRefunded(otherPunterId, otherCardId)).toBe(false);
    expect((await readOpenedCards(otherPunterId)).cards[0]?.areCoinsRefunded).toBe(false);
    for (const punter of punters) {
      expect(await readWallet(punter.id)).toMatchObject({ balanceCoins: 10 });
      expect(await areCoinsRefunded(punter.id, raceCardId)).toBe(true);
      expect((await readOpenedCards(punter.id)).cards[0]?.areCoinsRefunded).toBe(true);
      expect((await readStatement(punter.id)).lines[0]).toMatchObject({
        kind: "reversal",
        amountCoins: 4,
        balanceCoins: 10,
      });
      expect((await readOpenedTips(punter.id, [raceCardId])).get(raceCardId)).toHaveLength(2);
      const { rows } = await pool().query(
        "select subject from mails where user_id = $1 and kind = 'coins-returned'",
        [punter.id],
      );
      expect(rows).toEqual([{ subject: "We have returned your 4 coins for Kenilworth" }]);
    }
    expect(await readEarningsSummary(creatorId)).toMatchObject({
      sales: 0,
      totalCents: 0,
      reversedCents: 5600,
    });
  });

  it("refunds nothing while one race is not void", async () => {
    const { raceCardId, punters } = await createOpenedRaceCard(1);
    const admin = await makeAdmin();
    const { rows } = await pool().query("select id from tips where race_card_id = $1 limit 1", [
      raceCardId,
    ]);
    const result = await transaction((tx) =>
      correctResult(tx, {
        tipId: rows[0].id,
        result: "void",
        reason: "Non-runner",
        actorId: admin.id,
      }),
    );
    expect(result).toMatchObject({ ok: true, isCardVoid: false });
    expect(await drain()).toBe(0);
    expect(await readWallet(punters[0]?.id ?? "")).toMatchObject({ balanceCoins: 6 });
  });

  it("refunds once when it runs repeatedly or concurrently", async () => {
    const { raceCardId, punters } = await createOpenedRaceCard();
    await voidAll(raceCardId);
    await Promise.all([
      transaction((tx) => refundVoidRaceCard(tx, raceCardId)),
      transaction((tx) => refundVoidRaceCard(tx, raceCardId)),
    ]);
    const params = { raceCardId, soldUntil: now().toISOString() };
    await Promise.all(
      Array.from({ length: 4 }, () => refundVoidRaceCards.run(params, { isLast: false })),
    );
    await drain();
    for (const punter of punters)
      expect(await readWallet(punter.id)).toMatchObject({ balanceCoins: 10 });
  });

  it("does not refund coins of a purchase that was refunded as money", async () => {
    const { raceCardId, punters } = await createOpenedRaceCard(1);
    const buyerId = punters[0]?.id ?? "";
    await transaction((tx) =>
      reverseNewestSales(tx, { buyerId, afterTransactionId: 0, upToCoins: 4, reason: "refund" }),
    );
    await voidAll(raceCardId);
    await drain();
    expect(await readWallet(buyerId)).toMatchObject({ balanceCoins: 6 });
    expect(await areCoinsRefunded(buyerId, raceCardId)).toBe(false);
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

  it("does not reverse an earning that is in a payout", async () => {
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
    await voidAll(raceCardId);
    await drain();
    await drain();
    expect(await readWallet(punters[0]?.id ?? "")).toMatchObject({ balanceCoins: 10 });
    expect(await readEarningsSummary(creatorId)).toMatchObject({
      inPayoutCents: 11_200,
      reversedCents: 0,
    });
    // A dispute removes the sale from the payout; its coins remain refunded.
    const buyerId = punters[0]?.id ?? "";
    const reverseAndRollBack = () =>
      transaction(async (tx) => {
        await tx.execute(sql`update earnings e set payout_id = null, held_at = ${now()},
          held_reason = 'dispute' from sales s where s.id = e.sale_id and s.buyer_id = ${buyerId}`);
        const params = { buyerId, afterTransactionId: 0, upToCoins: 4, reason: "dispute" } as const;
        expect(await reverseNewestSales(tx, params)).toEqual({ coins: 0, saleIds: [] });
        const raceCardParams = { buyerId, raceCardId, reason: "dispute" } as const;
        expect(await reverseSaleOfRaceCard(tx, raceCardParams)).toBe("coins-returned");
        tx.rollback();
      });
    await expect(reverseAndRollBack()).rejects.toThrow("Rollback");
  });

  it("runs a second time for sales that committed after the first run", async () => {
    const { raceCardId } = await publishRaceCard({ races: [1] });
    await transaction((tx) => refundVoidRaceCard(tx, raceCardId));
    const { rows } = await pool().query(
      `select start_after = $2 as waits from jobs.job
       where name = 'refund-void-race-card' and state = 'created' and data ->> 'raceCardId' = $1`,
      [raceCardId, new Date(START.getTime() + 30_000)],
    );
    expect(rows.map((row) => row.waits).sort()).toEqual([false, true]);
    await drain();
  });

  it("does not refund sales made after the refund was enqueued", async () => {
    const { raceCardId, punters } = await createOpenedRaceCard(1);
    const soldUntil = new Date(now().getTime() - 1).toISOString();
    await refundVoidRaceCards.run({ raceCardId, soldUntil }, { isLast: false });
    expect(await readWallet(punters[0]?.id ?? "")).toMatchObject({ balanceCoins: 6 });
  });
});
