import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { addDays, instantAt, timeAt } from "#domain/calendar.ts";
import { freezeClock } from "#platform/clock.server.ts";
import { pool, transaction } from "#platform/database.server.ts";
import { env } from "#platform/env.server.ts";
import { readOffTimes } from "#racing/racing.server.ts";
import {
  createBatchInput,
  findTestVenue,
  makeTipster,
  type RaceToPublish,
  reportRaceDay,
} from "#test/factories.ts";
import { expectInvariantsToHold } from "#test/integrity-checks.ts";
import { waitForLockWaiters } from "#test/locks.ts";
import { handleAnalystTip } from "./handle-analyst-tip.server.ts";
import { handleBatch } from "./handle-batch.server.ts";
import { publishBatch } from "./publish-batch.server.ts";

const at = (time: string, date: string) => instantAt(date, time);
let venueId: string;

/** Returns the published races of a creator and whether they are late. */
async function readTips(creatorId: string): Promise<{ race_number: number; is_late: boolean }[]> {
  const query =
    "select race_number, is_late from tips join race_cards c on c.id = race_card_id where creator_id = $1";
  return (await pool().query(query, [creatorId])).rows;
}

describe("the cut-off before a reported off", () => {
  const originalCutOff = env().tipCutOffMinutes;
  let raceDate = "2027-03-01";
  let batch: (...races: (number | RaceToPublish)[]) => ReturnType<typeof createBatchInput>;

  beforeEach(async () => {
    raceDate = addDays(raceDate, 1);
    venueId = (await findTestVenue()).id;
    freezeClock(at("08:00", raceDate));
    await reportRaces("13:25");
    batch = (...races) => createBatchInput({ venueId, raceDate, races });
  });
  afterEach(() => {
    env().tipCutOffMinutes = originalCutOff;
    freezeClock(null);
  });

  /** Reports race 3 with this off and race 4 an hour later. */
  const reportRaces = (offOfRace3: string) =>
    reportRaceDay(venueId, raceDate, [
      { raceNumber: 3, time: offOfRace3 },
      { raceNumber: 4, time: timeAt(new Date(at(offOfRace3, raceDate).getTime() + 3_600_000)) },
    ]);
  const createRefusal = (closedAt: string, offAt = "13:25") => ({
    ok: false,
    refusal: "race-closed",
    raceNumbers: [3],
    closings: [{ closedAt: at(closedAt, raceDate), offAt: at(offAt, raceDate) }],
  });

  const createRace = (raceNumber: number) => ({
    raceNumber: String(raceNumber),
    horseNumber: "9",
    horseName: "Sea Mist",
    tipType: "win",
    confidence: "high",
    analysis: "Fresh.",
  });
  const createForm = (fields: Record<string, string>) => {
    const form = new FormData();
    const batchFields = { idempotencyKey: randomUUID(), venueId, raceDate };
    for (const [name, value] of Object.entries({ ...batchFields, ...fields }))
      form.set(name, value);
    return form;
  };
  const createBatchForm = (...raceNumbers: number[]) =>
    createForm(
      Object.fromEntries(
        raceNumbers.flatMap((raceNumber, index) =>
          Object.entries(createRace(raceNumber)).map(([name, value]) => [
            `races.${index}.${name}`,
            value,
          ]),
        ),
      ),
    );

  it("closes a race 2 hours before its off, and refuses the whole batch", async () => {
    const { id } = await makeTipster();
    freezeClock(new Date(at("11:25", raceDate).getTime() - 1));
    expect(await publishBatch(id, batch(3))).toMatchObject({ ok: true });
    const otherTipster = await makeTipster();
    freezeClock(at("11:25", raceDate));
    expect(await publishBatch(otherTipster.id, batch(3, 4))).toEqual(createRefusal("11:25"));
    expect(await readTips(otherTipster.id)).toEqual([]);
    expect(await publishBatch(otherTipster.id, batch(4))).toMatchObject({ ok: true });
  });

  it("ignores the off that the tipster enters", async () => {
    const { id } = await makeTipster();
    freezeClock(at("11:25", raceDate));
    const race = { raceNumber: 3, raceTime: "20:00" };
    expect(await publishBatch(id, batch(race))).toEqual(createRefusal("11:25"));
  });

  it("follows TIP_CUT_OFF_MINUTES, and equals the off when it is 0", async () => {
    const { id } = await makeTipster();
    env().tipCutOffMinutes = 30;
    freezeClock(at("12:55", raceDate));
    expect(await publishBatch(id, batch(3))).toEqual(createRefusal("12:55"));
    env().tipCutOffMinutes = 0;
    freezeClock(at("13:24", raceDate));
    expect(await publishBatch(id, batch(3))).toMatchObject({ ok: true });
    freezeClock(at("14:25", raceDate));
    expect(await publishBatch(id, batch(4))).toEqual({
      ok: false,
      refusal: "off-passed",
      raceNumbers: [4],
    });
  });

  it("applies to each race that is added to a race card later", async () => {
    const { id } = await makeTipster();
    const first = await publishBatch(id, batch(3));
    freezeClock(new Date(at("12:25", raceDate).getTime() - 1));
    expect(await publishBatch(id, batch(4))).toMatchObject({
      ok: true,
      raceCardId: first.ok && first.raceCardId,
    });
    const otherTipster = await makeTipster();
    await publishBatch(otherTipster.id, batch(4));
    freezeClock(at("11:30", raceDate));
    expect(await publishBatch(otherTipster.id, batch(3))).toEqual(createRefusal("11:25"));
    expect(await readTips(otherTipster.id)).toHaveLength(1);
  });

  it("does not mark a published tip as late when its race is moved to an earlier off", async () => {
    const { id } = await makeTipster();
    freezeClock(at("11:24", raceDate));
    const input = batch(3);
    const result = await publishBatch(id, input);
    await reportRaces("12:00");
    expect(await readTips(id)).toEqual([{ race_number: 3, is_late: false }]);
    expect(await publishBatch(id, input)).toEqual(result);
    expect(await publishBatch((await makeTipster()).id, batch(3))).toEqual(
      createRefusal("10:00", "12:00"),
    );
    await expectInvariantsToHold();
  });

  it("reopens a race that is moved to a later off", async () => {
    const { id } = await makeTipster();
    freezeClock(at("11:25", raceDate));
    expect(await publishBatch(id, batch(3))).toMatchObject({ ok: false });
    await reportRaces("13:26");
    expect(await publishBatch(id, batch(3))).toMatchObject({ ok: true });
  });

  it("uses the off that an admin saves while the batch waits for a lock", async () => {
    const { id } = await makeTipster();
    freezeClock(at("11:00", raceDate));
    const { publication } = await transaction(async (tx) => {
      await tx.execute(`select from creators where user_id = '${id}' for update`);
      const publication = publishBatch(id, batch(3, 4));
      await waitForLockWaiters(1);
      await reportRaces("12:30");
      return { publication };
    });
    expect(await publication).toEqual(createRefusal("10:30", "12:30"));
    expect(await readTips(id)).toEqual([]);
  });

  it("uses the time at which the batch has acquired its locks", async () => {
    const { id } = await makeTipster();
    freezeClock(new Date(at("11:25", raceDate).getTime() - 1));
    const { publication } = await transaction(async (tx) => {
      await tx.execute(`select from venues where id = '${venueId}' for no key update`);
      const publication = publishBatch(id, batch(3));
      await waitForLockWaiters(1);
      freezeClock(at("11:25", raceDate));
      return { publication };
    });
    expect(await publication).toEqual(createRefusal("11:25"));
    expect(await readTips(id)).toEqual([]);
  });

  it("blocks a change of the off until the batch that is being published commits", async () => {
    const { id } = await makeTipster();
    const { change } = await transaction(async (tx) => {
      // Takes the lock that publishing holds from reading the off times to its commit.
      await readOffTimes(venueId, raceDate, tx);
      const change = reportRaces("09:30");
      await waitForLockWaiters(1);
      return { change };
    });
    await change;
    expect(await publishBatch(id, batch(3))).toEqual(createRefusal("07:30", "09:30"));
  });

  it.each([
    { time: "12:00", race: 5, message: "Race 5 is not on the race day as reported." },
    { time: "13:30", race: 3, message: "Race 3 has already started." },
  ])(
    "says at $time to remove race $race only if there is another",
    async ({ time, race, message }) => {
      const { id } = await makeTipster();
      env().tipCutOffMinutes = 0;
      freezeClock(at(time, raceDate));
      expect(await handleBatch(id, createBatchForm(race), "request")).toMatchObject({
        data: { problems: { messages: [message] } },
      });
      expect(await handleBatch(id, createBatchForm(race, 4), "request")).toMatchObject({
        data: {
          problems: {
            messages: expect.arrayContaining([`${message} Remove it to publish the others.`]),
          },
        },
      });
    },
  );

  it("is stated by both forms, with the race and the times", async () => {
    const { id } = await makeTipster({ kind: "analyst" });
    freezeClock(at("11:30", raceDate));
    const message = "Race 3 closed for tips at 11:25, 2 hours before its off at 13:25.";
    const messageWithOthers = `${message} Remove it to publish the others.`;
    expect(await handleBatch(id, createBatchForm(3, 4), "request")).toMatchObject({
      init: { status: 409 },
      data: {
        problems: { messages: [messageWithOthers], races: [{ raceNumber: messageWithOthers }, {}] },
      },
    });
    expect(await handleBatch(id, createBatchForm(3), "request")).toMatchObject({
      data: { problems: { messages: [message], races: [{ raceNumber: message }] } },
    });
    const { analysis: reasoning, ...fields } = createRace(3);
    const form = createForm({ ...fields, reasoning, raceTime: "13:25" });
    expect(await handleAnalystTip(id, form, "request")).toMatchObject({
      init: { status: 409 },
      data: { message, errors: { raceNumber: message } },
    });
    expect(await readTips(id)).toEqual([]);
  });
});
