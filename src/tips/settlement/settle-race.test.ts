import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findCreator } from "#creators/creators.server.ts";
import { addDays, instantAt } from "#domain/calendar.ts";
import type { Surface } from "#domain/race-day.ts";
import { freezeClock } from "#platform/clock.server.ts";
import { pool, transaction } from "#platform/database.server.ts";
import { setTipResultAsTwo, voidAllTipsAsTwo } from "#test/admin-results.ts";
import { createSender } from "#test/app.ts";
import {
  createBatchInput,
  findTestVenue,
  makeAdmin,
  makeTipster,
  type Person,
  publishRaceCard,
  type RaceToPublish,
  reportRaceDay,
} from "#test/factories.ts";
import { expectInvariantsToHold } from "#test/integrity-checks.ts";
import { waitForLockWaiters } from "#test/locks.ts";
import { markResult } from "../mark-results.server.ts";
import { publishBatch } from "../publishing/publish-batch.server.ts";
import { readVoidRaceCards } from "../set-tip-result.server.ts";
import { countMovedTips, type ResultVersion, settleRace } from "./settle-race.server.ts";

const HORSES = ["Harbour Light", "Sea Mist", "Karoo Wind", "Blue Crane", "Protea Queen", "Fynbos"];

// Results are not deleted, so each test uses a separate day.
let raceDate = "2028-03-01";
let venueId: string;
let raceDayId: string;
let admins: [Person, Person];
beforeEach(async () => {
  raceDate = addDays(raceDate, 1);
  freezeClock(instantAt(raceDate, "07:00"));
  venueId = (await findTestVenue("scottsville")).id;
  admins = [await makeAdmin(), await makeAdmin("Pieter Botha")];
  raceDayId = await reportRaces();
});
afterEach(async () => {
  await expectInvariantsToHold();
  freezeClock(null);
});

/** Reports races 1 to 3 with six runners each, and race 4 without runners. Returns the race day's id. */
async function reportRaces({ surface = "turf" as Surface } = {}): Promise<string> {
  const runners = HORSES.map((horseName, index) => ({
    number: index + 1,
    horseName,
    jockey: null,
    trainer: null,
    draw: null,
    isScratched: false,
  }));
  await reportRaceDay(
    venueId,
    raceDate,
    [1, 2, 3, 4].map((raceNumber) => ({
      raceNumber,
      time: `1${raceNumber + 1}:00`,
      surface,
      runners: raceNumber === 4 ? [] : runners,
    })),
  );
  const { rows } = await pool().query(
    "select id from race_days where venue_id = $1 and race_date = $2",
    [venueId, raceDate],
  );
  return rows[0].id;
}

type TestResult = {
  raceNumber?: number;
  version?: number;
  status?: "official" | "abandoned" | "void";
  /** The numbers of the horses in the order in which they finish; an array for a dead heat. */
  order?: (number | number[])[];
  nonRunners?: number[];
  /** The names of the runners, by number; null for a result from before names were entered. */
  names?: (string | null)[];
  /** True if no runners were declared. */
  hasEnteredNames?: boolean;
  isConfirmed?: boolean;
  /** The actual off. */
  off?: string;
};

/** Stores a version of a race's result, with a starting price of 5/1 for each horse. */
async function storeResult({
  raceNumber = 1,
  version = 1,
  status = "official",
  order = [1, 2, 3, 4, 5, 6],
  nonRunners = [],
  names = HORSES,
  hasEnteredNames = false,
  isConfirmed = true,
  off = "12:00",
}: TestResult = {}): Promise<ResultVersion> {
  const race = [raceDayId, raceNumber, version];
  const isRun = status === "official";
  const starters = HORSES.length - nonRunners.length;
  await pool().query(
    `insert into race_results (race_day_id, race_number, version, status, off_at, starters, places_paid,
       source, via, entered_by, entered_at, reason, has_entered_names)
     values ($1, $2, $3, $4, $5, $6, $7, 'test', 'form', $8, now(), $9, $10)`,
    [
      ...race,
      status,
      isRun ? instantAt(raceDate, off) : null,
      isRun ? starters : null,
      isRun ? 2 : 0,
      admins[0].id,
      version === 1 ? "" : "Wrong order",
      isRun && hasEnteredNames,
    ],
  );
  let position = 1;
  for (const place of isRun ? order : []) {
    const numbers = [place].flat();
    for (const number of numbers)
      await pool().query(
        `insert into result_runners (race_day_id, race_number, version, number, horse_name, outcome,
           position, starting_price_numerator, starting_price_denominator)
         values ($1, $2, $3, $4, $5, 'finished', $6, 5, 1)`,
        [...race, number, names[number - 1] ?? null, position],
      );
    position += numbers.length;
  }
  for (const number of nonRunners)
    await pool().query(
      `insert into result_runners (race_day_id, race_number, version, number, horse_name, outcome)
       values ($1, $2, $3, $4, $5, 'non-runner')`,
      [...race, number, HORSES[number - 1]],
    );
  if (isConfirmed) await confirm({ raceDayId, raceNumber, version });
  return { raceDayId, raceNumber, version };
}

/** Stores a result of race 4, which has no declared runners: the names of the placed horses were entered. */
const storeUndeclared = (result: TestResult = {}) =>
  storeResult({ raceNumber: 4, names: HORSES.slice(0, 2), hasEnteredNames: true, ...result });

async function confirm(
  { raceNumber, version }: ResultVersion,
  confirmedBy = admins[1].id,
): Promise<void> {
  await pool().query(
    `update race_results set confirmed_by = $4, confirmed_at = now(),
       is_entered_by_one_person = entered_by = $4
     where race_day_id = $1 and race_number = $2 and version = $3`,
    [raceDayId, raceNumber, version, confirmedBy],
  );
}

/** Settles a race with the race locked, as the confirmation of its result does. */
function settle(race: ResultVersion) {
  return transaction(async (tx) => {
    await tx.execute(
      `select from races where race_day_id = '${race.raceDayId}'
         and race_number = ${race.raceNumber} for no key update`,
    );
    return await settleRace(tx, race);
  });
}

/** Returns which of these race cards are recorded as void. */
function listVoid(...cards: { raceCardId: string }[]): Promise<string[]> {
  const raceCardIds = cards.map(({ raceCardId }) => raceCardId);
  return transaction((tx) => readVoidRaceCards(tx, raceCardIds));
}

function voidTip(tipId: string) {
  return transaction((tx) =>
    setTipResultAsTwo(tx, { tipId, result: "void", reason: "Non-runner", actorId: admins[0].id }),
  );
}

/** Publishes a race card for this day, with tips to win on horse 1 unless stated otherwise. */
function publish(...races: RaceToPublish[]) {
  return publishAs(undefined, ...races);
}

async function publishAs(creatorId: string | undefined, ...races: RaceToPublish[]) {
  const card = await publishRaceCard({
    creatorId,
    venue: "scottsville",
    raceDate,
    races: races.map((race) => ({
      horseNumber: 1,
      tipType: "win",
      ...race,
      horseName: race.horseName ?? HORSES[(race.horseNumber ?? 1) - 1],
    })),
  });
  const { rows } = await pool().query<{ id: string }>(
    "select id from tips where race_card_id = $1 order by race_number",
    [card.raceCardId],
  );
  return { ...card, tipIds: rows.map((row) => row.id) as [string, string, string] };
}

async function readTip(tipId: string) {
  const { rows } = await pool().query(
    `select t.result, t.is_claim, t.claimed_result, t.settlement_version, t.settled_by,
       n.tips, n.settled, n.won
     from tips t join race_cards c on c.id = t.race_card_id
     join creator_records n on n.creator_id = c.creator_id where t.id = $1`,
    [tipId],
  );
  return rows[0];
}

async function readSettlements(tipId: string) {
  const { rows } = await pool().query(
    `select version, rules, outcome, void_reason, position, dead_heat_count, win_stake_cents,
       win_starting_price_return_cents, win_tote_return_cents, place_stake_cents,
       place_tote_return_cents
     from tip_settlements where tip_id = $1 order by version`,
    [tipId],
  );
  return rows;
}

describe("settleRace", () => {
  it("settles every tip of the race, hidden ones too, and updates the records", async () => {
    const winner = await publish({ raceNumber: 1 }, { raceNumber: 2 });
    const placed = await publish({ raceNumber: 1, horseNumber: 2, tipType: "each-way" });
    const loser = await publish({ raceNumber: 1, horseNumber: 3 });
    await pool().query("update tips set hidden_at = now() where id = $1", [loser.tipIds[0]]);
    freezeClock(instantAt(raceDate, "12:30"));
    const outcome = await settle(await storeResult());
    expect(outcome.tipIds.toSorted()).toEqual(
      [winner.tipIds[0], placed.tipIds[0], loser.tipIds[0]].toSorted(),
    );
    expect(outcome).toMatchObject({ newlyVoidTipIds: [], restoredTipIds: [] });
    expect(await listVoid(winner, placed, loser)).toEqual([]);
    const official = { is_claim: false, settlement_version: 1, settled_by: admins[1].id };
    expect(await readTip(winner.tipIds[0])).toMatchObject({
      ...official,
      result: "won",
      tips: 2,
      settled: 1,
      won: 1,
    });
    expect(await readTip(placed.tipIds[0])).toMatchObject({ ...official, result: "won", won: 1 });
    expect(await readTip(loser.tipIds[0])).toMatchObject({
      ...official,
      result: "lost",
      settled: 1,
      won: 0,
    });
    expect(await readTip(winner.tipIds[1])).toMatchObject({ result: null });
    expect(await readSettlements(winner.tipIds[0])).toEqual([
      {
        version: 1,
        rules: "2026-12",
        outcome: "won",
        void_reason: null,
        position: 1,
        dead_heat_count: 1,
        win_stake_cents: 1000,
        win_starting_price_return_cents: 6000,
        win_tote_return_cents: null,
        place_stake_cents: null,
        place_tote_return_cents: null,
      },
    ]);
    expect(await readSettlements(placed.tipIds[0])).toMatchObject([
      { outcome: "placed", position: 2, win_stake_cents: 500, place_stake_cents: 500 },
    ]);
  });

  it("stores the number of horses in a dead heat and the reduced return", async () => {
    const card = await publish({ raceNumber: 1 });
    await settle(await storeResult({ order: [[1, 2], 3, 4, 5, 6] }));
    expect(await readSettlements(card.tipIds[0])).toMatchObject([
      { outcome: "won", dead_heat_count: 2, win_starting_price_return_cents: 3000 },
    ]);
  });

  it("settles a late tip without counting it", async () => {
    const card = await publish({ raceNumber: 1 });
    await settle(await storeResult({ off: "06:30" }));
    expect(await readTip(card.tipIds[0])).toMatchObject({ result: "won", settled: 0, won: 0 });
  });

  it("replaces a claim and keeps it next to the official result", async () => {
    const card = await publish({ raceNumber: 1, horseNumber: 3 });
    freezeClock(instantAt(raceDate, "12:30"));
    await markResult(card.creatorId, { tipId: card.tipIds[0], result: "won" });
    expect(await readTip(card.tipIds[0])).toMatchObject({
      result: "won",
      is_claim: true,
      claimed_result: "won",
      settlement_version: null,
      settled: 0,
      won: 0,
    });
    await settle(await storeResult());
    expect(await readTip(card.tipIds[0])).toMatchObject({
      result: "lost",
      is_claim: false,
      claimed_result: "won",
      settlement_version: 1,
      settled: 1,
      won: 0,
    });
    const { rows } = await pool().query(
      "select result, actor_id, reason from result_entries where tip_id = $1 order by id",
      [card.tipIds[0]],
    );
    expect(rows).toEqual([
      { result: "won", actor_id: card.creatorId, reason: "" },
      { result: "lost", actor_id: admins[1].id, reason: "Official result" },
    ]);
  });

  it("voids a tip on a non-runner, and records a race card that becomes void", async () => {
    const one = await publish({ raceNumber: 1, horseNumber: 4 });
    const two = await publish({ raceNumber: 1, horseNumber: 4 }, { raceNumber: 2 });
    const outcome = await settle(await storeResult({ order: [1, 2, 3, 5, 6], nonRunners: [4] }));
    expect(outcome.newlyVoidTipIds.toSorted()).toEqual([one.tipIds[0], two.tipIds[0]].toSorted());
    expect(await listVoid(one, two)).toEqual([one.raceCardId]);
    expect(await readTip(one.tipIds[0])).toMatchObject({ result: "void", tips: 0 });
    expect(await readTip(two.tipIds[0])).toMatchObject({ result: "void", tips: 1 });
    expect(await readSettlements(one.tipIds[0])).toMatchObject([
      { outcome: "void", void_reason: "non-runner", win_stake_cents: null },
    ]);
    const { rows } = await pool().query(
      "select cardinality(tip_ids) as count from race_card_offers where race_card_id = $1",
      [two.raceCardId],
    );
    expect(rows).toEqual([{ count: 1 }]);
  });

  it.each(["abandoned", "void"] as const)(
    "voids every tip of a race that is %s",
    async (status) => {
      const card = await publish({ raceNumber: 1 }, { raceNumber: 4, horseName: "Undeclared" });
      await settle(await storeResult({ status }));
      await settle(await storeResult({ raceNumber: 4, status }));
      for (const tipId of card.tipIds)
        expect(await readTip(tipId)).toMatchObject({ result: "void", settlement_version: 1 });
    },
  );

  it("voids a tip that was published before the race moved to another surface", async () => {
    const before = await publish({ raceNumber: 1 });
    freezeClock(instantAt(raceDate, "08:00"));
    await reportRaces({ surface: "polytrack" });
    freezeClock(instantAt(raceDate, "09:00"));
    const after = await publish({ raceNumber: 1 });
    await settle(await storeResult());
    expect(await readSettlements(before.tipIds[0])).toMatchObject([
      { outcome: "void", void_reason: "moved-surface" },
    ]);
    expect(await readSettlements(after.tipIds[0])).toMatchObject([{ outcome: "won" }]);
  });

  it("voids a tip from before a change of surface even without declared runners", async () => {
    const before = await publish({ raceNumber: 4, horseName: "Undeclared" });
    freezeClock(instantAt(raceDate, "08:00"));
    await reportRaces({ surface: "polytrack" });
    freezeClock(instantAt(raceDate, "09:00"));
    const after = await publish({ raceNumber: 4, horseNumber: 9, horseName: "Undeclared" });
    const race = { raceDayId, venueId, raceDate, raceNumber: 4 };
    expect(await countMovedTips(race)).toBe(1);
    const outcome = await settle(await storeUndeclared());
    expect({ ...outcome, tipIds: outcome.tipIds.toSorted() }).toEqual({
      tipIds: [...before.tipIds, ...after.tipIds].toSorted(),
      changes: expect.arrayContaining([
        { from: null, to: "void", count: 1 },
        { from: null, to: "lost", count: 1 },
      ]),
      newlyVoidTipIds: before.tipIds,
      restoredTipIds: [],
    });
    expect(await listVoid(before, after)).toEqual([before.raceCardId]);
    expect(await readSettlements(before.tipIds[0])).toMatchObject([
      { outcome: "void", void_reason: "moved-surface" },
    ]);
    expect(await readTip(after.tipIds[0])).toMatchObject({ result: "lost" });
    expect(await countMovedTips(race)).toBe(0);
  });

  it("keeps a tip when the race moved to another surface and back", async () => {
    const card = await publish({ raceNumber: 1 });
    freezeClock(instantAt(raceDate, "08:00"));
    await reportRaces({ surface: "polytrack" });
    freezeClock(instantAt(raceDate, "09:00"));
    await reportRaces({ surface: "turf" });
    await settle(await storeResult());
    expect(await readTip(card.tipIds[0])).toMatchObject({ result: "won" });
  });

  it("settles by a correction as the next version and keeps the first settlement", async () => {
    const card = await publish({ raceNumber: 1 }, { raceNumber: 2 });
    await settle(await storeResult());
    const outcome = await settle(await storeResult({ version: 2, order: [2, 1, 3, 4, 5, 6] }));
    expect(outcome.tipIds).toEqual([card.tipIds[0]]);
    expect(await readTip(card.tipIds[0])).toMatchObject({
      result: "lost",
      settlement_version: 2,
      settled: 1,
      won: 0,
    });
    expect(await readSettlements(card.tipIds[0])).toMatchObject([
      { version: 1, outcome: "won" },
      { version: 2, outcome: "lost" },
    ]);
  });

  it("reports the tips that a correction restores", async () => {
    const card = await publish({ raceNumber: 1 }, { raceNumber: 2 });
    await settle(await storeResult({ status: "abandoned" }));
    const outcome = await settle(await storeResult({ version: 2 }));
    expect(outcome).toMatchObject({ restoredTipIds: [card.tipIds[0]], newlyVoidTipIds: [] });
    expect(await readTip(card.tipIds[0])).toMatchObject({ result: "won", tips: 2, won: 1 });
  });
});

describe("a race without declared runners", () => {
  /** Publishes a tip on race 4, settles it by a result and returns its settlement. */
  async function settleTip(race: Omit<RaceToPublish, "raceNumber">, result: TestResult = {}) {
    const { tipIds } = await publish({ raceNumber: 4, ...race });
    await settle(await storeUndeclared(result));
    const [settlement] = await readSettlements(tipIds[0]);
    return [settlement.outcome, settlement.void_reason, settlement.position];
  }
  const LOST = ["lost", null, null];
  const UNCLEAR = ["void", "horse-unclear", null];

  // Harbour Light is 1, Sea Mist 2, and two places are paid.
  it.each([
    ["number and name of the winner", 1, "Harbour Light", ["won", null, 1]],
    ["a misspelt name", 1, "HARBOR LIGTH (SAF)", ["won", null, 1]],
    ["number and name of the second", 2, "Sea Mist", ["lost", null, 2]],
    ["the number alone", 1, "Karoo Wind", UNCLEAR],
    ["the name alone", 5, "Sea Mist", UNCLEAR],
    ["the number of one and the name of the other", 1, "Sea Mist", UNCLEAR],
    ["neither", 5, "Protea Queen", LOST],
    ["an unplaced horse of the result", 3, "Karoo Wind", LOST],
    ["a name without Latin letters and another number", 5, "Морской", LOST],
    ["a name without Latin letters and the number", 1, "Морской", UNCLEAR],
  ])("settles a win tip on %s", async (_, horseNumber, horseName, expected) => {
    expect(await settleTip({ horseNumber, horseName })).toEqual(expected);
  });

  it.each([
    ["place", 2, ["won", null, 2]],
    ["each-way", 2, ["placed", null, 2]],
    ["each-way", 1, ["won", null, 1]],
    ["place", 5, LOST],
  ] as const)("settles a tip to %s on horse %s", async (tipType, horseNumber, expected) => {
    expect(await settleTip({ horseNumber, tipType })).toEqual(expected);
  });

  it("places every horse of a dead heat for the last place", async () => {
    const names = HORSES.slice(0, 3);
    const result = { order: [1, [2, 3], 4, 5, 6], names };
    expect(await settleTip({ horseNumber: 3, tipType: "place" }, result)).toEqual(["won", null, 2]);
  });

  it("tells two horses apart whose names are one letter apart, by the nearer name and the number", async () => {
    const names = ["Sea Mist", "Sea Mast"];
    expect(await settleTip({ horseNumber: 2, horseName: "Sea Mast" }, { names })).toEqual([
      ...["lost", null],
      2,
    ]);
  });

  it("tells two horses that differ by country alone apart by the number", async () => {
    const names = ["Harbour Light (SAF)", "Harbour Light (IRE)"];
    expect(await settleTip({ horseNumber: 2, horseName: "Harbour Light" }, { names })).toEqual([
      ...["lost", null],
      2,
    ]);
  });

  it("voids a tip with the number of a non-runner, whatever its name", async () => {
    const result = { order: [1, 2, 3, 4, 5], nonRunners: [6] };
    expect(await settleTip({ horseNumber: 6, horseName: "Sea Mist" }, result)).toEqual([
      ...["void", "non-runner"],
      null,
    ]);
  });

  it("settles again by the names of a correction", async () => {
    const card = await publish({ raceNumber: 4, horseNumber: 1, horseName: "Karoo Wind" });
    expect(await settle(await storeUndeclared())).toMatchObject({ newlyVoidTipIds: card.tipIds });
    expect(await readTip(card.tipIds[0])).toMatchObject({ result: "void", tips: 0 });
    const names = ["Karoo Wind", "Sea Mist"];
    const outcome = await settle(await storeUndeclared({ version: 2, names }));
    expect(outcome).toMatchObject({ restoredTipIds: card.tipIds });
    expect(await readTip(card.tipIds[0])).toMatchObject({ result: "won", tips: 1, won: 1 });
  });

  it("settles a result from before names were entered once it is corrected with names", async () => {
    const card = await publish({ raceNumber: 4 });
    await settle(await storeResult({ raceNumber: 4, names: [] }));
    expect(await readTip(card.tipIds[0])).toMatchObject({ result: null });
    await settle(await storeUndeclared({ version: 2 }));
    expect(await readTip(card.tipIds[0])).toMatchObject({ result: "won", settlement_version: 2 });
  });
});

describe("the off of an official result", () => {
  const LATE = { is_late: true, result: "won", tips: 2, settled: 0, won: 0 };
  const IN_TIME = { is_late: false, result: "won", tips: 2, settled: 1, won: 1 };

  async function readLateness(tipId: string) {
    const { rows } = await pool().query("select is_late from tips where id = $1", [tipId]);
    return { ...(await readTip(tipId)), ...rows[0] };
  }

  /** Publishes races 1 and 2, which are reported for 12:00 and 13:00. */
  async function publishAt(time: string) {
    freezeClock(instantAt(raceDate, time));
    return await publish({ raceNumber: 1 }, { raceNumber: 2 });
  }

  it.each([
    ["09:29", true],
    ["09:30", true],
    ["09:31", false],
    ["12:30", false],
  ])("at %s makes a tip of 09:30 late: %s", async (off, isLate) => {
    const early = await publishAt("09:28");
    const { tipIds, raceCardId } = await publishAt("09:30");
    await settle(await storeResult({ off }));
    expect(await readLateness(tipIds[0])).toMatchObject(isLate ? LATE : IN_TIME);
    expect(await readLateness(early.tipIds[0])).toMatchObject(IN_TIME);
    expect(await readLateness(tipIds[1])).toMatchObject({ is_late: false, result: null });
    const { rows } = await pool().query(
      "select off_times from race_card_offers where race_card_id = $1",
      [raceCardId],
    );
    const offTimes = [off, "13:00"].map((time) => instantAt(raceDate, time));
    expect(rows).toEqual([{ off_times: offTimes }]);
  });

  it("is followed when a correction changes it, and twice", async () => {
    const { tipIds } = await publishAt("09:30");
    const first = await storeResult({ off: "09:00" });
    await Promise.all([settle(first), settle(first)]);
    expect(await readLateness(tipIds[0])).toMatchObject(LATE);
    const second = await storeResult({ version: 2, off: "12:03" });
    await settle(second);
    await settle(second);
    expect(await readLateness(tipIds[0])).toMatchObject(IN_TIME);
  });

  it("is replaced by the reported one when the race is corrected to abandoned", async () => {
    const { tipIds } = await publishAt("09:30");
    await settle(await storeResult({ off: "09:00" }));
    await settle(await storeResult({ version: 2, status: "abandoned" }));
    expect(await readLateness(tipIds[0])).toMatchObject({ is_late: false, result: "void" });
  });

  it("is not changed by an unconfirmed version or by a later report", async () => {
    const { tipIds } = await publishAt("09:30");
    await settle(await storeResult({ off: "12:03" }));
    await settle(await storeResult({ version: 2, off: "09:00", isConfirmed: false }));
    await pool().query("update races set off_at = $2 where race_day_id = $1 and race_number = 1", [
      raceDayId,
      instantAt(raceDate, "09:10"),
    ]);
    expect(await readLateness(tipIds[0])).toMatchObject(IN_TIME);
  });

  it("counts without declared runners, too", async () => {
    freezeClock(instantAt(raceDate, "09:30"));
    const { tipIds } = await publish({ raceNumber: 4 });
    await settle(await storeUndeclared({ off: "09:00" }));
    expect(await readLateness(tipIds[0])).toMatchObject({ is_late: true, result: "won" });
  });
});

describe("an official result replaces the void result", () => {
  it("for the only tip of a race card", async () => {
    const card = await publish({ raceNumber: 1 });
    expect(await voidTip(card.tipIds[0])).toMatchObject({ ok: true, isCardVoid: true });
    expect(await settle(await storeResult())).toMatchObject({ restoredTipIds: card.tipIds });
    expect(await readTip(card.tipIds[0])).toMatchObject({ result: "won", tips: 1, won: 1 });
  });

  it("for a tip whose race card became void by the official result of another race", async () => {
    const card = await publish({ raceNumber: 1 }, { raceNumber: 2 });
    await voidTip(card.tipIds[0]);
    expect(await listVoid(card)).toEqual([]);
    await settle(await storeResult({ raceNumber: 2, status: "abandoned" }));
    expect(await listVoid(card)).toEqual([card.raceCardId]);
    expect(await settle(await storeResult())).toMatchObject({ restoredTipIds: [card.tipIds[0]] });
    expect(await readTip(card.tipIds[0])).toMatchObject({ result: "won", tips: 1, won: 1 });
  });
});

describe("settleRace has no effect", () => {
  it("when it runs a second time", async () => {
    const card = await publish({ raceNumber: 1 });
    const race = await storeResult();
    await settle(race);
    const state = await readTip(card.tipIds[0]);
    expect(await settle(race)).toMatchObject({ tipIds: [] });
    expect(await readTip(card.tipIds[0])).toEqual(state);
    expect(await readSettlements(card.tipIds[0])).toHaveLength(1);
  });

  it("for an unconfirmed version", async () => {
    const card = await publish({ raceNumber: 1 });
    expect(await settle(await storeResult({ isConfirmed: false }))).toMatchObject({ tipIds: [] });
    expect(await readTip(card.tipIds[0])).toMatchObject({ result: null });
  });

  it("for a version that a correction replaced", async () => {
    const card = await publish({ raceNumber: 1 });
    const first = await storeResult();
    await settle(await storeResult({ version: 2, order: [2, 1, 3, 4, 5, 6] }));
    expect(await settle(first)).toMatchObject({ tipIds: [] });
    expect(await readTip(card.tipIds[0])).toMatchObject({ result: "lost", settlement_version: 2 });
  });

  it("for a result without names, from before they were entered", async () => {
    const card = await publish({ raceNumber: 4, horseName: "Undeclared" });
    expect(await settle(await storeResult({ raceNumber: 4, names: [] }))).toMatchObject({
      tipIds: [],
    });
    expect(await readTip(card.tipIds[0])).toMatchObject({ result: null });
  });

  it("on a race card that an admin voided", async () => {
    const card = await publish({ raceNumber: 1 }, { raceNumber: 2 });
    const other = await publish({ raceNumber: 1 });
    const { raceCardId } = card;
    await transaction((tx) =>
      voidAllTipsAsTwo(tx, { raceCardId, reason: "Fraud", actorId: admins[0].id }),
    );
    const outcome = await settle(await storeResult());
    expect(outcome).toMatchObject({ tipIds: other.tipIds, restoredTipIds: [] });
    expect(await readTip(card.tipIds[0])).toMatchObject({ result: "void", tips: 0, won: 0 });
  });

  it("for a race without tips", async () => {
    expect(await settle(await storeResult({ raceNumber: 3 }))).toMatchObject({ tipIds: [] });
  });
});

describe("after an official result", () => {
  const voidCard = (raceCardId: string) =>
    transaction((tx) =>
      voidAllTipsAsTwo(tx, { raceCardId, reason: "Fraud", actorId: admins[0].id }),
    );
  const correct = (tipId: string) =>
    transaction((tx) =>
      setTipResultAsTwo(tx, { tipId, result: "lost", reason: "Wrong", actorId: admins[0].id }),
    );

  it("the correction of one tip is refused", async () => {
    const card = await publish({ raceNumber: 1 });
    freezeClock(instantAt(raceDate, "12:30"));
    await settle(await storeResult());
    expect(await correct(card.tipIds[0])).toEqual({ ok: false, refusal: "official-result" });
    expect(await readTip(card.tipIds[0])).toMatchObject({ result: "won" });
  });

  it("a race whose result has no names can still be corrected tip by tip", async () => {
    const card = await publish({ raceNumber: 4, horseName: "Undeclared" });
    freezeClock(instantAt(raceDate, "15:30"));
    await settle(await storeResult({ raceNumber: 4, names: [] }));
    expect(await correct(card.tipIds[0])).toMatchObject({ ok: true });
    expect(await readTip(card.tipIds[0])).toMatchObject({ result: "lost", is_claim: false });
  });

  it("the race card can be voided, and a correction leaves it void", async () => {
    const card = await publish({ raceNumber: 1 }, { raceNumber: 2 });
    await settle(await storeResult({ status: "abandoned" }));
    await settle(await storeResult({ raceNumber: 2 }));
    expect(await voidCard(card.raceCardId)).toMatchObject({ ok: true, voided: 1 });
    expect(await settle(await storeResult({ version: 2 }))).toMatchObject({ tipIds: [] });
    for (const tipId of card.tipIds)
      expect(await readTip(tipId)).toMatchObject({
        result: "void",
        settlement_version: null,
        tips: 0,
        settled: 0,
      });
    expect(await correct(card.tipIds[0])).toEqual({ ok: false, refusal: "card-void" });
  });

  it("a race card that was void already can be voided, and a correction leaves it void", async () => {
    const card = await publish({ raceNumber: 1 });
    await settle(await storeResult({ status: "abandoned" }));
    expect(await voidCard(card.raceCardId)).toMatchObject({ ok: true, voided: 0 });
    expect(await settle(await storeResult({ version: 2 }))).toMatchObject({ tipIds: [] });
    expect(await readTip(card.tipIds[0])).toMatchObject({ result: "void", tips: 0 });
  });

  it("a tip that was voided alone on a race whose result has no names can be corrected", async () => {
    const card = await publish({ raceNumber: 4, horseName: "Undeclared" });
    freezeClock(instantAt(raceDate, "15:30"));
    await voidTip(card.tipIds[0]);
    await settle(await storeResult({ raceNumber: 4, names: [] }));
    expect(await correct(card.tipIds[0])).toMatchObject({ ok: true });
    expect(await readTip(card.tipIds[0])).toMatchObject({ result: "lost" });
  });

  it("a different claim is refused", async () => {
    const card = await publish({ raceNumber: 1, horseNumber: 3 });
    freezeClock(instantAt(raceDate, "12:30"));
    await settle(await storeResult());
    const tipId = card.tipIds[0];
    expect(await markResult(card.creatorId, { tipId, result: "won" })).toMatchObject({
      ok: false,
      refusal: "has-result",
    });
    expect(await readTip(tipId)).toMatchObject({ result: "lost", claimed_result: null });
  });

  it("no tip is published for the race, by the function and by the database", async () => {
    await settle(await storeResult({ status: "abandoned" }));
    const batch = createBatchInput({
      venueId,
      raceDate,
      races: [
        { raceNumber: 1, horseNumber: 1, horseName: HORSES[0] as string },
        { raceNumber: 2, horseNumber: 1, horseName: HORSES[0] as string },
      ],
    });
    const creator = await makeTipster();
    expect(await publishBatch(creator.id, batch)).toEqual({
      ok: false,
      refusal: "race-has-result",
      raceNumbers: [1],
    });
    const card = await publish({ raceNumber: 2 });
    await expect(
      pool().query(
        `insert into tips (race_card_id, race_number, horse_number, horse_name, tip_type, confidence,
           analysis, tip_text, is_late, published_at)
         select race_card_id, 1, horse_number, horse_name, tip_type, confidence, analysis, tip_text,
           is_late, published_at from tips where id = $1`,
        [card.tipIds[0]],
      ),
    ).rejects.toMatchObject({ constraint: "tips_race_without_result" });
  });
});

describe("concurrent requests", () => {
  it("settle two races with the same creators with correct records", async () => {
    const cards = [];
    for (let index = 0; index < 8; index += 1)
      cards.push(await publish({ raceNumber: 1 }, { raceNumber: 2, horseNumber: 2 }));
    const races = [await storeResult(), await storeResult({ raceNumber: 2 })];
    await Promise.all(races.map(settle));
    for (const card of cards)
      expect(await readTip(card.tipIds[0])).toMatchObject({ tips: 2, settled: 2, won: 1 });
  });

  it("for two abandoned races make the race card void", async () => {
    const card = await publish({ raceNumber: 1 }, { raceNumber: 2 });
    const races = [
      await storeResult({ status: "abandoned" }),
      await storeResult({ raceNumber: 2, status: "abandoned" }),
    ];
    await Promise.all(races.map(settle));
    expect(await listVoid(card)).toEqual([card.raceCardId]);
  });

  it("for the same result settle each tip once", async () => {
    const card = await publish({ raceNumber: 1 });
    const race = await storeResult();
    const outcomes = await Promise.all([race, race, race].map(settle));
    expect(outcomes.flatMap((outcome) => outcome.tipIds)).toEqual([card.tipIds[0]]);
    expect(await readTip(card.tipIds[0])).toMatchObject({ settled: 1, won: 1 });
  });

  it("lock the records by creator id, including records in which only the mark changes", async () => {
    const creatorIds = [(await makeTipster()).id, (await makeTipster()).id].sort();
    const [first, second] = creatorIds as [string, string];
    await publishAs(first, { raceNumber: 1, horseNumber: 3 });
    await publishAs(second, { raceNumber: 1 });
    await settle(await storeResult());
    // The correction changes only the mark of the first record, and only the numbers of the second.
    await pool().query(
      "update creator_records set has_one_person_results = true where creator_id = $1",
      [first],
    );
    const correction = await storeResult({ version: 2, order: [2, 1, 3, 4, 5, 6] });
    let settlement: ReturnType<typeof settle> | undefined;
    await transaction(async (tx) => {
      await tx.execute(sql`
        select from creator_records where creator_id = ${first} for no key update`);
      settlement = settle(correction);
      settlement.catch(() => undefined);
      await waitForLockWaiters(1);
      await pool().query(
        "select from creator_records where creator_id = $1 for no key update nowait",
        [second],
      );
    });
    await settlement;
    expect(await findCreator(first)).toMatchObject({ hasOnePersonResults: false });
    expect(await findCreator(second)).toMatchObject({ record: { settled: 1, won: 0 } });
  });

  it("refuse a claim that waits for the settlement", async () => {
    const card = await publish({ raceNumber: 1, horseNumber: 3 });
    freezeClock(instantAt(raceDate, "12:30"));
    const race = await storeResult();
    let claim: ReturnType<typeof markResult> | undefined;
    await transaction(async (tx) => {
      await settleRace(tx, race);
      claim = markResult(card.creatorId, { tipId: card.tipIds[0], result: "won" });
      await waitForLockWaiters(1);
    });
    expect(await claim).toMatchObject({ ok: false, refusal: "has-result" });
    expect(await readTip(card.tipIds[0])).toMatchObject({ result: "lost", settled: 1, won: 0 });
  });

  it("refuse a tip that is published after the settlement and settle one published before it", async () => {
    const creator = await makeTipster();
    const batch = createBatchInput({
      venueId,
      raceDate,
      races: [{ raceNumber: 1, horseNumber: 1, horseName: HORSES[0] as string }],
    });
    const early = await publish({ raceNumber: 2 });
    const race = await storeResult({ isConfirmed: false });
    const confirmed = await storeResult({ raceNumber: 2, isConfirmed: false });
    let publication: ReturnType<typeof publishBatch> | undefined;
    await transaction(async (tx) => {
      await tx.execute(sql`select from races where race_day_id = ${raceDayId} and race_number = 1
        for no key update`);
      await tx.execute(sql`update race_results set confirmed_by = ${admins[1].id}, confirmed_at = now()
        where race_day_id = ${raceDayId} and race_number = 1`);
      await settleRace(tx, race);
      publication = publishBatch(creator.id, batch);
      publication.catch(() => undefined);
      await waitForLockWaiters(1);
    });
    await expect(publication).rejects.toMatchObject({
      cause: { constraint: "tips_race_without_result" },
    });
    await confirm(confirmed);
    expect(await settle(confirmed)).toMatchObject({ tipIds: early.tipIds });
  });

  it("with claims for every tip do not replace the official result", async () => {
    const cards = [];
    for (let index = 0; index < 6; index += 1)
      cards.push(await publish({ raceNumber: 1, horseNumber: 3 }));
    freezeClock(instantAt(raceDate, "12:30"));
    const race = await storeResult();
    await Promise.all([
      settle(race),
      ...cards.map((card) => markResult(card.creatorId, { tipId: card.tipIds[0], result: "won" })),
    ]);
    for (const card of cards)
      expect(await readTip(card.tipIds[0])).toMatchObject({
        result: "lost",
        is_claim: false,
        settled: 1,
        won: 0,
      });
  });
});

it("settles a race with 300 tips in one transaction", { timeout: 180_000 }, async () => {
  const cards: Awaited<ReturnType<typeof publish>>[] = [];
  while (cards.length < 300)
    cards.push(
      ...(await Promise.all(
        Array.from({ length: 6 }, (_, index) => publish({ raceNumber: 1, horseNumber: index + 1 })),
      )),
    );
  const outcome = await settle(await storeResult());
  expect(outcome.tipIds).toHaveLength(300);
  const { rows } = await pool().query(
    `select t.result, count(*)::int, sum(n.settled)::int as settled, sum(n.won)::int as won
     from tips t join race_cards c on c.id = t.race_card_id
     join creator_records n on n.creator_id = c.creator_id
     where c.venue_id = $1 and c.race_date = $2 group by 1 order by 1`,
    [venueId, raceDate],
  );
  expect(rows).toEqual([
    { result: "lost", count: 250, settled: 250, won: 0 },
    { result: "won", count: 50, settled: 50, won: 50 },
  ]);
});

// Last, because it removes every other admin.
it("marks records with results entered by one person until two people correct the last such result", async () => {
  const [admin] = admins;
  const card = await publish({ raceNumber: 1 }, { raceNumber: 2 }, { raceNumber: 3 });
  const voided = await publish({ raceNumber: 1 }, { raceNumber: 2 });
  const unsettled = await publish({ raceNumber: 4, horseName: "Undeclared" });
  const bystander = await makeTipster();
  const isMarked = async (creatorId: string) => {
    const creator = await findCreator(creatorId);
    // Pages of users are not cached.
    const page = await (await (await createSender(bystander))(`/tipsters/${creator?.slug}`)).text();
    expect(page.includes("record includes results entered by one person")).toBe(
      creator?.hasOnePersonResults && creator.record.settled > 0,
    );
    return creator?.hasOnePersonResults;
  };
  await settle(await storeResult({ raceNumber: 3 }));
  expect(await isMarked(card.creatorId)).toBe(false);
  await pool().query("delete from user_roles where role = 'admin' and user_id <> $1", [admin.id]);
  for (const raceNumber of [1, 2]) {
    const race = await storeResult({ raceNumber, isConfirmed: false });
    await confirm(race, admin.id);
    await settle(race);
  }
  expect(await isMarked(card.creatorId)).toBe(true);
  expect(await isMarked(bystander.id)).toBe(false);
  const abandoned = await storeResult({ raceNumber: 4, status: "abandoned", isConfirmed: false });
  await confirm(abandoned, admin.id);
  await settle(abandoned);
  expect(await isMarked(unsettled.creatorId)).toBe(true);
  expect(await isMarked(voided.creatorId)).toBe(true);
  admins = [admin, await makeAdmin()];
  const { raceCardId } = voided;
  await transaction((tx) =>
    voidAllTipsAsTwo(tx, { raceCardId, reason: "Fraud", actorId: admin.id }),
  );
  expect(await isMarked(voided.creatorId)).toBe(false);
  await settle(await storeResult({ raceNumber: 1, version: 2 }));
  expect(await isMarked(card.creatorId)).toBe(true);
  await settle(await storeResult({ raceNumber: 2, version: 2 }));
  expect(await isMarked(card.creatorId)).toBe(false);
});

it("removes the mark of an admin's result for a single tip once two people confirm the official one", async () => {
  const card = await publish({ raceNumber: 1 });
  freezeClock(instantAt(raceDate, "12:30"));
  await pool().query("delete from user_roles where role = 'admin' and user_id <> $1", [
    admins[0].id,
  ]);
  await transaction((tx) =>
    setTipResultAsTwo(tx, {
      tipId: card.tipIds[0],
      result: "won",
      reason: "Seen on television",
      actorId: admins[0].id,
    }),
  );
  admins = [admins[0], await makeAdmin()];
  expect((await findCreator(card.creatorId))?.hasOnePersonResults).toBe(true);
  await settle(await storeResult());
  expect((await findCreator(card.creatorId))?.hasOnePersonResults).toBe(false);
});
