import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { instantAt } from "#domain/calendar.ts";
import { freezeClock } from "#platform/clock.server.ts";
import { pool, transaction } from "#platform/database.server.ts";
import {
  createBatchInput,
  enterResults,
  findTestVenue,
  makeTipster,
  reportOffTimes,
} from "#test/factories.ts";
import { expectInvariantsToHold } from "#test/integrity-checks.ts";
import { waitForLockWaiters } from "#test/locks.ts";
import { markResults } from "./mark-results.server.ts";
import { publishBatch } from "./publishing/publish-batch.server.ts";

const TODAY = "2026-11-21";
const at = (time: string) => instantAt(TODAY, time);
let venueId: string;

beforeEach(async () => {
  venueId = (await findTestVenue("turffontein")).id;
  freezeClock(at("08:00"));
  await reportOffTimes(venueId, TODAY, { races: 0 });
});
afterEach(async () => {
  await expectInvariantsToHold();
  freezeClock(null);
});

/** Publishes races 1 and 2 of a new tipster at a time of day. */
async function publishAt(time: string, raceTime: string | null = null, venue = venueId) {
  const { id: creatorId } = await makeTipster();
  freezeClock(at(time));
  const races = [
    { raceNumber: 1, raceTime },
    { raceNumber: 2, raceTime },
  ];
  const result = await publishBatch(
    creatorId,
    createBatchInput({ venueId: venue, raceDate: TODAY, races }),
  );
  if (!result.ok) throw new Error(result.refusal);
  return { creatorId, raceCardId: result.raceCardId };
}

async function readLateness(raceCardId: string): Promise<boolean[]> {
  const { rows } = await pool().query<{ is_late: boolean }>(
    "select is_late from tips where race_card_id = $1 order by race_number",
    [raceCardId],
  );
  return rows.map((row) => row.is_late);
}

async function readRecord(creatorId: string) {
  const { rows } = await pool().query(
    "select tips, settled, won from creator_records where creator_id = $1",
    [creatorId],
  );
  return rows[0];
}

async function enterWins(raceCardId: string): Promise<void> {
  const { rows } = await pool().query<{ id: string }>(
    "select id from tips where race_card_id = $1",
    [raceCardId],
  );
  await enterResults(rows.map(({ id: tipId }) => ({ tipId, result: "won" })));
}

describe("a tip whose off time is reported after publication", () => {
  it("is late and removed from the record if its race was off before publication", async () => {
    const raceCard = await publishAt("10:59", "23:30");
    expect(await readLateness(raceCard.raceCardId)).toEqual([false, false]);
    freezeClock(at("23:31"));
    await enterWins(raceCard.raceCardId);
    expect(await readRecord(raceCard.creatorId)).toEqual({ tips: 2, settled: 2, won: 2 });

    // Race 1 is off at 10:59, race 2 a minute later.
    await reportOffTimes(venueId, TODAY, { firstOff: "10:59", minutesApart: 1, races: 2 });
    expect(await readLateness(raceCard.raceCardId)).toEqual([true, false]);
    expect(await readRecord(raceCard.creatorId)).toEqual({ tips: 2, settled: 1, won: 1 });
  });

  it("does not change the record if its result is only the tipster's claim", async () => {
    const raceCard = await publishAt("10:59", "23:30");
    freezeClock(at("23:31"));
    const { rows } = await pool().query<{ id: string }>(
      "select id from tips where race_card_id = $1",
      [raceCard.raceCardId],
    );
    const marks = rows.map(({ id: tipId }) => ({ tipId, result: "won" as const }));
    expect(await markResults(raceCard.creatorId, marks)).toMatchObject({ ok: true });
    await reportOffTimes(venueId, TODAY, { firstOff: "10:59", minutesApart: 1, races: 2 });
    expect(await readLateness(raceCard.raceCardId)).toEqual([true, false]);
    expect(await readRecord(raceCard.creatorId)).toEqual({ tips: 2, settled: 0, won: 0 });
  });

  it("counts in the record if it was published after 11:00 but 120 minutes before the off", async () => {
    const raceCard = await publishAt("12:00");
    expect(await readLateness(raceCard.raceCardId)).toEqual([true, true]);
    await reportOffTimes(venueId, TODAY, { firstOff: "14:01", races: 1 });
    expect(await readLateness(raceCard.raceCardId)).toEqual([false, true]);
    freezeClock(at("19:00"));
    await enterWins(raceCard.raceCardId);
    expect(await readRecord(raceCard.creatorId)).toEqual({ tips: 2, settled: 1, won: 1 });

    await reportOffTimes(venueId, TODAY, { firstOff: "14:00", races: 1 });
    expect(await readLateness(raceCard.raceCardId)).toEqual([true, true]);
    expect(await readRecord(raceCard.creatorId)).toEqual({ tips: 2, settled: 0, won: 0 });
  });

  it("follows the 11:00 rule again when the report is withdrawn", async () => {
    await reportOffTimes(venueId, TODAY, { firstOff: "17:00", races: 2 });
    const raceCard = await publishAt("14:00");
    expect(await readLateness(raceCard.raceCardId)).toEqual([false, false]);
    await reportOffTimes(venueId, TODAY, { races: 0 });
    expect(await readLateness(raceCard.raceCardId)).toEqual([true, true]);
  });

  it("does not affect other days, venues and races", async () => {
    const otherRaceCard = await publishAt("10:00", null, (await findTestVenue("vaal")).id);
    const raceCard = await publishAt("10:00");
    await reportOffTimes(venueId, TODAY, { firstOff: "09:00", races: 1 });
    await reportOffTimes(venueId, "2026-11-22", { firstOff: "09:00", races: 2 });
    expect(await readLateness(raceCard.raceCardId)).toEqual([true, false]);
    expect(await readLateness(otherRaceCard.raceCardId)).toEqual([false, false]);
  });

  it("uses a report that commits while the tip is being published", async () => {
    const { id: creatorId } = await makeTipster();
    freezeClock(at("10:00"));
    const batch = createBatchInput({ venueId, raceDate: TODAY, races: [1] });
    const { published } = await transaction(async (tx) => {
      // Takes the locks that a report holds until its commit.
      await tx.execute(`select from venues where id = '${venueId}' for no key update`);
      const published = publishBatch(creatorId, batch);
      await waitForLockWaiters(1);
      await tx.execute(`with day as (
          insert into race_days (venue_id, race_date, source, reported_at)
          values ('${venueId}', '${TODAY}', 'test', '2026-11-21T08:00:00Z')
          on conflict (venue_id, race_date) do update set source = 'test' returning id
        )
        insert into races (race_day_id, race_number, off_at)
        select id, 1, '${at("15:00").toISOString()}' from day`);
      return { published };
    });
    expect(await published).toMatchObject({ ok: true });
    freezeClock(at("15:00"));
    await reportOffTimes(venueId, TODAY, { firstOff: "15:00", races: 1 });
  });

  it("is updated by a report that waits for a concurrent publication", async () => {
    const { raceCardId } = await publishAt("10:00");
    const { reported } = await transaction(async (tx) => {
      // Takes the locks that publishing holds until its commit.
      await tx.execute(`select from venues where id = '${venueId}' for share`);
      const reported = reportOffTimes(venueId, TODAY, {
        firstOff: "09:00",
        minutesApart: 1,
        races: 3,
      });
      await waitForLockWaiters(1);
      await tx.execute(`insert into tips (race_card_id, race_number, horse_number, horse_name,
          tip_type, confidence, analysis, tip_text, is_late, published_at)
        select race_card_id, 3, 1, 'Added', 'win', 'low', 'Why', 'Text', false, published_at
        from tips where race_card_id = '${raceCardId}' and race_number = 1`);
      await tx.execute(`update creator_records set tips = tips + 1 where creator_id =
        (select creator_id from race_cards where id = '${raceCardId}')`);
      return { reported };
    });
    await reported;
    expect(await readLateness(raceCardId)).toEqual([true, true, true]);
  });

  it("is updated once when the same report arrives twice or concurrently", async () => {
    const raceCard = await publishAt("10:00");
    const report = () => reportOffTimes(venueId, TODAY, { firstOff: "09:59", races: 1 });
    await Promise.all([report(), report()]);
    await report();
    expect(await readLateness(raceCard.raceCardId)).toEqual([true, false]);
    expect(await readRecord(raceCard.creatorId)).toEqual({ tips: 2, settled: 0, won: 0 });
  });
});
