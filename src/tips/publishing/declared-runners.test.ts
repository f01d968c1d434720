import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { addDays, instantAt } from "#domain/calendar.ts";
import { freezeClock } from "#platform/clock.server.ts";
import { pool, transaction } from "#platform/database.server.ts";
import { createBatchInput, findTestVenue, makeTipster, reportRaceDay } from "#test/factories.ts";
import { expectInvariantsToHold } from "#test/integrity-checks.ts";
import { waitForLockWaiters } from "#test/locks.ts";
import { handleAnalystTip } from "./handle-analyst-tip.server.ts";
import { handleBatch } from "./handle-batch.server.ts";
import { publishBatch } from "./publish-batch.server.ts";
import { readBatchDay } from "./read-batch-day.server.ts";

// Runners are not deleted, so each test declares those of a separate day.
let raceDate = "2027-09-01";
let venueId: string;
let creatorId: string;
beforeEach(async () => {
  raceDate = addDays(raceDate, 1);
  freezeClock(instantAt(raceDate, "07:00"));
  venueId = (await findTestVenue("scottsville")).id;
  creatorId = (await makeTipster()).id;
  await declareRunners();
});
afterEach(async () => {
  await expectInvariantsToHold();
  freezeClock(null);
});

/** Declares two runners of race 3, of which no. 9 can be scratched, and none of race 4. */
async function declareRunners({ isScratched = false } = {}): Promise<void> {
  const runner = { jockey: null, trainer: null, draw: null, isScratched: false };
  await reportRaceDay(venueId, raceDate, [
    {
      raceNumber: 3,
      time: "13:00",
      runners: [
        { ...runner, number: 4, horseName: "Harbour Light" },
        { ...runner, number: 9, horseName: "Sea Mist", isScratched },
      ],
    },
    { raceNumber: 4, time: "13:35" },
  ]);
}

const createTip = (horseNumber: number, horseName: string, raceNumber = 3) => ({
  raceNumber,
  horseNumber,
  horseName,
});
const createBatch = (...races: ReturnType<typeof createTip>[]) =>
  createBatchInput({ venueId, raceDate, races });

async function countTips(): Promise<number> {
  const { rows } = await pool().query(
    `select count(*)::int from tips t join race_cards c on c.id = t.race_card_id
     where c.creator_id = $1`,
    [creatorId],
  );
  return rows[0].count;
}

describe("a batch for a race with declared runners", () => {
  it("is published for a runner, however the name is written, with free text for other races", async () => {
    const batch = createBatch(createTip(9, "SEA-MIST"), createTip(1, "Anything", 4));
    expect(await publishBatch(creatorId, batch)).toMatchObject({ ok: true, raceNumbers: [3, 4] });
    expect(await countTips()).toBe(2);
  });

  it.each(["SEA-MIST (SAF)", "Séa Mist", "Sea Mits"])(
    "stores the declared name for %s",
    async (name) => {
      const published = await publishBatch(creatorId, createBatch(createTip(9, name)));
      const { rows } = await pool().query(
        "select horse_name, tip_text from tips where race_card_id = $1",
        [published.ok ? published.raceCardId : null],
      );
      expect(rows).toEqual([
        { horse_name: "Sea Mist", tip_text: expect.stringContaining("Sea Mist") },
      ]);
    },
  );

  it.each([
    ["a number that does not run", 5, "Sea Mist", "runner-not-declared"],
    ["a horse that does not run", 9, "Sea Biscuit", "runner-not-declared"],
    ["the number of another runner", 4, "Sea Mist", "runner-not-declared"],
    ["a scratched runner", 9, "Sea Mist", "runner-scratched"],
  ])("is refused for %s, and stores nothing", async (_, number, horse, refusal) => {
    await declareRunners({ isScratched: true });
    const batch = createBatch(createTip(number, horse), createTip(1, "Anything", 4));
    expect(await publishBatch(creatorId, batch)).toEqual({ ok: false, refusal, raceNumbers: [3] });
    expect(await countTips()).toBe(0);
  });

  it("is published again once the runner is reinstated", async () => {
    await declareRunners({ isScratched: true });
    await declareRunners();
    expect(await publishBatch(creatorId, createBatch(createTip(9, "Sea Mist")))).toMatchObject({
      ok: true,
    });
  });

  it("returns the first result when it is repeated after the runner was scratched", async () => {
    const batch = createBatch(createTip(9, "Sea Mist"));
    const first = await publishBatch(creatorId, batch);
    await declareRunners({ isScratched: true });
    expect(await publishBatch(creatorId, batch)).toEqual(first);
    expect(await countTips()).toBe(1);
  });

  it("returns the first result when the declared name is sent instead of the misspelt one", async () => {
    const batch = createBatch(createTip(9, "SEA-MIST"));
    const first = await publishBatch(creatorId, batch);
    expect(await publishBatch(creatorId, batch)).toEqual(first);
    const { races } = createBatch(createTip(9, "Sea Mist"));
    expect(await publishBatch(creatorId, { ...batch, races })).toEqual(first);
    expect(await countTips()).toBe(1);
  });

  it("is refused when the runner is scratched while publishing waits for a lock", async () => {
    const batch = createBatch(createTip(9, "Sea Mist"));
    const { published } = await transaction(async (tx) => {
      // Takes the lock that a report holds until its commit.
      await tx.execute(`select from venues where id = '${venueId}' for no key update`);
      const published = publishBatch(creatorId, batch);
      await waitForLockWaiters(1);
      await tx.execute(`update runners set scratched_at = reported_at where number = 9 and
        race_day_id = (select id from race_days where venue_id = '${venueId}'
          and race_date = '${raceDate}')`);
      return { published };
    });
    expect(await published).toMatchObject({ ok: false, refusal: "runner-scratched" });
  });

  it("is either published or refused when the runner is scratched at the same time", async () => {
    const creators = await Promise.all(Array.from({ length: 6 }, () => makeTipster()));
    const publishAll = () =>
      creators.map(({ id }) => publishBatch(id, createBatch(createTip(9, "Sea Mist"))));
    const [, ...results] = await Promise.all([
      declareRunners({ isScratched: true }),
      ...publishAll(),
    ]);
    for (const result of results) if (!result.ok) expect(result.refusal).toBe("runner-scratched");
    const { rows } = await pool().query(
      `select count(*)::int from tips t join race_cards c on c.id = t.race_card_id
       where c.creator_id = any ($1)`,
      [creators.map(({ id }) => id)],
    );
    expect(rows[0].count).toBe(results.filter((result) => result.ok).length);
  });

  it("is refused by the database, even while the runner is being scratched", async () => {
    const first = await publishBatch(creatorId, createBatch(createTip(1, "Anything", 4)));
    if (!first.ok) throw new Error(first.refusal);
    const insertTip = (number: number) =>
      pool().query(
        `insert into tips (race_card_id, race_number, horse_number, horse_name, tip_type,
           confidence, analysis, tip_text, is_late, published_at)
         select race_card_id, 3, $2, 'Sea Mist', tip_type, confidence, analysis, tip_text, is_late,
           published_at from tips where race_card_id = $1`,
        [first.raceCardId, number],
      );
    const refusal = { constraint: "tips_declared_runner" };
    await expect(insertTip(4)).rejects.toMatchObject(refusal);
    const client = await pool().connect();
    let inserted: Promise<unknown>;
    try {
      await client.query("begin");
      await client.query(
        `update runners set scratched_at = reported_at where number = 9 and race_day_id =
          (select id from race_days where venue_id = $1 and race_date = $2)`,
        [venueId, raceDate],
      );
      inserted = insertTip(9).catch((error: unknown) => error);
      await waitForLockWaiters(1);
    } finally {
      await client.query("commit");
      client.release();
    }
    expect(await inserted).toMatchObject(refusal);
    expect(await countTips()).toBe(1);
  });
});

describe("the publishing forms", () => {
  const createForm = (fields: Record<string, string>) => {
    const form = new FormData();
    for (const [name, value] of Object.entries({ venueId, raceDate, ...fields }))
      form.set(name, value);
    form.set("idempotencyKey", randomUUID());
    return form;
  };
  const tip = {
    raceNumber: "3",
    raceTime: "13:00",
    horseNumber: "9",
    horseName: "Sea Mist",
    tipType: "win",
    confidence: "high",
    analysis: "Well drawn.",
  };

  it("show the error about a scratched runner at the horse field", async () => {
    await declareRunners({ isScratched: true });
    const message = "Race 3: that horse is scratched. Choose another runner.";
    const fields = Object.entries(tip).map(([name, value]) => [`races.0.${name}`, value]);
    const batch = await handleBatch(creatorId, createForm(Object.fromEntries(fields)), "request");
    expect(batch.init?.status).toBe(409);
    expect(batch.data).toMatchObject({
      ok: false,
      problems: { messages: [message], races: [{ horseNumber: message }] },
    });
    const { analysis: reasoning, ...fieldsOfTip } = tip;
    const form = createForm({ ...fieldsOfTip, reasoning });
    const analystTip = await handleAnalystTip(creatorId, form, "request");
    expect(analystTip.data).toMatchObject({
      ok: false,
      message,
      errors: { horseNumber: message, raceNumber: undefined },
    });
  });

  it("receive the runners of the day", async () => {
    await declareRunners({ isScratched: true });
    expect(await readBatchDay(creatorId, { venueId, raceDate })).toEqual({
      venueId,
      raceDate,
      publishedNumbers: [],
      offTimes: [
        { raceNumber: 3, time: "13:00" },
        { raceNumber: 4, time: "13:35" },
      ],
      runners: [
        { raceNumber: 3, number: 4, horseName: "Harbour Light", isScratched: false },
        { raceNumber: 3, number: 9, horseName: "Sea Mist", isScratched: true },
      ],
    });
  });
});
