import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { suspendCreator } from "#creators/suspension.server.ts";
import { addDays, type CalendarDate, instantAt } from "#domain/calendar.ts";
import type { TipResult, TipType } from "#domain/tip.ts";
import { freezeClock } from "#platform/clock.server.ts";
import { pool, transaction } from "#platform/database.server.ts";
import { setTipResultAsTwo } from "#test/admin-results.ts";
import {
  createBatchInput,
  enterResults,
  findTestVenue,
  makeAdmin,
  makeTipster,
  reportOffTimes,
} from "#test/factories.ts";
import { withRefusedWrites } from "#test/refused-writes.ts";
import { markResult } from "#tips/mark-results.server.ts";
import { publishBatch } from "#tips/publishing/publish-batch.server.ts";
import { updateStaleTallies } from "../tallies.server.ts";
import { type RankingFilter, readRankings } from "./read-rankings.server.ts";

const TODAY = "2026-11-21";
const at = instantAt(TODAY, "20:00");

beforeEach(async () => {
  // Each test starts without rankings and without cached results of earlier tests.
  await pool().query("update creators set suspended_at = now() where suspended_at is null");
});
afterEach(() => freezeClock(null));

/** Publishes a race card with these results: W is won, L lost, V void, C claimed as won, a dash unsettled. */
async function publishSettledRaceCard(
  creatorId: string,
  raceDate: CalendarDate,
  results: string,
  { venue = "kenilworth", tipType = "win" as TipType, publishedAt = "09:00" } = {},
) {
  freezeClock(instantAt(raceDate, publishedAt));
  const venueId = (await findTestVenue(venue)).id;
  const races = [...results].map((_, index) => ({ raceNumber: index + 1, tipType }));
  const batch = createBatchInput({ venueId, raceDate, races });
  const published = await publishBatch(creatorId, batch);
  if (!published.ok) throw new Error(published.refusal);
  freezeClock(instantAt(raceDate, "19:00"));
  const { rows } = await pool().query<{ id: string }>(
    "select id from tips where race_card_id = $1 order by race_number",
    [published.raceCardId],
  );
  for (const [index, letter] of [...results].entries())
    if (letter === "C")
      await markResult(creatorId, { tipId: rows[index]?.id as string, result: "won" });
  await enterResults(
    [...results].flatMap((letter, index) => {
      const result = { W: "won", L: "lost", V: "void" }[letter] as TipResult | undefined;
      return result ? [{ tipId: rows[index]?.id as string, result }] : [];
    }),
  );
}

let callCount = 0;
/** Reads a ranking with a filter that no other call uses, so that no cached result is returned. */
async function readUncachedRanking(filter: RankingFilter = {}) {
  callCount += 1;
  const rankings = await readRankings(at, { from: `19${10 + callCount}-01-01`, ...filter });
  return rankings.map((each) => ({
    rank: each.rank,
    name: each.creator.name,
    ...each.tally,
  }));
}

describe("readRankings", () => {
  it("ranks creators with 50 settled tips and lists the others after them", async () => {
    const newcomer = await makeTipster({ name: "Newcomer" });
    const veteran = await makeTipster({ name: "Veteran" });
    for (const day of ["2026-11-19", "2026-11-20"])
      await publishSettledRaceCard(newcomer.id, day, "WWWWWWWWWW");
    for (let day = 0; day < 5; day += 1)
      await publishSettledRaceCard(veteran.id, addDays("2026-11-16", day), "WLLLLLLLLL");
    expect(await readUncachedRanking()).toEqual([
      { rank: 1, name: "Veteran", settled: 50, won: 5 },
      { rank: null, name: "Newcomer", settled: 20, won: 20 },
    ]);
  });

  it("omits late, void, claimed and unsettled tips", async () => {
    const tipster = await makeTipster({ name: "Often Late" });
    await publishSettledRaceCard(tipster.id, "2026-11-19", "WVL-C");
    await publishSettledRaceCard(tipster.id, "2026-11-20", "WW", { publishedAt: "11:30" });
    expect(await readUncachedRanking()).toEqual([
      { rank: null, name: "Often Late", settled: 2, won: 1 },
    ]);
  });

  it("omits suspended creators and creators without a settled tip", async () => {
    const suspended = await makeTipster({ name: "Suspended" });
    const unsettled = await makeTipster({ name: "Unsettled" });
    await publishSettledRaceCard(suspended.id, "2026-11-20", "W");
    await publishSettledRaceCard(unsettled.id, "2026-11-20", "-");
    await suspendCreator((await makeAdmin()).id, suspended.id);
    expect(await readUncachedRanking()).toEqual([]);
  });

  it("filters by dates, venue and tip type", async () => {
    const tipster = await makeTipster({ name: "Well Travelled" });
    await publishSettledRaceCard(tipster.id, "2026-10-31", "WW");
    await publishSettledRaceCard(tipster.id, "2026-11-01", "WL", { venue: "vaal" });
    await publishSettledRaceCard(tipster.id, "2026-11-20", "LLL", { tipType: "place" });
    const tally = async (filter: RankingFilter) => {
      const [row] = await readUncachedRanking(filter);
      return row ? `${row.won}/${row.settled}` : "none";
    };
    const vaal = (await findTestVenue("vaal")).id;
    expect(await tally({})).toBe("3/7");
    expect(await tally({ from: "2026-10-01", until: "2026-10-31" })).toBe("2/2");
    expect(await tally({ from: "2026-11-01", until: "2026-11-30" })).toBe("1/5");
    expect(await tally({ venueId: vaal })).toBe("1/2");
    expect(await tally({ tipType: "place" })).toBe("0/3");
    expect(await tally({ venueId: vaal, tipType: "place" })).toBe("none");
    expect(await tally({ from: "2026-12-01" })).toBe("none");
  });

  it("returns the current streak, the longest winning streak and the last 30 days", async () => {
    const tipster = await makeTipster({ name: "Hot And Cold" });
    await publishSettledRaceCard(tipster.id, "2026-09-01", "LWWWWL");
    await publishSettledRaceCard(tipster.id, "2026-11-19", "LWW");
    await publishSettledRaceCard(tipster.id, "2026-11-20", "WVL");
    await publishSettledRaceCard(tipster.id, "2026-11-21", "LL");
    const [all] = await readRankings(at, { from: "1901-01-01" });
    expect(all?.streak).toEqual({ result: "lost", length: 3 });
    expect(all?.longestWinningStreak).toBe(4);
    expect(all?.last30Days).toEqual({ settled: 7, won: 3 });
    const [before] = await readRankings(at, { from: "2026-09-01", until: "2026-11-19" });
    expect(before?.streak).toEqual({ result: "won", length: 2 });
    expect(before?.last30Days).toEqual({ settled: 7, won: 3 });
    expect(before?.tally).toEqual({ settled: 9, won: 6 });
  });

  it("starts the last 30 days on the day 29 days ago", async () => {
    const tipster = await makeTipster({ name: "At The Edge" });
    await publishSettledRaceCard(tipster.id, addDays(TODAY, -30), "WWW");
    await publishSettledRaceCard(tipster.id, addDays(TODAY, -29), "LW");
    await publishSettledRaceCard(tipster.id, TODAY, "L");
    const [all] = await readRankings(at, { from: "1902-01-01" });
    expect(all?.last30Days).toEqual({ settled: 3, won: 1 });
    expect(all?.tally).toEqual({ settled: 6, won: 4 });
  });
});

describe("the all-time ranking", () => {
  let day = 0;
  /** Returns the all-time ranking after comparing the tallies with the tips. */
  async function readVerifiedRanking(filter: RankingFilter = {}) {
    day += 1;
    const at = instantAt(addDays(TODAY, day), "20:00");
    const [stored, counted] = await Promise.all([
      readRankings(at, filter),
      readRankings(at, { ...filter, from: "1901-01-01" }),
    ]);
    expect(stored).toEqual(counted);
    return stored;
  }

  async function updateAllTallies() {
    while ((await updateStaleTallies()) > 0);
  }

  it("equals the ranking computed from the tips, with stored and with stale tallies", async () => {
    const first = await makeTipster({ name: "Kept One" });
    const second = await makeTipster({ name: "Kept Other" });
    await publishSettledRaceCard(first.id, "2026-11-01", "WLWVWC", { venue: "vaal" });
    await publishSettledRaceCard(first.id, "2026-11-19", "WW", { tipType: "place" });
    await publishSettledRaceCard(first.id, "2026-11-20", "WW", { publishedAt: "11:30" });
    await publishSettledRaceCard(second.id, "2026-11-20", "LLLC");
    const vaal = (await findTestVenue("vaal")).id;
    const filters = [{}, { venueId: vaal }, { tipType: "place" as const }];
    for (const filter of [...filters, { venueId: vaal, tipType: "win" as const }])
      await readVerifiedRanking(filter);
    await updateAllTallies();
    for (const filter of [...filters, { venueId: vaal, tipType: "place" as const }])
      await readVerifiedRanking(filter);
    expect((await readVerifiedRanking()).map((each) => each.tally)).toEqual([
      { settled: 6, won: 5 },
      { settled: 3, won: 0 },
    ]);
  });

  it("includes an entered or corrected result immediately", async () => {
    const tipster = await makeTipster({ name: "Followed" });
    await publishSettledRaceCard(tipster.id, "2026-11-18", "WL");
    await updateAllTallies();
    await publishSettledRaceCard(tipster.id, "2026-11-19", "LL");
    expect((await readVerifiedRanking())[0]?.streak).toEqual({ result: "lost", length: 3 });
    await updateAllTallies();
    const { rows } = await pool().query<{ id: string }>(
      `select t.id from tips t join race_cards c on c.id = t.race_card_id
       where c.creator_id = $1 order by c.race_date desc, t.race_number desc`,
      [tipster.id],
    );
    const admin = await makeAdmin();
    const tipId = rows[0]?.id as string;
    await transaction((tx) =>
      setTipResultAsTwo(tx, { tipId, result: "won", reason: "Objection", actorId: admin.id }),
    );
    expect((await readVerifiedRanking())[0]?.streak).toEqual({ result: "won", length: 1 });
  });

  it("orders results by off times that are reported later", async () => {
    const tipster = await makeTipster({ name: "Reordered" });
    await publishSettledRaceCard(tipster.id, "2026-11-17", "WL", { venue: "fairview" });
    await updateAllTallies();
    expect((await readVerifiedRanking())[0]?.streak).toEqual({ result: "lost", length: 1 });
    const venueId = (await findTestVenue("fairview")).id;
    await reportOffTimes(venueId, "2026-11-17", { races: 2, minutesApart: -35 });
    expect((await readVerifiedRanking())[0]?.streak).toEqual({ result: "won", length: 1 });
    await updateAllTallies();
    expect((await readVerifiedRanking())[0]?.streak).toEqual({ result: "won", length: 1 });
    // Without reported off times, the races are ordered by number.
    await reportOffTimes(venueId, "2026-11-17", { races: 0 });
    expect((await readVerifiedRanking())[0]?.streak).toEqual({ result: "lost", length: 1 });
  });

  it("are updated for the other creators when one fails, and for that one in the next run", async () => {
    const tipsters = [await makeTipster(), await makeTipster(), await makeTipster()];
    for (const { id } of tipsters) await publishSettledRaceCard(id, "2026-11-15", "WL");
    const [first, failing, last] = tipsters.map(({ id }) => id).sort();
    const readStale = async () =>
      (
        await pool().query(
          "select creator_id from creator_records where not is_tallied and creator_id = any ($1)",
          [[first, failing, last]],
        )
      ).rows;
    await withRefusedWrites(
      { table: "creator_tallies", write: "insert", condition: `new.creator_id = '${failing}'` },
      () => expect(updateStaleTallies()).rejects.toThrow(`1 failed: creator ${failing}`),
    );
    expect(await readStale()).toEqual([{ creator_id: failing }]);
    await updateStaleTallies();
    expect(await readStale()).toEqual([]);
  });

  it("includes a result that is entered while the tallies are being updated", async () => {
    const tipsters = await Promise.all(
      [1, 2, 3].map((each) => makeTipster({ name: `Busy ${each}` })),
    );
    for (const tipster of tipsters)
      await publishSettledRaceCard(tipster.id, "2026-11-16", "WWLLWW------");
    const { rows } = await pool().query<{ id: string }>(
      `select t.id from tips t join race_cards c on c.id = t.race_card_id
       where c.creator_id = any($1::uuid[]) and t.result is null`,
      [tipsters.map((tipster) => tipster.id)],
    );
    await Promise.all([
      ...rows.map(({ id: tipId }) => enterResults([{ tipId, result: "won" }])),
      ...Array.from({ length: 12 }, () => updateStaleTallies()),
    ]);
    await updateAllTallies();
    expect((await readVerifiedRanking()).map((each) => each.tally)).toEqual(
      tipsters.map(() => ({ settled: 12, won: 10 })),
    );
  });
});
