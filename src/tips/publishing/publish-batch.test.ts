import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { suspendCreator } from "#creators/suspension.server.ts";
import { instantAt } from "#domain/calendar.ts";
import { freezeClock } from "#platform/clock.server.ts";
import { pool, transaction } from "#platform/database.server.ts";
import { setVenueActive } from "#racing/set-venue-active.server.ts";
import { setTipResultAsTwo } from "#test/admin-results.ts";
import {
  createBatchInput,
  findTestVenue,
  makeAdmin,
  makeTipster,
  makeUser,
  reportOffTimes,
} from "#test/factories.ts";
import { waitForLockWaiters } from "#test/locks.ts";
import { hideTip } from "../tip-visibility.server.ts";
import { publishBatch } from "./publish-batch.server.ts";

const TODAY = "2026-11-21";
const at = (time: string, date = TODAY) => instantAt(date, time);
let venueId: string;

beforeEach(async () => {
  freezeClock(at("08:00"));
  venueId = (await findTestVenue()).id;
});
afterEach(() => freezeClock(null));

async function readTips(creatorId: string) {
  const { rows } = await pool().query(
    `select t.* from tips t join race_cards c on c.id = t.race_card_id
     where c.creator_id = $1 order by c.race_date, t.race_number`,
    [creatorId],
  );
  return rows;
}

async function readRecord(creatorId: string) {
  const { rows } = await pool().query(
    "select tips, settled, won from creator_records where creator_id = $1",
    [creatorId],
  );
  return rows[0];
}

async function readNoticesAfter(count: number) {
  const { rows } = await pool().query(
    "select subject, text, html from emails where kind = 'tip-notice' order by created_at, id offset $1",
    [count],
  );
  return rows;
}

describe("publishBatch", () => {
  it("creates a race card with its tips, updates the record and notifies the operator", async () => {
    const tipster = await makeTipster({ name: "Silver Sands" });
    const before = (await readNoticesAfter(0)).length;
    const races = [
      {
        raceNumber: 3,
        horseNumber: 7,
        horseName: "Dune Runner",
        tipType: "each-way" as const,
        confidence: "high" as const,
        analysis: "Drawn well and fresh.",
        raceTime: "14:10",
      },
      1,
    ];
    const result = await publishBatch(
      tipster.id,
      createBatchInput({ venueId, raceDate: TODAY, races }),
    );

    expect(result).toMatchObject({ ok: true, raceNumbers: [1, 3] });
    const tips = await readTips(tipster.id);
    expect(tips.map((tip) => tip.race_number)).toEqual([1, 3]);
    expect(tips[1]).toMatchObject({
      horse_number: 7,
      horse_name: "Dune Runner",
      tip_type: "each-way",
      confidence: "high",
      tip_text: "Race 3: #7 Dune Runner (each-way). Drawn well and fresh.",
      entered_off_at: at("14:10"),
      published_at: at("08:00"),
      is_late: false,
      is_active: true,
      result: null,
    });
    expect(await readRecord(tipster.id)).toEqual({ tips: 2, settled: 0, won: 0 });
    const [notice, ...otherNotices] = await readNoticesAfter(before);
    expect(otherNotices).toEqual([]);
    expect(notice.subject).toBe("Silver Sands: 2 races at Kenilworth, 21 Nov 2026");
    expect(notice.text).toContain("1, 3");
  });

  it("sends the operator an email with race numbers but no horse or analysis", async () => {
    const tipster = await makeTipster();
    const before = (await readNoticesAfter(0)).length;
    await publishBatch(tipster.id, createBatchInput({ venueId, races: [2, 5] }));
    const mail = JSON.stringify(await readNoticesAfter(before));
    expect(mail).toContain("2, 5");
    expect(mail).not.toMatch(/secret/i);
  });

  it("adds a later batch to the same race card", async () => {
    const tipster = await makeTipster();
    const first = await publishBatch(tipster.id, createBatchInput({ venueId, races: [1, 2] }));
    const second = await publishBatch(tipster.id, createBatchInput({ venueId, races: [3] }));
    if (!first.ok || !second.ok) throw new Error("not published");
    expect(second.raceCardId).toBe(first.raceCardId);
    expect(await readRecord(tipster.id)).toMatchObject({ tips: 3 });
  });

  it("uses the reported off time instead of the entered one", async () => {
    const tipster = await makeTipster();
    const { id } = await findTestVenue("vaal");
    await reportOffTimes(id, TODAY, { firstOff: "12:00" });
    freezeClock(at("12:00"));
    const races = [{ raceNumber: 1, raceTime: "15:00" }];
    const batch = createBatchInput({ venueId: id, raceDate: TODAY, races });
    expect(await publishBatch(tipster.id, batch)).toEqual({
      ok: false,
      refusal: "off-passed",
      raceNumbers: [1],
    });
  });

  it("marks a tip without a reported off as late after 11:00, even with an entered off time", async () => {
    const tipster = await makeTipster();
    freezeClock(at("11:00"));
    const races = [1, { raceNumber: 2, raceTime: "15:00" }];
    await publishBatch(tipster.id, createBatchInput({ venueId, raceDate: TODAY, races }));
    expect((await readTips(tipster.id)).map((tip) => tip.is_late)).toEqual([true, true]);
  });

  it("does not mark a tip with a reported off as late after 11:00", async () => {
    const tipster = await makeTipster();
    const { id } = await findTestVenue("fairview");
    await reportOffTimes(id, TODAY, { firstOff: "14:00", races: 2 });
    freezeClock(at("11:59"));
    await publishBatch(
      tipster.id,
      createBatchInput({ venueId: id, raceDate: TODAY, races: [1, 2] }),
    );
    expect((await readTips(tipster.id)).map((tip) => tip.is_late)).toEqual([false, false]);
  });
});

describe("a refused batch", () => {
  const createInput = (changes: Partial<Parameters<typeof createBatchInput>[0]>) =>
    createBatchInput({ venueId, raceDate: TODAY, ...changes });

  it.each([
    ["a batch without a race", { races: [] }, { refusal: "no-races" }],
    [
      "a race number above 12",
      { races: [1, 13] },
      { refusal: "race-out-of-range", raceNumbers: [13] },
    ],
    ["a duplicate race", { races: [4, 4] }, { refusal: "duplicate-race", raceNumbers: [4] }],
    ["a past date", { raceDate: "2026-11-20" }, { refusal: "past-day" }],
    ["a date too far ahead", { raceDate: "2026-12-06" }, { refusal: "too-far-ahead" }],
    [
      "a race after its off",
      { races: [{ raceNumber: 6, raceTime: "07:59" }, 7] },
      { refusal: "off-passed", raceNumbers: [6] },
    ],
    [
      "an unknown venue",
      { venueId: "00000000-0000-4000-8000-000000000000" },
      { refusal: "unknown-venue" },
    ],
  ])("publishBatch refuses %s and saves nothing", async (_, changes, refusal) => {
    const tipster = await makeTipster();
    expect(await publishBatch(tipster.id, createInput(changes))).toEqual({ ok: false, ...refusal });
    expect(await readTips(tipster.id)).toEqual([]);
    expect(await readRecord(tipster.id)).toMatchObject({ tips: 0 });
  });

  it("publishBatch refuses published races and returns their numbers", async () => {
    const tipster = await makeTipster();
    await publishBatch(tipster.id, createInput({ races: [1, 2, 3] }));
    expect(await publishBatch(tipster.id, createInput({ races: [3, 4, 2] }))).toEqual({
      ok: false,
      refusal: "race-taken",
      raceNumbers: [2, 3],
    });
    expect(await readTips(tipster.id)).toHaveLength(3);
  });

  it("publishBatch refuses an inactive venue", async () => {
    const tipster = await makeTipster();
    const admin = await makeAdmin();
    const { id } = await findTestVenue("fairview");
    await setVenueActive(admin.id, id, false);
    expect(await publishBatch(tipster.id, createInput({ venueId: id }))).toEqual({
      ok: false,
      refusal: "unknown-venue",
    });
  });

  it("publishBatch refuses a venue that is deleted while the batch waits for its lock", async () => {
    const tipster = await makeTipster();
    const { id } = await findTestVenue("turffontein");
    const { publication } = await transaction(async (tx) => {
      await tx.execute(`update venues set deleted_at = updated_at where id = '${id}'`);
      const publication = publishBatch(tipster.id, createInput({ venueId: id }));
      await waitForLockWaiters(1);
      return { publication };
    });
    expect(await publication).toEqual({ ok: false, refusal: "unknown-venue" });
    expect(await readTips(tipster.id)).toEqual([]);
  });
});

describe("a race added to a race card with void races", () => {
  /** Publishes a race card with races 1 and 2 and voids or hides the races in `marks`. */
  async function publishMarkedRaceCard(marks: Record<number, "void" | "hidden">) {
    const [creator, admin, venue] = [await makeTipster(), await makeAdmin(), await findTestVenue()];
    const batch = { venueId: venue.id, raceDate: TODAY };
    await publishBatch(creator.id, createBatchInput({ ...batch, races: [1, 2] }));
    for (const tip of await readTips(creator.id)) {
      const mark = marks[tip.race_number];
      if (mark === "hidden") await hideTip(admin.id, tip.id);
      if (mark === "void") await voidTip(admin.id, tip.id);
    }
    return {
      creator,
      admin,
      add: () => publishBatch(creator.id, createBatchInput({ ...batch, races: [3] })),
    };
  }

  const voidTip = (actorId: string, tipId: string) =>
    transaction((tx) =>
      setTipResultAsTwo(tx, { tipId, result: "void", reason: "Meeting abandoned", actorId }),
    );

  it.each<[string, Record<number, "void" | "hidden">]>([
    ["every race is void", { 1: "void", 2: "void" }],
    ["the one race that is not void is hidden", { 1: "hidden", 2: "void" }],
  ])("is refused when %s", async (_, marks) => {
    const { creator, add } = await publishMarkedRaceCard(marks);
    expect(await add()).toEqual({ ok: false, refusal: "card-void" });
    expect(await readTips(creator.id)).toHaveLength(2);
    expect((await readRecord(creator.id)).tips).toBe(
      2 - Object.values(marks).filter((mark) => mark === "void").length,
    );
  });

  it("is refused after a void result was corrected, because buyers keep their refunds", async () => {
    const { creator, admin, add } = await publishMarkedRaceCard({ 1: "void", 2: "void" });
    const [tip] = await readTips(creator.id);
    freezeClock(at("19:00"));
    const corrected = await transaction((tx) =>
      setTipResultAsTwo(tx, {
        tipId: tip?.id ?? "",
        result: "lost",
        reason: "It was run after all",
        actorId: admin.id,
      }),
    );
    expect(corrected).toMatchObject({ ok: true, previous: "void" });
    freezeClock(at("08:00"));
    expect(await add()).toEqual({ ok: false, refusal: "card-void" });
    expect(await readTips(creator.id)).toHaveLength(2);
  });

  it.each<[string, Record<number, "void" | "hidden">]>([
    ["one race still counts", { 1: "void" }],
    ["races are hidden and none is void", { 1: "hidden", 2: "hidden" }],
  ])("is published when %s", async (_, marks) => {
    const { add } = await publishMarkedRaceCard(marks);
    expect(await add()).toMatchObject({ ok: true, raceNumbers: [3] });
  });

  it("is refused when the last race is voided concurrently", async () => {
    const { creator, admin, add } = await publishMarkedRaceCard({ 1: "void" });
    const lastTip = (await readTips(creator.id)).find((tip) => tip.race_number === 2);
    const { added } = await transaction(async (tx) => {
      await setTipResultAsTwo(tx, {
        tipId: lastTip?.id ?? "",
        result: "void",
        reason: "Meeting abandoned",
        actorId: admin.id,
      });
      const added = add();
      await waitForLockWaiters(1);
      return { added };
    });
    expect(await added).toEqual({ ok: false, refusal: "card-void" });
  });

  it("blocks a concurrent void of the last race until it commits, so that the race card is not void", async () => {
    const { creator, admin } = await publishMarkedRaceCard({ 1: "void" });
    const last = (await readTips(creator.id)).find((tip) => tip.race_number === 2);
    const { voided } = await transaction(async (tx) => {
      // Takes the lock that publishing holds from its first statement to its commit.
      await tx.execute(`select from creators where user_id = '${creator.id}' for no key update`);
      await tx.execute(`insert into tips (race_card_id, race_number, horse_number, horse_name,
          tip_type, confidence, analysis, tip_text, is_late, published_at)
        select race_card_id, 3, 1, 'Added', 'win', 'low', 'Why', 'Text', false, published_at
        from tips where id = '${last?.id}'`);
      await tx.execute(
        `update creator_records set tips = tips + 1 where creator_id = '${creator.id}'`,
      );
      const voided = voidTip(admin.id, last?.id ?? "");
      await waitForLockWaiters(1);
      return { voided };
    });
    expect(await voided).toMatchObject({ ok: true, isCardVoid: false });
  });
});

describe("a batch of a user who cannot publish", () => {
  it("is refused when the user is not a creator", async () => {
    const user = await makeUser();
    expect(await publishBatch(user.id, createBatchInput({ venueId }))).toEqual({
      ok: false,
      refusal: "not-a-creator",
    });
  });

  it("is refused when the creator is suspended", async () => {
    const tipster = await makeTipster();
    await suspendCreator((await makeAdmin()).id, tipster.id);
    expect(await publishBatch(tipster.id, createBatchInput({ venueId }))).toEqual({
      ok: false,
      refusal: "suspended",
    });
    expect(await readTips(tipster.id)).toEqual([]);
  });
});

describe("a repeated idempotency key", () => {
  it("returns the first result and publishes nothing, even after the day is over", async () => {
    const tipster = await makeTipster();
    const batch = createBatchInput({ venueId, raceDate: TODAY });
    const first = await publishBatch(tipster.id, batch);
    const before = (await readNoticesAfter(0)).length;
    freezeClock(at("23:00"));
    expect(await publishBatch(tipster.id, batch)).toEqual(first);
    expect(await readTips(tipster.id)).toHaveLength(3);
    expect(await readNoticesAfter(before)).toEqual([]);
  });

  it("refuses the published races when the form was changed since, and then publishes the rest once", async () => {
    const tipster = await makeTipster();
    const batch = createBatchInput({ venueId, races: [1, 2, 3] });
    await publishBatch(tipster.id, batch);
    const published = await readTips(tipster.id);
    const { races } = createBatchInput({ venueId, races: [1, 2, 3, 4] });
    const changed = races.map((race) =>
      race.raceNumber === 2 ? { ...race, horseName: "Another Horse" } : race,
    );
    const refusal = { ok: false, refusal: "race-taken", raceNumbers: [1, 2, 3] };
    expect(await publishBatch(tipster.id, { ...batch, races: changed })).toEqual(refusal);
    expect(await readTips(tipster.id)).toEqual(published);
    const rest = { ...batch, races: changed.filter((race) => race.raceNumber === 4) };
    const results = await Promise.all([1, 2, 3].map(() => publishBatch(tipster.id, rest)));
    results.push(await publishBatch(tipster.id, rest));
    for (const result of results)
      expect(result).toEqual({ ok: true, raceCardId: expect.any(String), raceNumbers: [4] });
    expect((await readTips(tipster.id)).map((tip) => tip.race_number)).toEqual([1, 2, 3, 4]);
    expect(await readRecord(tipster.id)).toMatchObject({ tips: 4 });
  });

  it.each([
    ["horse number", { horseNumber: 9 }],
    ["horse name", { horseName: "Another Horse" }],
    ["tip type", { tipType: "place" as const }],
    ["confidence", { confidence: "high" as const }],
    ["analysis", { analysis: "Another reason." }],
    ["off time", { raceTime: "15:00" }],
  ])("refuses the same races with another %s, twice and concurrently", async (_, change) => {
    const tipster = await makeTipster();
    const batch = createBatchInput({ venueId, races: [1, 2] });
    const first = await publishBatch(tipster.id, batch);
    const races = batch.races.map((race) =>
      race.raceNumber === 2 ? { ...race, ...change } : race,
    );
    const results = await Promise.all(
      [1, 2].map(() => publishBatch(tipster.id, { ...batch, races })),
    );
    results.push(await publishBatch(tipster.id, { ...batch, races }));
    const refusal = { ok: false, refusal: "race-taken", raceNumbers: [1, 2] };
    expect(results).toEqual([refusal, refusal, refusal]);
    expect(await publishBatch(tipster.id, batch)).toEqual(first);
    expect(await readTips(tipster.id)).toHaveLength(2);
  });

  it.each([
    ["venue", async () => ({ venueId: (await findTestVenue("vaal")).id })],
    ["day", async () => ({ raceDate: "2026-11-23" })],
  ])("publishes the same races for another %s, once", async (_, readChange) => {
    const tipster = await makeTipster();
    const batch = createBatchInput({ venueId, raceDate: "2026-11-24", races: [1, 2] });
    const first = await publishBatch(tipster.id, batch);
    const changed = { ...batch, ...(await readChange()) };
    const second = await publishBatch(tipster.id, changed);
    if (!first.ok || !second.ok) throw new Error("not published");
    expect(second.raceCardId).not.toBe(first.raceCardId);
    expect(await publishBatch(tipster.id, changed)).toEqual(second);
    expect(await publishBatch(tipster.id, batch)).toEqual(first);
    expect(await readTips(tipster.id)).toHaveLength(4);
  });

  it("returns the first result when the off, which the form then leaves out, was reported since", async () => {
    const tipster = await makeTipster();
    const { id } = await findTestVenue("greyville");
    const races = [{ raceNumber: 1, raceTime: "14:00" }];
    const batch = createBatchInput({ venueId: id, raceDate: "2026-11-25", races });
    const first = await publishBatch(tipster.id, batch);
    await reportOffTimes(id, "2026-11-25", { firstOff: "14:05", races: 1 });
    const repeated = { ...batch, races: batch.races.map((race) => ({ ...race, raceTime: null })) };
    expect(await publishBatch(tipster.id, repeated)).toEqual(first);
    expect(await readTips(tipster.id)).toHaveLength(1);
  });

  it("publishes two batches for two creators", async () => {
    const [firstTipster, secondTipster] = [await makeTipster(), await makeTipster()];
    const batch = createBatchInput({ venueId });
    const [first, second] = [
      await publishBatch(firstTipster.id, batch),
      await publishBatch(secondTipster.id, batch),
    ];
    expect(first.ok && second.ok && first.raceCardId !== second.raceCardId).toBe(true);
  });

  it("publishes one batch when ten requests arrive together, and returns the same result to each", async () => {
    const tipster = await makeTipster();
    const batch = createBatchInput({ venueId });
    const results = await Promise.all(
      Array.from({ length: 10 }, () => publishBatch(tipster.id, batch)),
    );
    expect(new Set(results.map((result) => JSON.stringify(result))).size).toBe(1);
    expect(results[0]?.ok).toBe(true);
    expect(await readTips(tipster.id)).toHaveLength(3);
    expect(await readRecord(tipster.id)).toMatchObject({ tips: 3 });
  });
});

it("refuses one of two concurrent batches with the same race", async () => {
  for (let round = 0; round < 5; round += 1) {
    const tipster = await makeTipster();
    const results = await Promise.all([
      publishBatch(tipster.id, createBatchInput({ venueId, races: [1, 2] })),
      publishBatch(tipster.id, createBatchInput({ venueId, races: [2, 3] })),
    ]);
    expect(results.filter((result) => result.ok)).toHaveLength(1);
    expect(results.find((result) => !result.ok)).toEqual({
      ok: false,
      refusal: "race-taken",
      raceNumbers: [2],
    });
    expect(await readTips(tipster.id)).toHaveLength(2);
  }
});

it("prevents updating and deleting a published tip in the database", async () => {
  const tipster = await makeTipster();
  await publishBatch(tipster.id, createBatchInput({ venueId, races: [1] }));
  const [tip] = await readTips(tipster.id);
  await expect(
    pool().query("update tips set horse_name = 'Another' where id = $1", [tip.id]),
  ).rejects.toThrow("a published tip cannot change");
  await expect(
    pool().query("update tips set is_late = not is_late where id = $1", [tip.id]),
  ).rejects.toThrow("is_late must match the known off time");
  await expect(pool().query("delete from tips where id = $1", [tip.id])).rejects.toThrow();
});
