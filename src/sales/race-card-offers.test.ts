import { randomUUID } from "node:crypto";
import type { PoolClient } from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { suspendCreator } from "#creators/suspension.server.ts";
import { instantAt } from "#domain/calendar.ts";
import { returnCoins } from "#payments/payments.server.ts";
import { freezeClock } from "#platform/clock.server.ts";
import { pool } from "#platform/database.server.ts";
import { drainQueue } from "#platform/queue.server.ts";
import { importRaceDays, previewRaceDayImport } from "#racing/import/import-race-days.server.ts";
import { enterTipResultAsTwo, voidRaceCardAsTwo } from "#test/admin-results.ts";
import {
  createBatchInput,
  makeAdmin,
  makeTipster,
  makeUser,
  type Person,
  publishRaceCard,
  reportOffTimes,
  reportRaceDay,
} from "#test/factories.ts";
import { expectInvariantsToHold } from "#test/integrity-checks.ts";
import { waitForLockWaiters } from "#test/locks.ts";
import { deleteTip, hideTip, showTip } from "#tips/tip-visibility.server.ts";
import { publishBatch } from "#tips/tips.server.ts";
import { unlockRaceCardAs } from "./unlock-race-card.server.ts";

const RACE_DATE = "2026-11-21";
const MORNING = instantAt(RACE_DATE, "08:00");
const reason = "Abandoned";

let admin: Person;
beforeEach(async () => {
  freezeClock(MORNING);
  admin = await makeAdmin();
});
afterEach(async () => {
  await drainQueue([returnCoins]);
  await expectInvariantsToHold();
  freezeClock(null);
});

async function publishedCard({
  races = [1, 2, 3],
  venue = "kenilworth",
  creatorId,
}: {
  races?: number[];
  venue?: string;
  creatorId?: string;
} = {}) {
  const card = await publishRaceCard({
    creatorId: creatorId ?? (await makeTipster()).id,
    raceDate: RACE_DATE,
    venue,
    races: races.map((raceNumber) => ({ raceNumber, raceTime: `1${raceNumber}:00` })),
  });
  const { rows } = await pool().query<{ id: string }>(
    "select id from tips where race_card_id = $1 order by race_number",
    [card.raceCardId],
  );
  return { ...card, tipIds: rows.map((row) => row.id) };
}

async function readOffer(raceCardId: string) {
  const { rows } = await pool().query<{
    tip_ids: string[];
    off_times: Date[];
    closes_at: Date;
    is_suspended: boolean;
  }>("select * from race_card_offers where race_card_id = $1", [raceCardId]);
  if (!rows[0]) throw new Error("the race card has no offer");
  return rows[0];
}

/** Reports the off times of races by number. */
async function reportRaces(
  venueId: string,
  times: Readonly<Record<number, string>>,
  name?: string,
): Promise<void> {
  await reportRaceDay(
    venueId,
    RACE_DATE,
    Object.entries(times).map(([raceNumber, time]) => ({
      raceNumber: Number(raceNumber),
      time,
      name,
    })),
  );
}

async function readLateness(raceCardId: string): Promise<boolean[]> {
  const { rows } = await pool().query<{ is_late: boolean }>(
    "select is_late from tips where race_card_id = $1 order by race_number",
    [raceCardId],
  );
  return rows.map((row) => row.is_late);
}

/** Runs the callback on a separate connection, inside a transaction that is committed at the end. */
async function inTransaction<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool().connect();
  try {
    await client.query("begin");
    const result = await work(client);
    await client.query("commit");
    return result;
  } catch (error) {
    await client.query("rollback");
    throw error;
  } finally {
    client.release();
  }
}

const at = (time: string) => instantAt(RACE_DATE, time);
type Card = Awaited<ReturnType<typeof publishedCard>>;

describe("the offer of a race card", () => {
  it("contains the tips and off times as published, and races that are added later", async () => {
    const card = await publishedCard({ races: [1, 3] });
    expect(await readOffer(card.raceCardId)).toMatchObject({
      tip_ids: card.tipIds,
      off_times: [at("11:00"), at("13:00")],
      closes_at: at("13:00"),
      is_suspended: false,
    });
    await publishBatch(
      card.creatorId,
      createBatchInput({ venueId: card.venue.id, raceDate: RACE_DATE, races: [2] }),
    );
    const { tip_ids: tipIds } = await readOffer(card.raceCardId);
    expect(tipIds).toHaveLength(3);
    expect([tipIds[0], tipIds[2]]).toEqual(card.tipIds);
  });

  it("loses a hidden, deleted or void tip and regains a restored one", async () => {
    const card = await publishedCard();
    const [first = "", second = "", third = ""] = card.tipIds;
    await hideTip(admin.id, first);
    expect(await readOffer(card.raceCardId)).toMatchObject({
      tip_ids: [second, third],
      off_times: [at("12:00"), at("13:00")],
    });
    await showTip(admin.id, first);
    await deleteTip(admin.id, third);
    expect(await readOffer(card.raceCardId)).toMatchObject({
      tip_ids: [first, second],
      closes_at: at("12:00"),
    });
    await enterTipResultAsTwo(admin.id, { tipId: second, result: "void", reason });
    expect(await readOffer(card.raceCardId)).toMatchObject({ tip_ids: [first] });
    freezeClock(at("19:00"));
    await enterTipResultAsTwo(admin.id, { tipId: second, result: "won", reason });
    expect(await readOffer(card.raceCardId)).toMatchObject({ tip_ids: [first, second] });
  });

  it("follows reported off times, also when a report is changed or withdrawn", async () => {
    const card = await publishedCard({ venue: "fairview" });
    await reportOffTimes(card.venue.id, RACE_DATE, { firstOff: "14:00", races: 3 });
    expect(await readOffer(card.raceCardId)).toMatchObject({
      off_times: [at("14:00"), at("14:35"), at("15:10")],
      closes_at: at("15:10"),
    });
    await reportOffTimes(card.venue.id, RACE_DATE, { firstOff: "10:00", races: 3 });
    expect(await readOffer(card.raceCardId)).toMatchObject({ closes_at: at("11:10") });
    await reportOffTimes(card.venue.id, RACE_DATE, { races: 0 });
    expect(await readOffer(card.raceCardId)).toMatchObject({ closes_at: at("13:00") });
  });

  it("follows races of a report that are changed, added and removed, each alone and together", async () => {
    const card = await publishedCard({ venue: "vaal" });
    const steps: [times: Record<number, string>, off: string[], late: boolean[], closes: string][] =
      [
        [{ 1: "14:00", 2: "14:30" }, ["13:00", "14:00", "14:30"], [false, false, false], "14:30"],
        [{ 1: "07:00", 2: "14:30" }, ["07:00", "13:00", "14:30"], [true, false, false], "14:30"],
        [
          { 1: "07:00", 2: "14:30", 3: "15:00" },
          ["07:00", "14:30", "15:00"],
          [true, false, false],
          "15:00",
        ],
        [{ 2: "14:30", 3: "15:00" }, ["11:00", "14:30", "15:00"], [false, false, false], "15:00"],
        [{ 1: "07:00", 3: "14:10" }, ["07:00", "12:00", "14:10"], [true, false, false], "14:10"],
        [{}, ["11:00", "12:00", "13:00"], [false, false, false], "13:00"],
      ];
    for (const [times, offTimes, late, closesAt] of steps) {
      await reportRaces(card.venue.id, times);
      expect(await readOffer(card.raceCardId)).toMatchObject({
        off_times: offTimes.map(at),
        closes_at: at(closesAt),
      });
      expect(await readLateness(card.raceCardId)).toEqual(late);
      await expectInvariantsToHold();
    }
  });

  it("follows a race whose number changes in the database", async () => {
    const card = await publishedCard({ venue: "vaal" });
    await reportRaces(card.venue.id, { 1: "07:00" });
    await pool().query(
      `update races set race_number = 2 where race_day_id =
        (select id from race_days where venue_id = $1 and race_date = $2)`,
      [card.venue.id, RACE_DATE],
    );
    expect(await readOffer(card.raceCardId)).toMatchObject({
      off_times: [at("07:00"), at("11:00"), at("13:00")],
    });
    expect(await readLateness(card.raceCardId)).toEqual([false, true, false]);
    await expectInvariantsToHold();
    await reportRaces(card.venue.id, {});
  });

  it("is not written when a race only gets a name", async () => {
    const card = await publishedCard({ venue: "vaal" });
    await reportRaces(card.venue.id, { 1: "14:00" });
    const readOfferLocks = async () =>
      (await readRowLocks(card)).map(({ venue: _, ...locks }) => locks);
    const before = await readOfferLocks();
    await reportRaces(card.venue.id, { 1: "14:00" }, "Maiden Plate");
    expect(await readOfferLocks()).toEqual(before);
    await reportRaces(card.venue.id, {});
  });

  it("is correct after two race days, results and unlocks arrive together", async () => {
    const creator = await makeTipster();
    const cards = await Promise.all(
      ["vaal", "fairview"].map((venue) => publishedCard({ venue, creatorId: creator.id })),
    );
    const buyers = await Promise.all(Array.from({ length: 20 }, () => makeUser({ coins: 8 })));
    const times = { 1: "07:00", 2: "07:10", 3: "07:20" };
    const rows = cards.flatMap(({ venue }) =>
      Object.entries(times).map(([race, off]) => `${RACE_DATE},${venue.id},${race},${off},test`),
    );
    const file = ["date,venue,race,off,source", ...rows].join("\n");
    const preview = await previewRaceDayImport(admin.id, file);
    if (!preview.ok) throw new Error(preview.problems.join());
    const unlock = (card: Card) => buyers.map((buyer) => unlockRaceCardAs(buyer.id, card));
    const [imported] = await Promise.all([
      importRaceDays(admin.id, file, preview.preview.digest),
      ...cards.flatMap((card) => [
        ...unlock(card),
        ...card.tipIds.map((tipId) =>
          enterTipResultAsTwo(admin.id, { tipId, result: "won", reason }),
        ),
      ]),
    ]);
    expect(imported).toMatchObject({ ok: true });
    for (const card of cards) {
      expect(await readOffer(card.raceCardId)).toMatchObject({
        off_times: Object.values(times).map(at),
        closes_at: at("07:20"),
      });
      expect(await readLateness(card.raceCardId)).toEqual([true, true, true]);
      const late = await makeUser({ coins: 4 });
      expect(await unlockRaceCardAs(late.id, card)).toMatchObject({ refusal: "not-on-sale" });
    }
    await expectInvariantsToHold();
    for (const { venue } of cards) await reportRaces(venue.id, {});
  });

  it("is suspended and reinstated with its creator", async () => {
    const card = await publishedCard();
    const other = await publishedCard();
    await suspendCreator(admin.id, card.creatorId);
    expect(await readOffer(card.raceCardId)).toMatchObject({ is_suspended: true });
    expect(await readOffer(other.raceCardId)).toMatchObject({ is_suspended: false });
    await pool().query("update creators set suspended_at = null where user_id = $1", [
      card.creatorId,
    ]);
    expect(await readOffer(card.raceCardId)).toMatchObject({ is_suspended: false });
  });

  it("includes both changes of two transactions that overlap", async () => {
    const card = await publishedCard();
    const [first = "", second = "", third = ""] = card.tipIds;
    const hide = "update tips set hidden_at = $2 where id = $1";
    let other: Promise<unknown> | undefined;
    await inTransaction(async (client) => {
      await client.query(hide, [first, MORNING]);
      other = inTransaction((otherClient) => otherClient.query(hide, [second, MORNING]));
      await waitForLockWaiters(1);
    });
    await other;
    expect((await readOffer(card.raceCardId)).tip_ids).toEqual([third]);
  });
});

const CLOSERS: [string, (card: Card) => Promise<unknown>][] = [
  ["hidden", (card) => Promise.all(card.tipIds.map((tipId) => hideTip(admin.id, tipId)))],
  ["declared void", (card) => voidRaceCardAsTwo(admin.id, { raceCardId: card.raceCardId, reason })],
  ["suspended", (card) => suspendCreator(admin.id, card.creatorId)],
  [
    "closed by a report",
    (card) => reportOffTimes(card.venue.id, RACE_DATE, { firstOff: "06:00", races: 3 }),
  ],
];

describe("an unlock and a change of the race card at the same time", () => {
  it.each(CLOSERS)("is refused when the card is %s while it waits", async (_, close) => {
    const card = await publishedCard({ venue: "greyville" });
    const buyer = await makeUser({ coins: 4 });
    let unlock: ReturnType<typeof unlockRaceCardAs> | undefined;
    await inTransaction(async (client) => {
      await client.query("select from wallets where user_id = $1 for update", [buyer.id]);
      unlock = unlockRaceCardAs(buyer.id, card);
      await waitForLockWaiters(1);
      await close(card);
    });
    expect(await unlock).toMatchObject({ ok: false, refusal: "not-on-sale", balanceCoins: 4 });
    await reportOffTimes(card.venue.id, RACE_DATE, { races: 0 });
  });

  it.each(CLOSERS)("never sells a card after it was %s", async (_, close) => {
    const card = await publishedCard({ venue: "greyville" });
    const buyers = await Promise.all(Array.from({ length: 30 }, () => makeUser({ coins: 4 })));
    const closing = close(card);
    const early = buyers.slice(0, 15).map((buyer) => unlockRaceCardAs(buyer.id, card));
    await closing;
    const late = buyers.slice(15).map((buyer) => unlockRaceCardAs(buyer.id, card));
    for (const result of await Promise.all(late))
      expect(result).toMatchObject({ ok: false, refusal: "not-on-sale" });
    await Promise.all(early);
    await reportOffTimes(card.venue.id, RACE_DATE, { races: 0 });
  });

  it("does not wait for a change that has not been committed", async () => {
    const card = await publishedCard();
    const buyer = await makeUser({ coins: 4 });
    await inTransaction(async (client) => {
      await client.query("update tips set hidden_at = $2 where id = $1", [card.tipIds[0], MORNING]);
      expect(await unlockRaceCardAs(buyer.id, card)).toMatchObject({ ok: true, raceCount: 3 });
    });
  });
});

/** Returns the last transaction that locked or changed each row that the buyers of a card share. */
async function readRowLocks({ raceCardId }: Card) {
  const { rows } = await pool().query(
    `select c.xmax::text as card, o.xmax::text as offer, o.ctid::text as offer_version,
       k.xmax::text as creator, v.xmax::text as venue, u.xmax::text as creator_user,
       w.xmax::text as creator_wallet
     from race_cards c join race_card_offers o on o.race_card_id = c.id
     join creators k on k.user_id = c.creator_id join venues v on v.id = c.venue_id
     join users u on u.id = c.creator_id join wallets w on w.user_id = c.creator_id
     where c.id = $1`,
    [raceCardId],
  );
  return rows;
}

describe("two buyers of one race card", () => {
  it("do not wait for each other and write to no row that both use", async () => {
    const card = await publishedCard();
    const [one, other] = [await makeUser({ coins: 4 }), await makeUser({ coins: 4 })];
    const before = await readRowLocks(card);
    await inTransaction(async (client) => {
      const { rows } = await client.query(
        "select outcome from unlock_race_card($1, $2, null, $3)",
        [one.id, card.raceCardId, MORNING],
      );
      expect(rows).toEqual([{ outcome: "opened" }]);
      expect(await unlockRaceCardAs(other.id, card)).toMatchObject({ ok: true, isNew: true });
    });
    expect(await readRowLocks(card)).toEqual(before);
  });
});

describe("a sale in the database", () => {
  it.each([
    ["of an unknown race card", { race_card_id: randomUUID() }],
    ["of another creator's race card", { creator_id: randomUUID() }],
  ])("%s is refused", async (_, changes) => {
    const card = await publishedCard();
    const [buyer, other] = [await makeUser({ coins: 4 }), await makeUser()];
    await unlockRaceCardAs(buyer.id, card);
    const copy = pool().query(
      `insert into sales overriding system value
       select (jsonb_populate_record(s, $2::jsonb || jsonb_build_object('id', s.id + 1000000))).*
       from sales s where s.buyer_id = $1`,
      [buyer.id, { buyer_id: other.id, ...changes }],
    );
    await expect(copy).rejects.toMatchObject({ constraint: "sales_race_card" });
  });
});
