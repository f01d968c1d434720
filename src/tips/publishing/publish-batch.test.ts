import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { suspendCreator } from "#creators/creators.server.ts";
import { instantAt } from "#domain/calendar.ts";
import { freezeClock } from "#platform/clock.server.ts";
import { pool, transaction } from "#platform/database.server.ts";
import { setVenueActive } from "#racing/racing.server.ts";
import {
  createBatchInput,
  findTestVenue,
  makeAdmin,
  makeTipster,
  makeUser,
  reportOffTimes,
} from "#test/factories.ts";
import { waitForLockWaiters } from "#test/locks.ts";
import { correctResult } from "../correct-result.server.ts";
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

async function tipsOf(creatorId: string) {
  const { rows } = await pool().query(
    `select t.* from tips t join race_cards c on c.id = t.race_card_id
     where c.creator_id = $1 order by c.race_date, t.race_number`,
    [creatorId],
  );
  return rows;
}

async function recordOf(creatorId: string) {
  const { rows } = await pool().query(
    "select tips, settled, won from creator_records where creator_id = $1",
    [creatorId],
  );
  return rows[0];
}

async function noticesSince(count: number) {
  const { rows } = await pool().query(
    "select subject, text, html from mails where kind = 'tip-notice' order by created_at, id offset $1",
    [count],
  );
  return rows;
}

describe("publishBatch", () => {
  it("saves a race card with its tips, updates the record and notifies the operator", async () => {
    const tipster = await makeTipster({ name: "Silver Sands" });
    const before = (await noticesSince(0)).length;
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
    const answer = await publishBatch(
      tipster.id,
      createBatchInput({ venueId, raceDate: TODAY, races }),
    );

    expect(answer).toMatchObject({ ok: true, raceNumbers: [1, 3] });
    const tips = await tipsOf(tipster.id);
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
    expect(await recordOf(tipster.id)).toEqual({ tips: 2, settled: 0, won: 0 });
    const [notice, ...others] = await noticesSince(before);
    expect(others).toEqual([]);
    expect(notice.subject).toBe("Silver Sands: 2 races at Kenilworth, 21 Nov 2026");
    expect(notice.text).toContain("1, 3");
  });

  it("sends the operator race numbers but no horse or analysis", async () => {
    const tipster = await makeTipster();
    const before = (await noticesSince(0)).length;
    await publishBatch(tipster.id, createBatchInput({ venueId, races: [2, 5] }));
    const mail = JSON.stringify(await noticesSince(before));
    expect(mail).toContain("2, 5");
    expect(mail).not.toMatch(/secret/i);
  });

  it("adds a later batch to the same card", async () => {
    const tipster = await makeTipster();
    const first = await publishBatch(tipster.id, createBatchInput({ venueId, races: [1, 2] }));
    const second = await publishBatch(tipster.id, createBatchInput({ venueId, races: [3] }));
    if (!first.ok || !second.ok) throw new Error("not published");
    expect(second.raceCardId).toBe(first.raceCardId);
    expect(await recordOf(tipster.id)).toMatchObject({ tips: 3 });
  });

  it("uses the reported off time instead of the tipster's", async () => {
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

  it("marks a tip without a reported off as late after 11:00, whatever off time it gives", async () => {
    const tipster = await makeTipster();
    freezeClock(at("11:00"));
    const races = [1, { raceNumber: 2, raceTime: "15:00" }];
    await publishBatch(tipster.id, createBatchInput({ venueId, raceDate: TODAY, races }));
    expect((await tipsOf(tipster.id)).map((tip) => tip.is_late)).toEqual([true, true]);
  });

  it("does not mark a tip with a reported off as late after 11:00", async () => {
    const tipster = await makeTipster();
    const { id } = await findTestVenue("fairview");
    await reportOffTimes(id, TODAY, { firstOff: "12:00", races: 2 });
    freezeClock(at("11:59"));
    await publishBatch(
      tipster.id,
      createBatchInput({ venueId: id, raceDate: TODAY, races: [1, 2] }),
    );
    expect((await tipsOf(tipster.id)).map((tip) => tip.is_late)).toEqual([false, false]);
  });
});

describe("publishBatch refuses and saves nothing", () => {
  const batchOf = (changes: Partial<Parameters<typeof createBatchInput>[0]>) =>
    createBatchInput({ venueId, raceDate: TODAY, ...changes });

  it.each([
    ["without a race", { races: [] }, { refusal: "no-races" }],
    [
      "with a race out of 1 to 12",
      { races: [1, 13] },
      { refusal: "race-out-of-range", raceNumbers: [13] },
    ],
    [
      "with the same race twice",
      { races: [4, 4] },
      { refusal: "duplicate-race", raceNumbers: [4] },
    ],
    ["for a day that is over", { raceDate: "2026-11-20" }, { refusal: "past-day" }],
    ["for a day too far ahead", { raceDate: "2026-12-06" }, { refusal: "too-far-ahead" }],
    [
      "for a race that has gone off",
      { races: [{ raceNumber: 6, raceTime: "07:59" }, 7] },
      { refusal: "off-passed", raceNumbers: [6] },
    ],
    [
      "for an unknown venue",
      { venueId: "00000000-0000-4000-8000-000000000000" },
      { refusal: "unknown-venue" },
    ],
  ])("%s", async (_, changes, refusal) => {
    const tipster = await makeTipster();
    expect(await publishBatch(tipster.id, batchOf(changes))).toEqual({ ok: false, ...refusal });
    expect(await tipsOf(tipster.id)).toEqual([]);
    expect(await recordOf(tipster.id)).toMatchObject({ tips: 0 });
  });

  it("for races that the card already has, with their numbers", async () => {
    const tipster = await makeTipster();
    await publishBatch(tipster.id, batchOf({ races: [1, 2, 3] }));
    expect(await publishBatch(tipster.id, batchOf({ races: [3, 4, 2] }))).toEqual({
      ok: false,
      refusal: "race-taken",
      raceNumbers: [2, 3],
    });
    expect(await tipsOf(tipster.id)).toHaveLength(3);
  });

  it("for an inactive venue", async () => {
    const tipster = await makeTipster();
    const admin = await makeAdmin();
    const { id } = await findTestVenue("fairview");
    await setVenueActive(admin.id, id, false);
    expect(await publishBatch(tipster.id, batchOf({ venueId: id }))).toEqual({
      ok: false,
      refusal: "unknown-venue",
    });
  });
});

describe("a race added to a card with void races", () => {
  /** Publishes a card with races 1 and 2, each voided or hidden as given. */
  async function cardWith(marks: Record<number, "void" | "hidden">) {
    const [creator, admin, venue] = [await makeTipster(), await makeAdmin(), await findTestVenue()];
    const batch = { venueId: venue.id, raceDate: TODAY };
    await publishBatch(creator.id, createBatchInput({ ...batch, races: [1, 2] }));
    for (const tip of await tipsOf(creator.id)) {
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
      correctResult(tx, { tipId, result: "void", reason: "Meeting abandoned", actorId }),
    );

  it.each<[string, Record<number, "void" | "hidden">]>([
    ["every race is void", { 1: "void", 2: "void" }],
    ["the one race that is not void is hidden", { 1: "hidden", 2: "void" }],
  ])("is refused when %s", async (_, marks) => {
    const { creator, add } = await cardWith(marks);
    expect(await add()).toEqual({ ok: false, refusal: "card-void" });
    expect(await tipsOf(creator.id)).toHaveLength(2);
    expect((await recordOf(creator.id)).tips).toBe(
      2 - Object.values(marks).filter((each) => each === "void").length,
    );
  });

  it("is refused after a void result was corrected, because buyers keep their refunds", async () => {
    const { creator, admin, add } = await cardWith({ 1: "void", 2: "void" });
    const [tip] = await tipsOf(creator.id);
    freezeClock(at("19:00"));
    const corrected = await transaction((tx) =>
      correctResult(tx, {
        tipId: tip?.id ?? "",
        result: "lost",
        reason: "It was run after all",
        actorId: admin.id,
      }),
    );
    expect(corrected).toMatchObject({ ok: true, previous: "void" });
    freezeClock(at("08:00"));
    expect(await add()).toEqual({ ok: false, refusal: "card-void" });
    expect(await tipsOf(creator.id)).toHaveLength(2);
  });

  it.each<[string, Record<number, "void" | "hidden">]>([
    ["one race still counts", { 1: "void" }],
    ["races are hidden and none is void", { 1: "hidden", 2: "hidden" }],
  ])("is published when %s", async (_, marks) => {
    const { add } = await cardWith(marks);
    expect(await add()).toMatchObject({ ok: true, raceNumbers: [3] });
  });

  it("is refused when the last race is voided at the same time", async () => {
    const { creator, admin, add } = await cardWith({ 1: "void" });
    const last = (await tipsOf(creator.id)).find((tip) => tip.race_number === 2);
    const { added } = await transaction(async (tx) => {
      await correctResult(tx, {
        tipId: last?.id ?? "",
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

  it("makes a concurrent void of the last race wait, so that the card is not void", async () => {
    const { creator, admin } = await cardWith({ 1: "void" });
    const last = (await tipsOf(creator.id)).find((tip) => tip.race_number === 2);
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

describe("publishBatch refuses", () => {
  it("a user who is not a creator", async () => {
    const user = await makeUser();
    expect(await publishBatch(user.id, createBatchInput({ venueId }))).toEqual({
      ok: false,
      refusal: "not-a-creator",
    });
  });

  it("a suspended creator", async () => {
    const tipster = await makeTipster();
    await suspendCreator((await makeAdmin()).id, tipster.id);
    expect(await publishBatch(tipster.id, createBatchInput({ venueId }))).toEqual({
      ok: false,
      refusal: "suspended",
    });
    expect(await tipsOf(tipster.id)).toEqual([]);
  });
});

describe("a repeated idempotency key", () => {
  it("returns the first result and publishes nothing, even after the day is over", async () => {
    const tipster = await makeTipster();
    const batch = createBatchInput({ venueId, raceDate: TODAY });
    const first = await publishBatch(tipster.id, batch);
    const before = (await noticesSince(0)).length;
    freezeClock(at("23:00"));
    expect(await publishBatch(tipster.id, batch)).toEqual(first);
    expect(await tipsOf(tipster.id)).toHaveLength(3);
    expect(await noticesSince(before)).toEqual([]);
  });

  it("publishes two batches for two creators", async () => {
    const [one, other] = [await makeTipster(), await makeTipster()];
    const batch = createBatchInput({ venueId });
    const [first, second] = [
      await publishBatch(one.id, batch),
      await publishBatch(other.id, batch),
    ];
    expect(first.ok && second.ok && first.raceCardId !== second.raceCardId).toBe(true);
  });

  it("publishes one batch when ten requests arrive together, and returns it to all ten", async () => {
    const tipster = await makeTipster();
    const batch = createBatchInput({ venueId });
    const results = await Promise.all(
      Array.from({ length: 10 }, () => publishBatch(tipster.id, batch)),
    );
    expect(new Set(results.map((result) => JSON.stringify(result))).size).toBe(1);
    expect(results[0]?.ok).toBe(true);
    expect(await tipsOf(tipster.id)).toHaveLength(3);
    expect(await recordOf(tipster.id)).toMatchObject({ tips: 3 });
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
    expect(await tipsOf(tipster.id)).toHaveLength(2);
  }
});

it("the database refuses to update or delete a published tip", async () => {
  const tipster = await makeTipster();
  await publishBatch(tipster.id, createBatchInput({ venueId, races: [1] }));
  const [tip] = await tipsOf(tipster.id);
  await expect(
    pool().query("update tips set horse_name = 'Another' where id = $1", [tip.id]),
  ).rejects.toThrow("a published tip does not change");
  await expect(
    pool().query("update tips set is_late = not is_late where id = $1", [tip.id]),
  ).rejects.toThrow("lateness follows the reported off time");
  await expect(pool().query("delete from tips where id = $1", [tip.id])).rejects.toThrow();
});
