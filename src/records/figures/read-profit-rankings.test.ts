import { randomUUID } from "node:crypto";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { suspendCreator } from "#creators/suspension.server.ts";
import { addDays, type CalendarDate, instantAt } from "#domain/calendar.ts";
import type { TipType } from "#domain/tip.ts";
import { freezeClock } from "#platform/clock.server.ts";
import { findTestVenue, makeAdmin, makeTipster, publishRaceCard } from "#test/factories.ts";
import { expectInvariantsToHold, listViolations } from "#test/integrity-checks.ts";
import { createResultConfirmer, reportRacesWithRunners } from "#test/official-results.ts";
import { readFigures } from "./read-figures.server.ts";
import { readProfitRankings } from "./read-profit-rankings.server.ts";
import { updateStaleFigures } from "./update-figures.server.ts";

// Horse 1 wins every race at 5/1.
const PRICES: [number, string][] = [
  [1, "5/1"],
  [2, "evens"],
  [3, "2/1"],
  [4, "5/1"],
  [5, "9/1"],
  [6, "9/1"],
];
const FIRST_DAY = "2028-09-01";
const DAYS = 8;
const RACES = 7;

/** Publishes a race card a day. `pick` returns the horse of a race, or null for no tip. */
async function publishAll(
  name: string,
  pick: (raceIndex: number) => number | null,
  options: { venue?: string; tipType?: TipType } = {},
) {
  const tipster = await makeTipster({ name: `${name} ${randomUUID().slice(0, 4)}` });
  for (let day = 0; day < DAYS; day += 1) {
    const raceDate = addDays(FIRST_DAY, day);
    freezeClock(instantAt(raceDate, "07:00"));
    const races = Array.from({ length: RACES }, (_, index) => ({
      raceNumber: index + 1,
      horseNumber: pick(day * RACES + index),
    })).flatMap(({ raceNumber, horseNumber }) =>
      horseNumber === null
        ? []
        : [
            {
              raceNumber,
              horseNumber,
              horseName: `Horse ${horseNumber}`,
              tipType: options.tipType,
            },
          ],
    );
    if (races.length > 0)
      await publishRaceCard({
        creatorId: tipster.id,
        venue: options.venue ?? "scottsville",
        raceDate,
        races: races.map(({ tipType = "win", ...race }) => ({ ...race, tipType })),
      });
  }
  return tipster;
}

let steady: Awaited<ReturnType<typeof makeTipster>>;
let streaky: typeof steady;
let loser: typeof steady;
let suspended: typeof steady;

beforeAll(async () => {
  const venueId = (await findTestVenue("scottsville")).id;
  const confirmResult = await createResultConfirmer();
  const dates = Array.from({ length: DAYS }, (_, day): CalendarDate => addDays(FIRST_DAY, day));
  for (const raceDate of dates) {
    freezeClock(instantAt(raceDate, "06:00"));
    await reportRacesWithRunners(venueId, raceDate, { races: RACES });
  }
  // Every third of 56 wins at 5/1; five of five; one of 56 each-way; every tip, but suspended.
  steady = await publishAll("Steady", (index) => (index % 3 === 0 ? 1 : 2));
  streaky = await publishAll("Streaky", (index) => (index < 5 ? 1 : null));
  loser = await publishAll("Loser", (index) => (index === 9 ? 1 : 2), { tipType: "each-way" });
  suspended = await publishAll("Suspended", () => 1);
  for (const raceDate of dates)
    for (let raceNumber = 1; raceNumber <= RACES; raceNumber += 1)
      await confirmResult({ venueId, raceDate, raceNumber }, { order: PRICES });
  while ((await updateStaleFigures()) > 0);
  const admin = await makeAdmin();
  await suspendCreator(admin.id, suspended.id, "Test");
}, 120_000);
afterAll(async () => {
  await expectInvariantsToHold();
  freezeClock(null);
});

const read = async (filter: Parameters<typeof readProfitRankings>[0] = {}) =>
  (await readProfitRankings(filter)).map(({ rank, creator, tips, profitCents }) => [
    rank,
    creator.id,
    tips,
    profitCents,
  ]);

describe("the ranking by profit", () => {
  it("ranks by the lower end of the yield, from 50 tips, without suspended creators", async () => {
    // 19 winners of R50.00 and 37 losers of R10.00; 5 × R50.00; R25.00 and 55 losers of R5.00.
    const expected = [
      [1, steady.id, 56, 19 * 5000 - 37 * 1000],
      [2, loser.id, 56, 2500 - 55 * 500],
      [null, streaky.id, 5, 25000],
    ];
    expect(await read()).toEqual(expected);
    // From the tips instead of the stored sums.
    expect(await read({ from: FIRST_DAY })).toEqual(expected);
  });

  it("has the yield and the range of the creator's figures", async () => {
    const [first] = await readProfitRankings();
    const figures = (await readFigures(steady.id))?.figures.startingPrice;
    expect(first?.yieldPercent).toBeCloseTo(figures?.yieldPercent ?? Number.NaN, 10);
    expect(first?.yieldRange?.lowPercent).toBeCloseTo(
      figures?.yieldRange?.lowPercent ?? Number.NaN,
      10,
    );
  });

  it("is compared with the tips by an invariant", async () => {
    const client = new Client({ connectionString: process.env.DATABASE_URL });
    await client.connect();
    try {
      const violations = await listViolations(client, () => [
        `update creator_returns set profit_cents = profit_cents + 1
         where venue_id <> '00000000-0000-0000-0000-000000000000' and tip_type = ''`,
      ]);
      expect(violations).toEqual([["41-figures-match-tips"], ["41-figures-match-tips"]]);
    } finally {
      await client.end();
    }
  });

  it("is restricted to dates, a venue and a tip type", async () => {
    expect(await read({ from: FIRST_DAY, until: FIRST_DAY })).toEqual([
      [null, loser.id, 7, -3500],
      [null, steady.id, 7, 3 * 5000 - 4 * 1000],
      [null, streaky.id, 5, 25000],
    ]);
    expect(await read({ until: addDays(FIRST_DAY, -1) })).toEqual([]);
    expect(await read({ venueId: (await findTestVenue("vaal")).id })).toEqual([]);
    expect(await read({ tipType: "each-way" })).toEqual([[1, loser.id, 56, 2500 - 55 * 500]]);
    expect(await read({ tipType: "place" })).toEqual([]);
    const venueId = (await findTestVenue("scottsville")).id;
    expect(await read({ venueId, tipType: "win" })).toEqual([
      [1, steady.id, 56, 19 * 5000 - 37 * 1000],
      [null, streaky.id, 5, 25000],
    ]);
  });
});
