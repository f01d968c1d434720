import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { instantAt } from "#domain/calendar.ts";
import { freezeClock } from "#platform/clock.server.ts";
import { pool } from "#platform/database.server.ts";
import {
  findTestVenue,
  makeTipster,
  makeUser,
  publishRaceCard,
  reportOffTimes,
} from "#test/factories.ts";
import { markResult, markResults } from "./mark-results.server.ts";

const TODAY = "2026-11-21";
const at = (time: string) => instantAt(TODAY, time);

beforeEach(() => freezeClock(at("08:00")));
afterEach(() => freezeClock(null));

async function publishTestRaceCard(races: Parameters<typeof publishRaceCard>[0] = {}) {
  const raceCard = await publishRaceCard({ raceDate: TODAY, ...races });
  const { rows } = await pool().query<{ id: string }>(
    "select id from tips where race_card_id = $1 order by race_number",
    [raceCard.raceCardId],
  );
  return { ...raceCard, tipIds: rows.map((row) => row.id) as [string, ...string[]] };
}

async function readTipState(tipId: string) {
  const { rows } = await pool().query(
    `select t.result, t.settled_at, t.settled_by, r.tips, r.settled, r.won,
      (select count(*) from result_entries e where e.tip_id = t.id) as entries
     from tips t join race_cards c on c.id = t.race_card_id
     join creator_records r on r.creator_id = c.creator_id where t.id = $1`,
    [tipId],
  );
  return rows[0];
}

describe("markResults", () => {
  it("writes a result entry and leaves the record unchanged", async () => {
    const raceCard = await publishTestRaceCard();
    const [won, lost] = raceCard.tipIds as [string, string];
    freezeClock(at("18:00"));
    expect(await markResult(raceCard.creatorId, { tipId: won, result: "won" })).toEqual({
      ok: true,
      results: [{ tipId: won, result: "won" }],
    });
    await markResult(raceCard.creatorId, { tipId: lost, result: "lost" });
    expect(await readTipState(won)).toEqual({
      result: "won",
      settled_at: at("18:00"),
      settled_by: raceCard.creatorId,
      tips: 3,
      settled: 0,
      won: 0,
      entries: 1,
    });
    expect(await readTipState(lost)).toMatchObject({ result: "lost" });
  });

  it("settles a tip from its reported off time on", async () => {
    const venue = await findTestVenue("vaal");
    await reportOffTimes(venue.id, TODAY, { firstOff: "12:00", minutesApart: 35 });
    const raceCard = await publishTestRaceCard({ venue: "vaal", races: [1, 2] });
    freezeClock(at("12:00"));
    const [first, second] = raceCard.tipIds as [string, string];
    expect((await markResult(raceCard.creatorId, { tipId: first, result: "won" })).ok).toBe(true);
    expect(await markResult(raceCard.creatorId, { tipId: second, result: "won" })).toEqual({
      ok: false,
      refusal: "too-early",
      tipIds: [second],
    });
  });

  it("settles all tips of a race card in one call", async () => {
    const raceCard = await publishTestRaceCard();
    freezeClock(at("18:00"));
    await markResults(
      raceCard.creatorId,
      raceCard.tipIds.map((tipId, index) => ({ tipId, result: index === 1 ? "won" : "lost" })),
    );
    const states = await Promise.all(raceCard.tipIds.map(readTipState));
    expect(states.map((state) => state.result)).toEqual(["lost", "won", "lost"]);
  });
});

describe("a refused call of markResults", () => {
  it("changes nothing before the off", async () => {
    const raceCard = await publishTestRaceCard();
    freezeClock(at("17:59"));
    expect(
      await markResult(raceCard.creatorId, { tipId: raceCard.tipIds[0], result: "won" }),
    ).toEqual({
      ok: false,
      refusal: "too-early",
      tipIds: [raceCard.tipIds[0]],
    });
    expect(await readTipState(raceCard.tipIds[0])).toMatchObject({ result: null, settled: 0 });
  });

  it("changes nothing when another result is already saved", async () => {
    const raceCard = await publishTestRaceCard();
    freezeClock(at("18:00"));
    await markResult(raceCard.creatorId, { tipId: raceCard.tipIds[0], result: "lost" });
    expect(
      await markResult(raceCard.creatorId, { tipId: raceCard.tipIds[0], result: "won" }),
    ).toEqual({
      ok: false,
      refusal: "has-result",
      tipIds: [raceCard.tipIds[0]],
    });
    expect(await readTipState(raceCard.tipIds[0])).toMatchObject({
      result: "lost",
      won: 0,
      entries: 1,
    });
  });

  it("settles no tip when one of them is refused", async () => {
    const raceCard = await publishTestRaceCard({
      races: [1, { raceNumber: 2, raceTime: "20:00" }],
    });
    const [finishedTipId, laterTipId] = raceCard.tipIds as [string, string];
    freezeClock(at("18:30"));
    const result = await markResults(raceCard.creatorId, [
      { tipId: finishedTipId, result: "won" },
      { tipId: laterTipId, result: "won" },
    ]);
    expect(result).toEqual({ ok: false, refusal: "too-early", tipIds: [laterTipId] });
    expect(await readTipState(finishedTipId)).toMatchObject({ result: null });
  });

  it.each(["00000000-0000-4000-8000-000000000000", "not an id"])(
    "refuses an unknown or malformed tip id (%s)",
    async (tipId) => {
      const tipster = await makeTipster();
      expect(await markResult(tipster.id, { tipId, result: "won" })).toEqual({
        ok: false,
        refusal: "no-such-tip",
        tipIds: [tipId],
      });
    },
  );
});

it("treats another creator's tip as unknown", async () => {
  const raceCard = await publishTestRaceCard();
  freezeClock(at("18:00"));
  for (const otherUser of [await makeTipster(), await makeUser()])
    expect(
      await markResult(otherUser.id, { tipId: raceCard.tipIds[0], result: "won" }),
    ).toMatchObject({
      ok: false,
      refusal: "no-such-tip",
    });
  expect(await readTipState(raceCard.tipIds[0])).toMatchObject({ result: null });
});

it("stores a repeated result once and returns the same result", async () => {
  const raceCard = await publishTestRaceCard();
  freezeClock(at("18:00"));
  const mark = { tipId: raceCard.tipIds[0], result: "won" as const };
  const first = await markResult(raceCard.creatorId, mark);
  expect(await markResult(raceCard.creatorId, mark)).toEqual(first);
  expect(await readTipState(raceCard.tipIds[0])).toMatchObject({ result: "won", entries: 1 });
});

it("saves one result and refuses the other when W and L arrive together", async () => {
  for (let round = 0; round < 5; round += 1) {
    const raceCard = await publishTestRaceCard();
    freezeClock(at("18:00"));
    const tipId = raceCard.tipIds[0];
    const results = await Promise.all(
      (["won", "lost", "won", "lost"] as const).map((result) =>
        markResult(raceCard.creatorId, { tipId, result }),
      ),
    );
    const state = await readTipState(tipId);
    expect(state).toMatchObject({ entries: 1 });
    expect(results.filter((result) => result.ok)).toHaveLength(2);
    expect(results.filter((result) => !result.ok && result.refusal === "has-result")).toHaveLength(
      2,
    );
    freezeClock(at("08:00"));
  }
});
