import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { addDays, type CalendarDate, instantAt } from "#domain/calendar.ts";
import { freezeClock } from "#platform/clock.server.ts";
import { pool, transaction } from "#platform/database.server.ts";
import { setTipResultAsTwo, voidAllTipsAsTwo } from "#test/admin-results.ts";
import {
  findTestVenue,
  makeAdmin,
  makeTipster,
  publishRaceCard,
  type RaceToPublish,
  reportOffTimes,
} from "#test/factories.ts";
import { expectInvariantsToHold } from "#test/integrity-checks.ts";
import { createResultConfirmer, reportRacesWithRunners } from "#test/official-results.ts";
import { withRefusedWrites } from "#test/refused-writes.ts";
import { markResult } from "#tips/mark-results.server.ts";
import { hideTip } from "#tips/tip-visibility.server.ts";
import { countRecordedCreators, readFigures } from "./read-figures.server.ts";
import { updateStaleFigures } from "./update-figures.server.ts";

// Results are not deleted, so each test has a day of its own.
let raceDate: CalendarDate = "2028-05-01";
let venueId: string;
let confirmResult: Awaited<ReturnType<typeof createResultConfirmer>>;
beforeEach(async () => {
  raceDate = addDays(raceDate, 1);
  freezeClock(instantAt(raceDate, "07:00"));
  venueId = (await findTestVenue("scottsville")).id;
  confirmResult = await createResultConfirmer();
  await reportRacesWithRunners(venueId, raceDate);
});
afterEach(async () => {
  await expectInvariantsToHold();
  await updateFigures();
  await expectInvariantsToHold();
  freezeClock(null);
});

async function updateFigures(): Promise<void> {
  while ((await updateStaleFigures()) > 0);
}

/** 1/2 + 1/3 + 1/6 + 1/6 + 1/10 + 1/10: horse 2 is the favourite. */
const PRICES: [number, string][] = [
  [1, "5/1"],
  [2, "evens"],
  [3, "2/1"],
  [4, "5/1"],
  [5, "9/1"],
  [6, "9/1"],
];
const race = (raceNumber: number) => ({ venueId, raceDate, raceNumber });

async function publish(...races: RaceToPublish[]) {
  const card = await publishRaceCard({
    venue: "scottsville",
    raceDate,
    races: races.map((each) => ({
      horseNumber: 1,
      horseName: `Horse ${each.horseNumber ?? 1}`,
      ...each,
    })),
  });
  const { rows } = await pool().query<{ id: string }>(
    "select id from tips where race_card_id = $1 order by race_number",
    [card.raceCardId],
  );
  return { ...card, tipIds: rows.map((row) => row.id) };
}

async function readUpdatedFigures(creatorId: string) {
  await updateFigures();
  const stored = await readFigures(creatorId);
  if (!stored) throw new Error("the creator has no figures");
  return stored;
}

describe("the figures of a creator", () => {
  it("follow each official settlement", async () => {
    const { creatorId } = await publish(
      { raceNumber: 1 },
      { raceNumber: 2, tipType: "each-way", horseNumber: 2, confidence: "high" },
    );
    await updateFigures();
    expect(await readFigures(creatorId)).toBeNull();

    await confirmResult(race(1), { order: PRICES, winDividendCents: 640 });
    const stored = await readUpdatedFigures(creatorId);
    expect(stored.computedAt).toEqual(instantAt(raceDate, "20:00"));
    expect(stored.figures).toMatchObject({
      settled: 1,
      won: 1,
      startingPrice: { tips: 1, stakedCents: 1000, profitCents: 5000, profitAfterTaxCents: 4700 },
      tote: { tips: 1, profitCents: 5400 },
      luck: { tips: 1, won: 1 },
      againstFavourite: { tips: 1, profitCents: 5000, favouriteProfitCents: -1000 },
      form: ["won"],
    });
    // The price of 5/1 among 1/6 + 1/2 + 1/3 + 1/6 + 1/10 + 1/10.
    expect(stored.figures.luck?.expectedWins).toBeCloseTo(1 / 6 / (41 / 30), 12);

    // The favourite, second of six: placed each-way, and its win half loses.
    await confirmResult(race(2), { order: PRICES, winDividendCents: 640, placeDividendCents: 260 });
    const { figures } = await readUpdatedFigures(creatorId);
    expect(figures).toMatchObject({
      settled: 2,
      won: 2,
      startingPrice: { tips: 2, stakedCents: 1500, profitCents: 4500 },
      tote: { tips: 2, stakedCents: 2000, profitCents: 5400 - 500 + 800 },
      luck: { tips: 2, won: 1 },
      afterCards: { cards: 1, costCents: 4000, startingPriceProfitCents: 500 },
      form: ["won", "placed"],
    });
    expect(figures.slices.venue.map(({ key, settled }) => [key, settled])).toEqual([
      ["scottsville", 2],
    ]);
    expect(figures.slices.surface.map(({ key }) => key)).toEqual(["turf"]);
    expect(figures.slices.distance.map(({ key }) => key)).toEqual(["to-1200"]);
    expect(await countRecordedCreators()).toBeGreaterThan(0);
  });

  it("follow a correction that leaves won and lost as they were", async () => {
    const { creatorId } = await publish({ raceNumber: 1 });
    await confirmResult(race(1), { order: PRICES });
    expect((await readUpdatedFigures(creatorId)).figures.startingPrice.profitCents).toBe(5000);
    await confirmResult(race(1), {
      order: PRICES.map(([number, price]) => [number, number === 1 ? "6/1" : price]),
      reason: "Wrong price",
    });
    expect((await readUpdatedFigures(creatorId)).figures.startingPrice.profitCents).toBe(6000);
  });

  it("leave out void tips, whether the race or the race card is void", async () => {
    const { creatorId, raceCardId } = await publish({ raceNumber: 1 }, { raceNumber: 2 });
    await confirmResult(race(1), { order: PRICES });
    await confirmResult(race(2), { order: [], status: "abandoned" });
    expect(await readUpdatedFigures(creatorId)).toMatchObject({
      voidTips: 1,
      figures: { settled: 1, won: 1 },
    });
    const admin = await makeAdmin();
    await transaction((tx) =>
      voidAllTipsAsTwo(tx, { raceCardId, reason: "Wrong day", actorId: admin.id }),
    );
    expect(await readUpdatedFigures(creatorId)).toMatchObject({
      voidTips: 0,
      figures: { settled: 0, strikeRate: null },
    });
  });

  it("leave out tips that become late, and count them again", async () => {
    const { creatorId } = await publish({ raceNumber: 1 });
    await confirmResult(race(1), { order: PRICES });
    await updateFigures();
    await confirmResult(race(1), { order: PRICES, time: "06:00", reason: "Wrong off" });
    expect(await readUpdatedFigures(creatorId)).toMatchObject({
      lateTips: 1,
      figures: { settled: 0 },
    });
    await confirmResult(race(1), { order: PRICES, time: "13:00", reason: "Wrong off" });
    expect(await readUpdatedFigures(creatorId)).toMatchObject({
      lateTips: 0,
      figures: { settled: 1 },
    });
  });

  it("follow a distance and a surface that are reported after the result", async () => {
    const { creatorId } = await publish({ raceNumber: 1 });
    await confirmResult(race(1), { order: PRICES });
    await updateFigures();
    await pool().query(
      `update races set distance_metres = 2400, surface = 'polytrack' where race_day_id =
         (select id from race_days where venue_id = $1 and race_date = $2)`,
      [venueId, raceDate],
    );
    const { slices } = (await readUpdatedFigures(creatorId)).figures;
    expect([slices.distance[0]?.key, slices.surface[0]?.key]).toEqual(["longer", "polytrack"]);
  });

  it("count hidden tips, and neither claims nor results of single tips", async () => {
    const { creatorId, tipIds } = await publish({ raceNumber: 1 }, { raceNumber: 2 });
    const admin = await makeAdmin();
    await hideTip(admin.id, tipIds[0] ?? "");
    freezeClock(instantAt(raceDate, "19:00"));
    await markResult(creatorId, { tipId: tipIds[1] ?? "", result: "won" });
    await confirmResult(race(1), { order: PRICES });
    expect((await readUpdatedFigures(creatorId)).figures.settled).toBe(1);
    await transaction((tx) =>
      setTipResultAsTwo(tx, {
        tipId: tipIds[1] ?? "",
        result: "won",
        reason: "Checked",
        actorId: admin.id,
      }),
    );
    expect((await readUpdatedFigures(creatorId)).figures.settled).toBe(1);
  });

  it("include results that are confirmed while figures are computed", async () => {
    const tipster = await makeTipster();
    for (const day of [0, 1, 2]) {
      const date = addDays(raceDate, 30 + day);
      freezeClock(instantAt(date, "07:00"));
      await reportRacesWithRunners(venueId, date);
      await publishRaceCard({
        creatorId: tipster.id,
        venue: "scottsville",
        raceDate: date,
        races: [1, 2, 3, 4].map((raceNumber) => ({
          raceNumber,
          horseNumber: 1,
          horseName: "Horse 1",
        })),
      });
    }
    await Promise.all([
      ...[0, 1, 2].flatMap((day) =>
        [1, 2, 3, 4].map((raceNumber) =>
          confirmResult(
            { venueId, raceDate: addDays(raceDate, 30 + day), raceNumber },
            { order: PRICES },
          ),
        ),
      ),
      ...Array.from({ length: 20 }, () => updateStaleFigures()),
    ]);
    expect((await readUpdatedFigures(tipster.id)).figures).toMatchObject({ settled: 12, won: 12 });
    raceDate = addDays(raceDate, 40);
  });

  it("leave the prices open where a starter has none", async () => {
    const { creatorId } = await publish({ raceNumber: 1 });
    await confirmResult(race(1), {
      order: PRICES.map(([number, price]) => [number, number === 6 ? "" : price]),
    });
    expect((await readUpdatedFigures(creatorId)).figures).toMatchObject({
      startingPrice: { tips: 1, profitCents: 5000 },
      luck: null,
      againstFavourite: { tips: 0 },
    });
  });
});

it("are updated for the other creators when one fails, and for that one in the next run", async () => {
  const creatorIds: string[] = [];
  for (let index = 0; index < 3; index += 1)
    creatorIds.push((await publish({ raceNumber: 1 })).creatorId);
  await confirmResult(race(1), { order: PRICES });
  const { rows: marked } = await pool().query<{ creator_id: string }>(
    "select creator_id from stale_figures order by id",
  );
  const failing = marked[1]?.creator_id;
  const readStale = async () =>
    (await pool().query("select distinct creator_id from stale_figures")).rows;
  await withRefusedWrites(
    { table: "creator_figures", write: "insert", condition: `new.creator_id = '${failing}'` },
    () => expect(updateStaleFigures()).rejects.toThrow(`1 failed: creator ${failing}`),
  );
  expect(await readStale()).toEqual([{ creator_id: failing }]);
  await updateStaleFigures();
  expect(await readStale()).toEqual([]);
  expect(creatorIds).toContain(failing);
});

it("marks nothing for off times of races without settled tips", async () => {
  await publish({ raceNumber: 1 });
  await reportOffTimes(venueId, addDays(raceDate, 1), { races: 2 });
  const { rows } = await pool().query("select from stale_figures");
  expect(rows).toEqual([]);
});
