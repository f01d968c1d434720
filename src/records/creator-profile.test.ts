import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { suspendCreator } from "#creators/suspension.server.ts";
import { instantAt } from "#domain/calendar.ts";
import { freezeClock } from "#platform/clock.server.ts";
import { pool } from "#platform/database.server.ts";
import { enterResults, makeAdmin, makeTipster, publishRaceCard } from "#test/factories.ts";
import { readPublicRecord } from "#tips/public-record.server.ts";
import { readCreatorProfile } from "./creator-profile.server.ts";

const today = "2027-02-10";
const at = (time: string) => instantAt(today, time);
beforeEach(() => freezeClock(at("08:00")));
afterEach(() => freezeClock(null));

describe("a creator's profile", () => {
  it("contains the record by type and by day, with results after the race date", async () => {
    const tipster = await makeTipster();
    const raceCard = await publishRaceCard({
      creatorId: tipster.id,
      raceDate: today,
      races: [
        { raceNumber: 1, tipType: "win" },
        { raceNumber: 2, tipType: "win" },
        { raceNumber: 3, tipType: "place" },
        { raceNumber: 4, tipType: "place" },
      ],
    });
    const { rows } = await pool().query<{ id: string }>(
      "select id from tips where race_card_id = $1 order by race_number",
      [raceCard.raceCardId],
    );
    const [one, two, three] = rows.map((row) => row.id) as [string, string, string];
    freezeClock(at("18:00"));
    await enterResults([
      { tipId: one, result: "won" },
      { tipId: two, result: "lost" },
      { tipId: three, result: "won" },
    ]);
    const profile = await readCreatorProfile(tipster.slug);
    expect(profile).toMatchObject({
      record: { tips: 4, settled: 3, won: 2 },
      winRate: 66.67,
      level: null,
      byType: [
        { tipType: "win", settled: 2, won: 1, winRate: 50 },
        { tipType: "place", settled: 1, won: 1, winRate: 100 },
        { tipType: "each-way", settled: 0, won: 0, winRate: null },
      ],
    });
    expect(await readPublicRecord(tipster.id, { at: at("23:59") })).toEqual({
      days: [],
      olderUntil: null,
    });
    const { days } = await readPublicRecord(tipster.id, { at: at("24:00") });
    expect(days).toMatchObject([{ raceDate: today, tips: [{}, {}, {}, {}] }]);
    for (const { publishedAt } of days[0]?.tips ?? []) expect(publishedAt).toBeInstanceOf(Date);
  });

  it("is null for an unknown creator, and says that a creator is suspended", async () => {
    const tipster = await makeTipster();
    await suspendCreator((await makeAdmin()).id, tipster.id);
    expect(await readCreatorProfile(tipster.slug)).toMatchObject({ suspendedAt: expect.any(Date) });
    expect(await readCreatorProfile("nobody-of-this-name")).toBeNull();
  });
});
