import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type CalendarDate, instantAt } from "#domain/calendar.ts";
import type { TipResult, TipType } from "#domain/tip.ts";
import { freezeClock } from "#platform/clock.server.ts";
import { pool, transaction } from "#platform/database.server.ts";
import { aBatch, aVenue, makeAdmin, makeTipster } from "../../test/cast.ts";
import { correctResult } from "./correct-result.server.ts";
import { markResult } from "./mark-result.server.ts";
import { publishBatch } from "./publish-batch.server.ts";
import { type RankingFilter, readRankings } from "./read-rankings.server.ts";
import { suspendCreator } from "./suspend-creator.server.ts";

const TODAY = "2026-11-21";
const at = instantAt(TODAY, "20:00");

beforeEach(async () => {
  // Each test has the board to itself, and is not shown what an earlier one was told.
  await pool().query("update creators set suspended_at = now() where suspended_at is null");
});
afterEach(() => freezeClock(null));

/** Results of a day's card in the order of its races; W won, L lost, V void, a dash not marked. */
async function run(
  creatorId: string,
  raceDate: CalendarDate,
  results: string,
  { venue = "kenilworth", tipType = "win" as TipType, publishedAt = "09:00" } = {},
) {
  freezeClock(instantAt(raceDate, publishedAt));
  const venueId = (await aVenue(venue)).id;
  const races = [...results].map((_, index) => ({ raceNumber: index + 1, tipType }));
  const batch = aBatch({ venueId, raceDate, races });
  const published = await publishBatch(creatorId, batch);
  if (!published.ok) throw new Error(published.refusal);
  freezeClock(instantAt(raceDate, "19:00"));
  const { rows } = await pool().query<{ id: string }>(
    "select id from tips where race_card_id = $1 order by race_number",
    [published.raceCardId],
  );
  const admin = results.includes("V") ? await makeAdmin() : null;
  for (const [index, letter] of [...results].entries()) {
    const tipId = rows[index]?.id as string;
    const result = { W: "won", L: "lost", V: "void" }[letter] as TipResult | undefined;
    if (result === "void" && admin)
      await transaction((tx) =>
        correctResult(tx, { tipId, result, reason: "Scratched", actorId: admin.id }),
      );
    else if (result && result !== "void") await markResult(creatorId, { tipId, result });
  }
}

let asked = 0;
/** Never the answer that another question was given: each asks at an instant of its own. */
async function ranking(filter: RankingFilter = {}) {
  asked += 1;
  const rankings = await readRankings(at, { from: `19${10 + asked}-01-01`, ...filter });
  return rankings.map((each) => ({
    rank: each.rank,
    name: each.creator.name,
    ...each.tally,
  }));
}

const TWELVE_WON = "WWWWWWWWWWWW";
const TWELVE_LOST = "LLLLLLLLLLLL";

describe("the ranking by record", () => {
  it("puts the proven first and gives no rank to the lucky", async () => {
    const lucky = await makeTipster({ name: "Lucky Newcomer" });
    const steady = await makeTipster({ name: "Steady Veteran" });
    const better = await makeTipster({ name: "Better Veteran" });
    await run(lucky.id, "2026-11-20", "WWW");
    await run(steady.id, "2026-11-19", "WWWWLLLLLLLL");
    await run(steady.id, "2026-11-20", TWELVE_LOST);
    await run(better.id, "2026-11-19", TWELVE_WON);
    await run(better.id, "2026-11-20", TWELVE_LOST);
    expect(await ranking()).toEqual([
      { rank: 1, name: "Better Veteran", settled: 24, won: 12 },
      { rank: 2, name: "Steady Veteran", settled: 24, won: 4 },
      { rank: null, name: "Lucky Newcomer", settled: 3, won: 3 },
    ]);
  });

  it("counts no late, void or unmarked tip", async () => {
    const tipster = await makeTipster({ name: "Often Late" });
    await run(tipster.id, "2026-11-19", "WVL-");
    await run(tipster.id, "2026-11-20", "WW", { publishedAt: "11:30" });
    expect(await ranking()).toEqual([{ rank: null, name: "Often Late", settled: 2, won: 1 }]);
  });

  it("leaves out suspended creators and those without a settled tip", async () => {
    const gone = await makeTipster({ name: "Gone Away" });
    const fresh = await makeTipster({ name: "Just Begun" });
    await run(gone.id, "2026-11-20", "W");
    await run(fresh.id, "2026-11-20", "-");
    await suspendCreator((await makeAdmin()).id, gone.id);
    expect(await ranking()).toEqual([]);
  });

  it("keeps to the days, the venue and the kind asked for", async () => {
    const tipster = await makeTipster({ name: "Well Travelled" });
    await run(tipster.id, "2026-10-31", "WW");
    await run(tipster.id, "2026-11-01", "WL", { venue: "vaal" });
    await run(tipster.id, "2026-11-20", "LLL", { tipType: "place" });
    const tally = async (filter: RankingFilter) => {
      const [only] = await ranking(filter);
      return only ? `${only.won}/${only.settled}` : "none";
    };
    const vaal = (await aVenue("vaal")).id;
    expect(await tally({})).toBe("3/7");
    expect(await tally({ from: "2026-10-01", until: "2026-10-31" })).toBe("2/2");
    expect(await tally({ from: "2026-11-01", until: "2026-11-30" })).toBe("1/5");
    expect(await tally({ venueId: vaal })).toBe("1/2");
    expect(await tally({ tipType: "place" })).toBe("0/3");
    expect(await tally({ venueId: vaal, tipType: "place" })).toBe("none");
    expect(await tally({ from: "2026-12-01" })).toBe("none");
  });

  it("tells the streak that runs, the longest one won, and the last 30 days", async () => {
    const tipster = await makeTipster({ name: "Hot And Cold" });
    await run(tipster.id, "2026-09-01", "LWWWWL");
    await run(tipster.id, "2026-11-19", "LWW");
    await run(tipster.id, "2026-11-20", "WVL");
    await run(tipster.id, "2026-11-21", "LL");
    const [all] = await readRankings(at, { from: "1901-01-01" });
    expect(all?.streak).toEqual({ result: "lost", length: 3 });
    expect(all?.longestWinningStreak).toBe(4);
    expect(all?.last30Days).toEqual({ settled: 7, won: 3 });
    const [before] = await readRankings(at, { from: "2026-09-01", until: "2026-11-19" });
    expect(before?.streak).toEqual({ result: "won", length: 2 });
    expect(before?.last30Days).toEqual({ settled: 7, won: 3 });
    expect(before?.tally).toEqual({ settled: 9, won: 6 });
  });
});
