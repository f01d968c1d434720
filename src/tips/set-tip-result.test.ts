import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { instantAt } from "#domain/calendar.ts";
import type { TipResult } from "#domain/tip.ts";
import { freezeClock } from "#platform/clock.server.ts";
import { pool, transaction } from "#platform/database.server.ts";
import { setTipResultAsTwo } from "#test/admin-results.ts";
import {
  findTestVenue,
  makeAdmin,
  type Person,
  publishRaceCard,
  reportRaceDay,
} from "#test/factories.ts";
import { expectInvariantsToHold } from "#test/integrity-checks.ts";
import { markResult } from "./mark-results.server.ts";
import { hideTip } from "./tip-visibility.server.ts";

const TODAY = "2026-11-21";
const at = (time: string) => instantAt(TODAY, time);
let admin: Person;

beforeEach(async () => {
  freezeClock(at("08:00"));
  admin = await makeAdmin();
});
afterEach(() => freezeClock(null));

async function publishTestRaceCard(races = [1, 2]) {
  const raceCard = await publishRaceCard({ raceDate: TODAY, races });
  const { rows } = await pool().query<{ id: string }>(
    "select id from tips where race_card_id = $1 order by race_number",
    [raceCard.raceCardId],
  );
  return { ...raceCard, tipIds: rows.map((row) => row.id) as [string, string] };
}

function correct(tipId: string, result: TipResult, reason = "Steward's report") {
  return transaction((tx) => setTipResultAsTwo(tx, { tipId, result, reason, actorId: admin.id }));
}

async function readRecord(creatorId: string) {
  const { rows } = await pool().query(
    "select tips, settled, won from creator_records where creator_id = $1",
    [creatorId],
  );
  return rows[0];
}

describe("setTipResult", () => {
  it("confirms the claim of the tipster, which then counts in the record", async () => {
    const raceCard = await publishTestRaceCard();
    const [tipId] = raceCard.tipIds;
    freezeClock(at("18:00"));
    await markResult(raceCard.creatorId, { tipId, result: "won" });
    expect(await readRecord(raceCard.creatorId)).toEqual({ tips: 2, settled: 0, won: 0 });
    for (const wasClaim of [true, false]) {
      expect(await correct(tipId, "won")).toMatchObject({ ok: true, previous: "won", wasClaim });
      expect(await readRecord(raceCard.creatorId)).toEqual({ tips: 2, settled: 1, won: 1 });
    }
    const { rows: tips } = await pool().query(
      `select is_claim, claimed_result,
        (select count(*)::integer from result_entries where tip_id = $1) as entries
       from tips where id = $1`,
      [tipId],
    );
    expect(tips).toEqual([{ is_claim: false, claimed_result: "won", entries: 2 }]);
  });

  it("marks the record, with and without declared runners, until two admins enter the result", async () => {
    const venue = await findTestVenue("vaal");
    const runner = { jockey: null, trainer: null, draw: null, isScratched: false };
    await reportRaceDay(
      venue.id,
      TODAY,
      [1, 2].map((raceNumber) => ({
        raceNumber,
        time: `1${raceNumber + 1}:00`,
        runners: raceNumber === 1 ? [{ ...runner, number: 2, horseName: "Harbour Light" }] : [],
      })),
    );
    const raceCard = await publishRaceCard({
      raceDate: TODAY,
      venue: "vaal",
      races: [{ raceNumber: 1, horseName: "Harbour Light" }, 2],
    });
    const { rows } = await pool().query<{ id: string }>(
      "select id from tips where race_card_id = $1 order by race_number",
      [raceCard.raceCardId],
    );
    const [declared = "", undeclared = ""] = rows.map((row) => row.id);
    const isMarked = async () => {
      const { rows: records } = await pool().query(
        "select has_one_person_results as marked from creator_records where creator_id = $1",
        [raceCard.creatorId],
      );
      return records[0].marked;
    };
    freezeClock(at("18:00"));
    await markResult(raceCard.creatorId, { tipId: declared, result: "won" });
    expect(await isMarked()).toBe(false);
    for (const [tipId, hour] of [
      [declared, "19:00"],
      [undeclared, "20:00"],
    ] as const) {
      await pool().query("delete from user_roles where role = 'admin' and user_id <> $1", [
        admin.id,
      ]);
      for (const result of ["won", "lost", "void"] as const) {
        await correct(tipId, result);
        expect(await isMarked()).toBe(true);
        await expectInvariantsToHold();
      }
      await makeAdmin("Themba Ndlovu");
      freezeClock(at(hour));
      await correct(tipId, "lost");
      expect(await isMarked()).toBe(false);
      await expectInvariantsToHold();
    }
  });

  it("enters the result of a late tip without counting it", async () => {
    freezeClock(at("11:30"));
    const raceCard = await publishTestRaceCard();
    freezeClock(at("18:00"));
    expect(await correct(raceCard.tipIds[0], "won")).toMatchObject({ ok: true });
    expect(await readRecord(raceCard.creatorId)).toEqual({ tips: 2, settled: 0, won: 0 });
  });

  it("replaces the result, updates the record and writes an audit entry with the reason", async () => {
    const raceCard = await publishTestRaceCard();
    freezeClock(at("18:00"));
    await markResult(raceCard.creatorId, { tipId: raceCard.tipIds[0], result: "won" });
    freezeClock(at("19:00"));
    expect(await correct(raceCard.tipIds[0], "lost", "  Objection upheld ")).toEqual({
      ok: true,
      raceCardId: raceCard.raceCardId,
      creatorId: raceCard.creatorId,
      previous: "won",
      wasClaim: true,
      isCardVoid: false,
      isWaiting: false,
      isOnePerson: false,
      reason: "Objection upheld",
    });
    expect(await readRecord(raceCard.creatorId)).toEqual({ tips: 2, settled: 1, won: 0 });
    const { rows: entries } = await pool().query(
      "select result, actor_id, reason from result_entries where tip_id = $1 order by id",
      [raceCard.tipIds[0]],
    );
    expect(entries).toEqual([
      { result: "won", actor_id: raceCard.creatorId, reason: "" },
      { result: "lost", actor_id: admin.id, reason: "Objection upheld" },
    ]);
    const { rows: auditEntries } = await pool().query(
      "select action, actor_id, details from audit_entries where subject = $1 and actor_id = $2",
      [raceCard.tipIds[0], admin.id],
    );
    expect(auditEntries).toEqual([
      {
        action: "correct-result",
        actor_id: admin.id,
        details: { from: "won", to: "lost", reason: "Objection upheld" },
      },
    ]);
  });

  it("removes a void tip from the record and adds it back after another correction", async () => {
    const raceCard = await publishTestRaceCard();
    freezeClock(at("18:00"));
    await markResult(raceCard.creatorId, { tipId: raceCard.tipIds[0], result: "won" });
    await correct(raceCard.tipIds[0], "void");
    expect(await readRecord(raceCard.creatorId)).toEqual({ tips: 1, settled: 0, won: 0 });
    await correct(raceCard.tipIds[0], "won");
    expect(await readRecord(raceCard.creatorId)).toEqual({ tips: 2, settled: 1, won: 1 });
  });

  it("allows void before the off, for a non-runner", async () => {
    const raceCard = await publishTestRaceCard();
    expect(await correct(raceCard.tipIds[0], "void")).toMatchObject({ ok: true, previous: null });
  });

  it("reports a void race card when every visible race is void", async () => {
    const raceCard = await publishTestRaceCard([1, 2, 3]);
    const [firstTipId, secondTipId] = raceCard.tipIds;
    await hideTip(admin.id, raceCard.tipIds.at(2) as string);
    expect(await correct(firstTipId, "void")).toMatchObject({ isCardVoid: false });
    expect(await correct(secondTipId, "void")).toMatchObject({ isCardVoid: true });
  });
});

describe("a refused correction", () => {
  it.each([
    ["a result of a race before its off", "won" as const, "because", "too-early"],
    ["a correction without a reason", "void" as const, "  ", "reason-missing"],
  ])("refuses %s and changes nothing", async (_, result, reason, refusal) => {
    const raceCard = await publishTestRaceCard();
    expect(await correct(raceCard.tipIds[0], result, reason)).toEqual({ ok: false, refusal });
    expect(await readRecord(raceCard.creatorId)).toEqual({ tips: 2, settled: 0, won: 0 });
  });

  it.each(["00000000-0000-4000-8000-000000000000", "not an id"])(
    "refuses an unknown or malformed tip id (%s)",
    async (tipId) => {
      expect(await correct(tipId, "void")).toEqual({ ok: false, refusal: "no-such-tip" });
    },
  );
});

it("writes one entry when the same correction is sent twice", async () => {
  const raceCard = await publishTestRaceCard();
  await correct(raceCard.tipIds[0], "void");
  expect(await correct(raceCard.tipIds[0], "void")).toMatchObject({ ok: true, previous: "void" });
  const { rows } = await pool().query("select 1 from result_entries where tip_id = $1", [
    raceCard.tipIds[0],
  ]);
  expect(rows).toHaveLength(1);
  expect(await readRecord(raceCard.creatorId)).toMatchObject({ tips: 1 });
});

it("reports a void race card once when its last two races are voided concurrently", async () => {
  for (let round = 0; round < 5; round += 1) {
    const raceCard = await publishTestRaceCard();
    const results = await Promise.all(raceCard.tipIds.map((tipId) => correct(tipId, "void")));
    expect(results.map((result) => "isCardVoid" in result && result.isCardVoid).sort()).toEqual([
      false,
      true,
    ]);
    expect(await readRecord(raceCard.creatorId)).toEqual({ tips: 0, settled: 0, won: 0 });
  }
});

it("keeps the record consistent when a result and its correction arrive together", async () => {
  for (let round = 0; round < 5; round += 1) {
    freezeClock(at("08:00"));
    const raceCard = await publishTestRaceCard();
    freezeClock(at("18:00"));
    await Promise.all([
      markResult(raceCard.creatorId, { tipId: raceCard.tipIds[0], result: "won" }),
      correct(raceCard.tipIds[0], "lost"),
    ]);
    expect(await readRecord(raceCard.creatorId)).toEqual({ tips: 2, settled: 1, won: 0 });
  }
});
