import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { suspendCreator } from "#creators/suspension.server.ts";
import { addDays, dateAt, instantAt } from "#domain/calendar.ts";
import { freezeClock, now } from "#platform/clock.server.ts";
import { pool, transaction } from "#platform/database.server.ts";
import { voidRaceCardAsTwo } from "#test/admin-results.ts";
import {
  createBatchInput,
  findTestVenue,
  makeAdmin,
  makeTipster,
  makeUser,
  publishRaceCard,
  reportOffTimes,
} from "#test/factories.ts";
import { hideTip } from "#tips/tip-visibility.server.ts";
import { countOnSale, findRaceCardOnSale, publishBatch } from "#tips/tips.server.ts";
import {
  markGuestDeal,
  postToLedger,
  readStatement,
  readWallet,
  setWalletFrozen,
} from "#wallet/wallet.server.ts";
import { findOpenedCards, readOpenedCards, readOpenedTips } from "./opened-cards.server.ts";
import {
  unlockRaceCard,
  unlockRaceCardAs,
  unlockRaceCardForGuest,
} from "./unlock-race-card.server.ts";

const MORNING = instantAt("2026-11-21", "08:00");
const DAY_MS = 24 * 60 * 60 * 1000;

beforeEach(() => freezeClock(MORNING));

async function salesOf(userId: string) {
  const { rows } = await pool().query(
    `select s.*, e.amount_cents, e.payable_at, e.held_reason from sales s join earnings e on e.sale_id = s.id
     where s.buyer_id = $1 order by s.id`,
    [userId],
  );
  return rows;
}

async function countRaceCardsOnSale(venueId: string): Promise<number> {
  const { venues } = await countOnSale(now());
  return venues.find((venue) => venue.venueId === venueId)?.raceCards ?? 0;
}

describe("opening a race card", () => {
  it("costs 4 coins, opens every race, and earns its creator R28.00", async () => {
    const punter = await makeUser({ coins: 50 });
    const { raceCardId, creatorId } = await publishRaceCard({ races: [1, 2, 3, 4, 5, 6, 7, 8] });
    const result = await unlockRaceCardAs(punter.id, { raceCardId });
    expect(result).toMatchObject({ ok: true, isNew: true, balanceCoins: 46, raceCount: 8 });
    expect(result.ok && result.tips.map((tip) => tip.horseName)).toEqual(
      [1, 2, 3, 4, 5, 6, 7, 8].map((race) => `Secret Horse ${race}`),
    );
    expect(await salesOf(punter.id)).toMatchObject([
      {
        creator_id: creatorId,
        price_coins: 4,
        amount_cents: 2800,
        payable_at: new Date(MORNING.getTime() + 14 * DAY_MS),
        held_reason: null,
      },
    ]);
    expect((await readStatement(punter.id)).lines[0]).toMatchObject({
      kind: "unlock",
      amountCoins: -4,
      balanceCoins: 46,
    });
  });

  it.each([
    ["14 days after the sale", "a race 13 days later", 13, instantAt("2026-12-05", "08:00")],
    [
      "on the day after the race date",
      "a race 14 days later",
      14,
      instantAt("2026-12-06", "00:00"),
    ],
  ])("is payable %s for %s", async (_, __, days, payableAt) => {
    const punter = await makeUser({ coins: 4 });
    const { raceCardId } = await publishRaceCard({ raceDate: addDays(dateAt(now()), days) });
    await unlockRaceCardAs(punter.id, { raceCardId });
    expect(await salesOf(punter.id)).toMatchObject([{ payable_at: payableAt }]);
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])(
    "splits the price over %i races into equal shares, with the remaining hundredths on the first",
    async (count) => {
      const punter = await makeUser({ coins: 4 });
      const races = Array.from({ length: count }, (_, index) => index + 1);
      const { raceCardId } = await publishRaceCard({ races });
      await unlockRaceCardAs(punter.id, { raceCardId });
      const { rows } = await pool().query(
        "select coins_spent::float8 as share from user_unlocked_tips where user_id = $1",
        [punter.id],
      );
      const shares = rows.map((row) => Math.round(row.share * 100));
      expect(shares).toHaveLength(count);
      expect(shares.reduce((sum, share) => sum + share, 0)).toBe(400);
      expect(shares).toEqual(shares.toSorted((a, b) => b - a));
      expect(shares[0]! - shares.at(-1)!).toBeLessThanOrEqual(1);
    },
  );

  it.each([
    ["less than 4.00", "{200,199}"],
    ["more than 4.00", "{200,201}"],
    ["nothing", "{}"],
  ])("rejects a sale in the database whose shares add up to %s", async (_, shares) => {
    const punter = await makeUser({ coins: 4 });
    const otherUser = await makeUser();
    const { raceCardId } = await publishRaceCard({ races: [1, 2] });
    await unlockRaceCardAs(punter.id, { raceCardId });
    const copy = pool().query(
      `with posted as (
         insert into ledger_transactions (kind, reference, created_at)
         values ('unlock', gen_random_uuid()::text, now()) returning id
       )
       insert into sales (buyer_id, race_card_id, creator_id, price_coins, tip_ids,
         shares_hundredths, transaction_id, created_at)
       select $1, s.race_card_id, s.creator_id, 4, tip_ids[:cardinality($2::smallint[])], $2,
         posted.id, s.created_at
       from sales s, posted where s.buyer_id = $3`,
      [otherUser.id, shares, punter.id],
    );
    await expect(copy).rejects.toMatchObject({ constraint: "sales_valid" });
  });

  it("lists the card among the opened cards, newest first", async () => {
    const punter = await makeUser({ coins: 8 });
    const first = await publishRaceCard();
    const second = await publishRaceCard({ venue: "greyville" });
    await unlockRaceCardAs(punter.id, first);
    await unlockRaceCardAs(punter.id, second);
    const page = await readOpenedCards(punter.id, { limit: 1 });
    expect(page.cards.map((raceCard) => raceCard.raceCardId)).toEqual([second.raceCardId]);
    const nextPage = await readOpenedCards(punter.id, { beforeSaleId: page.next ?? 0, limit: 1 });
    expect(nextPage.cards.map((raceCard) => raceCard.raceCardId)).toEqual([first.raceCardId]);
    expect(nextPage.next).toBeNull();
    expect(await findOpenedCards(punter.id, [first.raceCardId, randomUUID()])).toEqual(
      new Set([first.raceCardId]),
    );
  });
});

describe("refusing to open a race card", () => {
  it("refuses a guest and an invalid session token", async () => {
    const { raceCardId } = await publishRaceCard();
    for (const token of [null, "not-a-session"])
      expect(await unlockRaceCard(token, { raceCardId })).toMatchObject({
        ok: false,
        refusal: "not-signed-in",
      });
  });

  async function insertSession(userId: string, expiresAt: Date): Promise<string> {
    const token = randomUUID();
    await pool().query(
      `insert into sessions (token, user_id, expires_at, created_at, updated_at)
       values ($1, $2, $3, $4, $4)`,
      [token, userId, expiresAt, now()],
    );
    return token;
  }

  it("refuses a session from the instant at which it expires", async () => {
    const punter = await makeUser({ coins: 4 });
    const raceCard = await publishRaceCard();
    const expired = await insertSession(punter.id, now());
    expect(await unlockRaceCard(expired, raceCard)).toMatchObject({ refusal: "not-signed-in" });
    expect(await salesOf(punter.id)).toEqual([]);
    const current = await insertSession(punter.id, new Date(now().getTime() + 1));
    expect(await unlockRaceCard(current, raceCard)).toMatchObject({ ok: true });
  });

  it("refuses a session that remains after its account was closed", async () => {
    const punter = await makeUser();
    const raceCard = await publishRaceCard();
    const token = await insertSession(punter.id, new Date(now().getTime() + DAY_MS));
    await pool().query("update users set closed_at = $2 where id = $1", [punter.id, now()]);
    expect(await unlockRaceCard(token, raceCard)).toMatchObject({ refusal: "not-signed-in" });
    expect(await salesOf(punter.id)).toEqual([]);
  });

  it.each([randomUUID(), "nonsense", "", "'; drop table sales; --"])(
    "refuses an unknown or malformed race card id: %j",
    async (raceCardId) => {
      const punter = await makeUser({ coins: 4 });
      expect(await unlockRaceCardAs(punter.id, { raceCardId })).toMatchObject({
        refusal: "race-card-not-found",
        balanceCoins: 4,
      });
    },
  );

  it("refuses the creator of the card", async () => {
    const { raceCardId, creatorId } = await publishRaceCard();
    expect(await unlockRaceCardAs(creatorId, { raceCardId })).toMatchObject({
      refusal: "own-card",
    });
  });

  it("refuses the card from its last known off time on", async () => {
    const punter = await makeUser({ coins: 8 });
    const raceDate = dateAt(now());
    const raceCard = await publishRaceCard({
      raceDate,
      races: [
        { raceNumber: 1, raceTime: "13:00" },
        { raceNumber: 2, raceTime: "14:00" },
      ],
    });
    freezeClock(instantAt(raceDate, "13:59"));
    expect(await unlockRaceCardAs(punter.id, raceCard)).toMatchObject({ ok: true });
    const lateBuyer = await makeUser({ coins: 4 });
    freezeClock(instantAt(raceDate, "14:00"));
    expect(await unlockRaceCardAs(lateBuyer.id, raceCard)).toMatchObject({
      refusal: "not-on-sale",
    });
  });

  it.each<[string, string | null, string | null, string]>([
    ["at 18:00 where no off is known", null, null, "18:00"],
    ["at the off time entered by its creator", "14:00", null, "14:00"],
    ["at 18:00 when the entered off time is later", "23:30", null, "18:00"],
    ["at the reported off, before a later entered off time", "23:30", "13:00", "13:00"],
    ["at the reported off, after an earlier entered off time", "12:00", "19:30", "19:30"],
  ])("takes the race card off sale %s", async (_, enteredTime, reportedTime, closes) => {
    const raceDate = dateAt(now());
    const races = [{ raceNumber: 1, raceTime: enteredTime }];
    const { raceCardId, creatorId, venue } = await publishRaceCard({
      raceDate,
      races,
      venue: "fairview",
    });
    if (reportedTime)
      await reportOffTimes(venue.id, raceDate, { firstOff: reportedTime, races: 1 });
    const [earlyBuyer, lateBuyer] = [await makeUser({ coins: 4 }), await makeUser({ coins: 4 })];
    const closesAt = instantAt(raceDate, closes);
    freezeClock(new Date(closesAt.getTime() - 1));
    expect((await findRaceCardOnSale(raceCardId))?.closesAt).toEqual(closesAt);
    expect(await countRaceCardsOnSale(venue.id)).toBe(1);
    expect(await unlockRaceCardAs(earlyBuyer.id, { raceCardId })).toMatchObject({ ok: true });
    freezeClock(closesAt);
    expect(await findRaceCardOnSale(raceCardId)).toBeNull();
    expect(await countRaceCardsOnSale(venue.id)).toBe(0);
    expect(await unlockRaceCardAs(lateBuyer.id, { raceCardId })).toMatchObject({
      refusal: "not-on-sale",
    });
    // Removes the race day, so that the next case starts without one.
    await reportOffTimes(venue.id, raceDate, { races: 0 });
    await suspendCreator((await makeAdmin()).id, creatorId);
  });

  it("refuses the card of a suspended creator", async () => {
    const raceCard = await publishRaceCard();
    const admin = await makeAdmin();
    await suspendCreator(admin.id, raceCard.creatorId);
    const punter = await makeUser({ coins: 4 });
    expect(await unlockRaceCardAs(punter.id, raceCard)).toMatchObject({ refusal: "not-on-sale" });
  });

  it("refuses a card when every race is void", async () => {
    const { raceCardId } = await publishRaceCard();
    const admin = await makeAdmin();
    expect(
      await voidRaceCardAsTwo(admin.id, { raceCardId, reason: "The meeting is abandoned." }),
    ).toMatchObject({ ok: true });
    const punter = await makeUser({ coins: 4 });
    expect(await unlockRaceCardAs(punter.id, { raceCardId })).toMatchObject({
      refusal: "not-on-sale",
    });
    expect(await readWallet(punter.id)).toMatchObject({ balanceCoins: 4 });
  });

  it("counts a race as run from its off, to the millisecond", async () => {
    const raceDate = dateAt(now());
    const raceCard = await publishRaceCard({
      raceDate,
      races: [
        { raceNumber: 1, raceTime: "12:00" },
        { raceNumber: 2, raceTime: "15:00" },
      ],
    });
    const off = instantAt(raceDate, "12:00");
    const punter = await makeUser({ coins: 4 });
    freezeClock(off);
    expect(
      await unlockRaceCardAs(punter.id, { ...raceCard, acknowledgedRacesRun: 0 }),
    ).toMatchObject({
      refusal: "races-run",
      racesRun: 1,
    });
    freezeClock(new Date(off.getTime() - 1));
    expect(
      await unlockRaceCardAs(punter.id, { ...raceCard, acknowledgedRacesRun: 0 }),
    ).toMatchObject({
      ok: true,
    });
  });

  it("refuses until the buyer confirms how many races have been run", async () => {
    const raceDate = dateAt(now());
    const raceCard = await publishRaceCard({
      raceDate,
      races: [
        { raceNumber: 1, raceTime: "12:00" },
        { raceNumber: 2, raceTime: "12:35" },
        { raceNumber: 3, raceTime: "15:00" },
      ],
    });
    freezeClock(instantAt(raceDate, "13:00"));
    const punter = await makeUser({ coins: 4 });
    expect(
      await unlockRaceCardAs(punter.id, { ...raceCard, acknowledgedRacesRun: 1 }),
    ).toMatchObject({
      refusal: "races-run",
      racesRun: 2,
      raceCount: 3,
    });
    expect(
      await unlockRaceCardAs(punter.id, { ...raceCard, acknowledgedRacesRun: 2 }),
    ).toMatchObject({
      ok: true,
    });
  });

  it("refuses a buyer who owes one coin, before checking the balance", async () => {
    const punter = await makeUser();
    await transaction((tx) =>
      postToLedger(tx, "refund", randomUUID(), [
        { account: "owed", owner: punter.id, unit: "coin", amount: -1 },
        { account: "sold", unit: "coin", amount: 1 },
      ]),
    );
    const raceCard = await publishRaceCard();
    expect(await unlockRaceCardAs(punter.id, raceCard)).toMatchObject({ refusal: "owing" });
  });

  it("refuses a frozen wallet, before checking for owed coins", async () => {
    const punter = await makeUser({ coins: 8 });
    const otherUser = await makeUser({ coins: 4 });
    await transaction(async (tx) => {
      await postToLedger(tx, "refund", randomUUID(), [
        { account: "owed", owner: punter.id, unit: "coin", amount: -4 },
        { account: "sold", unit: "coin", amount: 4 },
      ]);
      await setWalletFrozen(tx, punter.id, true);
    });
    const raceCard = await publishRaceCard();
    expect(await unlockRaceCardAs(punter.id, raceCard)).toMatchObject({ refusal: "wallet-frozen" });
    expect(await unlockRaceCardAs(otherUser.id, raceCard)).toMatchObject({ ok: true });
    await transaction((tx) => setWalletFrozen(tx, punter.id, false));
    expect(await unlockRaceCardAs(punter.id, raceCard)).toMatchObject({ refusal: "owing" });
  });

  it("refuses a card that is off sale, before checking for a frozen wallet", async () => {
    const punter = await makeUser({ coins: 8 });
    await transaction((tx) => setWalletFrozen(tx, punter.id, true));
    const raceCard = await publishRaceCard({ raceDate: dateAt(now()) });
    freezeClock(instantAt(raceCard.raceDate, "18:00"));
    expect(await unlockRaceCardAs(punter.id, raceCard)).toMatchObject({ refusal: "not-on-sale" });
  });

  it("refuses a balance that is too low", async () => {
    const punter = await makeUser({ coins: 3 });
    const raceCard = await publishRaceCard();
    expect(await unlockRaceCardAs(punter.id, raceCard)).toMatchObject({
      refusal: "too-few-coins",
      balanceCoins: 3,
    });
    expect(await salesOf(punter.id)).toEqual([]);
  });
});

describe("opening a race card twice", () => {
  it("charges 4 coins once and reports that the card was already open", async () => {
    const punter = await makeUser({ coins: 8 });
    const raceCard = await publishRaceCard();
    await unlockRaceCardAs(punter.id, raceCard);
    expect(await unlockRaceCardAs(punter.id, raceCard)).toMatchObject({
      ok: true,
      isNew: false,
      balanceCoins: 4,
    });
  });

  it("returns the first result for the same idempotency key", async () => {
    const punter = await makeUser({ coins: 8 });
    const raceCard = await publishRaceCard();
    const params = { raceCardId: raceCard.raceCardId, idempotencyKey: "a-lost-answer" };
    const first = await unlockRaceCardAs(punter.id, params);
    expect(await unlockRaceCardAs(punter.id, params)).toEqual(first);
    expect((await readWallet(punter.id)).balanceCoins).toBe(4);
  });

  it("reports that the card was already open for a different idempotency key", async () => {
    const punter = await makeUser({ coins: 8 });
    const { raceCardId } = await publishRaceCard();
    await unlockRaceCardAs(punter.id, { raceCardId, idempotencyKey: "first-request" });
    expect(
      await unlockRaceCardAs(punter.id, { raceCardId, idempotencyKey: "second-request" }),
    ).toMatchObject({ ok: true, isNew: false, balanceCoins: 4 });
  });

  it("works when the card is off sale or its creator suspended", async () => {
    const punter = await makeUser({ coins: 4 });
    const raceCard = await publishRaceCard();
    await unlockRaceCardAs(punter.id, raceCard);
    freezeClock(instantAt(addDays(raceCard.raceDate, 30)));
    const admin = await makeAdmin();
    await suspendCreator(admin.id, raceCard.creatorId);
    expect(await unlockRaceCardAs(punter.id, raceCard)).toMatchObject({ ok: true, isNew: false });
  });
});

describe("opening race cards concurrently", () => {
  it("opens one race card when 200 requests share a wallet of 4 coins", async () => {
    const punter = await makeUser({ coins: 4 });
    const creator = await makeTipster();
    const venue = await findTestVenue();
    const raceCards = await Promise.all(
      Array.from(
        { length: 10 },
        async () => (await publishRaceCard({ venue: venue.slug })).raceCardId,
      ),
    );
    const ownRaceCard = await publishRaceCard({ creatorId: creator.id });
    const results = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        unlockRaceCardAs(punter.id, {
          raceCardId: raceCards[index % 10] ?? ownRaceCard.raceCardId,
        }),
      ),
    );
    const newUnlocks = results.filter((result) => result.ok && result.isNew);
    expect(newUnlocks).toHaveLength(1);
    for (const result of results) if (!result.ok) expect(result.refusal).toBe("too-few-coins");
    expect((await readWallet(punter.id)).balanceCoins).toBe(0);
    expect(await salesOf(punter.id)).toHaveLength(1);
  });

  it("charges once when 200 requests open the same race card", async () => {
    const punter = await makeUser({ coins: 100 });
    const raceCard = await publishRaceCard();
    const results = await Promise.all(
      Array.from({ length: 200 }, () => unlockRaceCardAs(punter.id, raceCard)),
    );
    expect(results.filter((result) => result.ok && result.isNew)).toHaveLength(1);
    expect(results.filter((result) => result.ok && !result.isNew)).toHaveLength(199);
    expect((await readWallet(punter.id)).balanceCoins).toBe(96);
  });

  it("includes a race that is added concurrently, at no extra charge", async () => {
    const creator = await makeTipster();
    const raceCard = await publishRaceCard({ creatorId: creator.id, races: [1, 2] });
    const punters = await Promise.all(Array.from({ length: 12 }, () => makeUser({ coins: 4 })));
    const [, ...results] = await Promise.all([
      publishBatch(creator.id, createBatchInput({ venueId: raceCard.venue.id, races: [3, 4] })),
      ...punters.map((punter) => unlockRaceCardAs(punter.id, raceCard)),
    ]);
    for (const [index, punter] of punters.entries()) {
      expect(results[index]).toMatchObject({ ok: true });
      const [sale] = await salesOf(punter.id);
      expect([2, 4]).toContain(sale.tip_ids.length);
      const tips = (await readOpenedTips(punter.id, [raceCard.raceCardId])).get(
        raceCard.raceCardId,
      );
      expect(tips?.map((tip) => tip.raceNumber)).toEqual([1, 2, 3, 4]);
    }
  });
});

describe("an opened card", () => {
  it("includes a tip hidden after the sale, but not one hidden before it", async () => {
    const admin = await makeAdmin();
    const raceCard = await publishRaceCard({ races: [1, 2, 3] });
    const { rows } = await pool().query(
      "select id from tips where race_card_id = $1 order by race_number",
      [raceCard.raceCardId],
    );
    const tipIds = rows.map((row) => row.id);
    await hideTip(admin.id, tipIds[0]);
    freezeClock(new Date(MORNING.getTime() + 60_000));
    const punter = await makeUser({ coins: 4 });
    expect(await unlockRaceCardAs(punter.id, raceCard)).toMatchObject({ ok: true, raceCount: 2 });
    freezeClock(new Date(MORNING.getTime() + 120_000));
    await hideTip(admin.id, tipIds[1]);
    const tips = (await readOpenedTips(punter.id, [raceCard.raceCardId])).get(raceCard.raceCardId);
    expect(tips?.map((tip) => tip.raceNumber)).toEqual([2, 3]);
  });

  it("cannot be read by other users", async () => {
    const punter = await makeUser({ coins: 4 });
    const otherUser = await makeUser({ coins: 4 });
    const raceCard = await publishRaceCard();
    await unlockRaceCardAs(punter.id, raceCard);
    expect(await readOpenedTips(otherUser.id, [raceCard.raceCardId])).toEqual(new Map());
    expect((await readOpenedCards(otherUser.id)).cards).toEqual([]);
  });
});

describe("a sale to a buyer with welcome coins", () => {
  it.each<[string, { isSameCreator: boolean; hasDeal: boolean; afterMs: number }, string | null]>([
    ["held", { isSameCreator: true, hasDeal: true, afterMs: 30 * DAY_MS - 1 }, "guest-deal-repeat"],
    ["not held", { isSameCreator: true, hasDeal: true, afterMs: 30 * DAY_MS }, null],
    ["not held", { isSameCreator: false, hasDeal: true, afterMs: 1 }, null],
    ["not held", { isSameCreator: true, hasDeal: false, afterMs: 1 }, null],
  ])("is %s for review with %j", async (_, { isSameCreator, hasDeal, afterMs }, heldReason) => {
    const [creator, otherCreator] = [await makeTipster(), await makeTipster()];
    const punter = await makeUser({ coins: 8 });
    if (hasDeal) await transaction((tx) => markGuestDeal(tx, punter.id));
    const first = await publishRaceCard({ creatorId: creator.id });
    await unlockRaceCardAs(punter.id, first);
    freezeClock(new Date(MORNING.getTime() + afterMs));
    const second = await publishRaceCard({
      creatorId: (isSameCreator ? creator : otherCreator).id,
      venue: "vaal",
    });
    expect(await unlockRaceCardAs(punter.id, second)).toMatchObject({ ok: true });
    expect((await salesOf(punter.id)).map((sale) => sale.held_reason)).toEqual([null, heldReason]);
  });

  it("is not held because another buyer opened a race card of the same creator", async () => {
    const { raceCardId } = await publishRaceCard();
    const [earlierBuyer, punter] = [await makeUser({ coins: 4 }), await makeUser({ coins: 4 })];
    for (const { id } of [earlierBuyer, punter]) {
      await transaction((tx) => markGuestDeal(tx, id));
      await unlockRaceCardAs(id, { raceCardId });
    }
    expect((await salesOf(punter.id)).map((sale) => sale.held_reason)).toEqual([null]);
  });
});

describe("selling to a guest who has paid", () => {
  it("opens a race card that is off sale until its race date ends", async () => {
    const raceDate = dateAt(now());
    const raceCard = await publishRaceCard({ raceDate });
    const params = { raceCardId: raceCard.raceCardId, orderedAt: now() };
    const [earlyBuyer, lateBuyer] = [await makeUser({ coins: 4 }), await makeUser({ coins: 4 })];
    freezeClock(instantAt(raceDate, "23:59"));
    expect(
      await transaction((tx) => unlockRaceCardForGuest(tx, { userId: earlyBuyer.id, ...params })),
    ).toMatchObject({ ok: true });
    freezeClock(instantAt(addDays(raceDate, 1)));
    expect(
      await transaction((tx) => unlockRaceCardForGuest(tx, { userId: lateBuyer.id, ...params })),
    ).toMatchObject({ refusal: "not-on-sale" });
  });

  it("holds a second sale of the same creator for review after welcome coins", async () => {
    const creator = await makeTipster();
    const raceCards = [
      await publishRaceCard({ creatorId: creator.id }),
      await publishRaceCard({ creatorId: creator.id, venue: "vaal" }),
    ];
    const punter = await makeUser({ coins: 8 });
    await transaction((tx) => markGuestDeal(tx, punter.id));
    for (const raceCard of raceCards) await unlockRaceCardAs(punter.id, raceCard);
    expect((await salesOf(punter.id)).map((sale) => sale.held_reason)).toEqual([
      null,
      "guest-deal-repeat",
    ]);
  });
});
