import { afterEach, beforeEach, describe, expect, expectTypeOf, it } from "vitest";
import { countCreators, listCreators } from "#creators/creators.server.ts";
import { suspendCreator } from "#creators/suspension.server.ts";
import { addDays, instantAt } from "#domain/calendar.ts";
import type { LockedTip, Tip } from "#domain/tip.ts";
import { compareTrackRecords } from "#domain/track-record.ts";
import { freezeClock } from "#platform/clock.server.ts";
import { pool, transaction } from "#platform/database.server.ts";
import { setTipResultAsTwo } from "#test/admin-results.ts";
import { makeAdmin, makeTipster, publishRaceCard, reportOffTimes } from "#test/factories.ts";
import { countOnSale, countRemainingToday } from "./count-on-sale.server.ts";
import { listTips } from "./list-tips.server.ts";
import { markResult } from "./mark-results.server.ts";
import { readOwnTips } from "./own-tips.server.ts";
import { type PublicRecord, parseRecordDate, readPublicRecord } from "./public-record.server.ts";
import { readPublicTips } from "./public-tips.server.ts";
import {
  findRaceCardOnSale,
  listRaceCardsOnSale,
  type RaceCardPreview,
  type RacePreview,
  readPublicRaceCard,
} from "./race-card-previews.server.ts";
import { readRaceCardSummaries } from "./race-cards.server.ts";
import { deleteTip, hideTip } from "./tip-visibility.server.ts";

// Each test uses a different day, so that it does not see the race cards of other tests.
let day = 0;
let today: string;
const at = (time: string, date = today) => instantAt(date, time);

beforeEach(() => {
  day += 1;
  today = new Date(Date.UTC(2027, 0, 1 + day * 40)).toISOString().slice(0, 10);
  freezeClock(at("08:00"));
});
afterEach(() => freezeClock(null));

async function readTipIds(raceCardId: string): Promise<string[]> {
  const { rows } = await pool().query<{ id: string }>(
    "select id from tips where race_card_id = $1 order by race_number",
    [raceCardId],
  );
  return rows.map((row) => row.id);
}

const createTimedRace = (raceTime: string, raceNumber = 1) => [{ raceNumber, raceTime }];

describe("race cards on sale", () => {
  it("are sorted by their next off instead of their first", async () => {
    const lateRaceCard = await publishRaceCard({
      raceDate: today,
      races: createTimedRace("15:00"),
    });
    const startedRaceCard = await publishRaceCard({
      raceDate: today,
      races: [...createTimedRace("09:00", 1), ...createTimedRace("14:00", 2)],
    });
    const earlyRaceCard = await publishRaceCard({
      raceDate: today,
      races: createTimedRace("13:00"),
    });
    const { raceCards } = await listRaceCardsOnSale({ at: at("10:00") });
    expect(raceCards.map((raceCard) => raceCard.id)).toEqual([
      earlyRaceCard.raceCardId,
      startedRaceCard.raceCardId,
      lateRaceCard.raceCardId,
    ]);
    expect(raceCards[1]).toMatchObject({ racesRun: 1, nextOffAt: at("14:00"), isOnSale: true });
    expect(raceCards[1]?.races.map((race) => race.isOver)).toEqual([true, false]);
  });

  it("go off sale at the last off, at 18:00 if none is known, and when the creator is suspended", async () => {
    const known = await publishRaceCard({ raceDate: today, races: createTimedRace("15:00") });
    const unknown = await publishRaceCard({ raceDate: today });
    const suspended = await publishRaceCard({ raceDate: today });
    await suspendCreator((await makeAdmin()).id, suspended.creatorId);
    const listIds = async (time: string) =>
      (await listRaceCardsOnSale({ at: at(time) })).raceCards.map((raceCard) => raceCard.id);
    expect(await listIds("14:59")).toEqual([known.raceCardId, unknown.raceCardId]);
    expect(await listIds("15:00")).toEqual([unknown.raceCardId]);
    expect(await listIds("18:00")).toEqual([]);
  });

  it("use off times that are reported after publication", async () => {
    const raceCard = await publishRaceCard({ raceDate: today, races: createTimedRace("15:00") });
    await reportOffTimes(raceCard.venue.id, today, { firstOff: "16:30", races: 1 });
    const preview = await readPublicRaceCard(raceCard.raceCardId, at("16:00"));
    expect(preview).toMatchObject({ isOnSale: true, closesAt: at("16:30") });
  });

  it("can be filtered by venue, creator and date", async () => {
    const raceCard = await publishRaceCard({ raceDate: today, venue: "vaal" });
    const other = await publishRaceCard({ venue: "greyville" });
    const list = async (filter: object) =>
      (await listRaceCardsOnSale({ at: at("08:00"), ...filter })).raceCards.map((each) => each.id);
    expect(await list({ venueId: raceCard.venue.id })).toEqual([raceCard.raceCardId]);
    expect(await list({ creatorId: other.creatorId })).toEqual([other.raceCardId]);
    expect(await list({ raceDate: today })).toEqual([raceCard.raceCardId]);
    expect(await list({ venueId: "no id" })).toEqual([]);
    expect(await list({ raceDate: "no day" })).toEqual([]);
  });

  it("are paged without gaps or duplicates", async () => {
    const times = ["13:00", "13:00", "13:00", "14:00", "15:00"];
    const publishedIds: string[] = [];
    for (const time of times)
      publishedIds.push(
        (await publishRaceCard({ raceDate: today, races: createTimedRace(time) })).raceCardId,
      );
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: { raceCards: RaceCardPreview[]; next: string | null } = await listRaceCardsOnSale(
        {
          at: at("08:00"),
          cursor,
          limit: 2,
        },
      );
      seen.push(...page.raceCards.map((raceCard) => raceCard.id));
      cursor = page.next;
    } while (cursor);
    expect([...seen].sort()).toEqual([...publishedIds].sort());
    expect(await listRaceCardsOnSale({ at: at("08:00"), cursor: "made up" })).toMatchObject({
      raceCards: { length: 5 },
    });
  });

  it("are counted in total and per venue, with their tips", async () => {
    const vaal = await publishRaceCard({ raceDate: today, venue: "vaal", races: [1, 2, 3] });
    await publishRaceCard({ raceDate: today, venue: "vaal", races: [4] });
    const greyville = await publishRaceCard({ raceDate: today, venue: "greyville", races: [1] });
    const count = await countOnSale(at("08:00"));
    expect(count).toMatchObject({ raceCards: 3, tips: 5 });
    expect(count.venues).toHaveLength(2);
    expect(count.venues).toContainEqual({ venueId: vaal.venue.id, raceCards: 2, tips: 4 });
    expect(count.venues).toContainEqual({ venueId: greyville.venue.id, raceCards: 1, tips: 1 });
    expect(await countOnSale(at("18:00"))).toEqual({ raceCards: 0, tips: 0, venues: [] });
  });

  it("are counted among today's remaining tips until their race starts", async () => {
    const vaal = await publishRaceCard({ raceDate: today, venue: "vaal", races: [1, 2, 3] });
    await publishRaceCard({ raceDate: today, venue: "greyville", races: [1, 2] });
    await publishRaceCard({ raceDate: addDays(today, 1), venue: "fairview", races: [1, 2, 3, 4] });
    await reportOffTimes(vaal.venue.id, today, { firstOff: "12:00", minutesApart: 30 });
    const countAt = async (time: string) => await countRemainingToday(at(time));
    expect(await countAt("08:00")).toEqual({ tips: 5, venues: 2 });
    expect(await countAt("12:00")).toEqual({ tips: 4, venues: 2 });
    expect(await countAt("12:45")).toEqual({ tips: 3, venues: 2 });
    expect(await countAt("13:00")).toEqual({ tips: 2, venues: 1 });
    // These races have no off time, so they count as off at 18:00.
    expect(await countAt("17:59")).toEqual({ tips: 2, venues: 1 });
    expect(await countAt("18:00")).toEqual({ tips: 0, venues: 0 });
  });
});

describe("a race card preview", () => {
  it("contains no horse, number, analysis or tip text", async () => {
    const raceCard = await publishRaceCard({
      raceDate: today,
      races: [{ raceNumber: 1, horseNumber: 29, horseName: "Secret Horse", analysis: "Secretly" }],
    });
    const responses = [
      await listRaceCardsOnSale({ at: at("08:00") }),
      await readPublicRaceCard(raceCard.raceCardId, at("08:00")),
      await findRaceCardOnSale(raceCard.raceCardId),
      [...(await readRaceCardSummaries([raceCard.raceCardId]))],
      await readPublicTips({ at: at("23:59"), creatorId: raceCard.creatorId }),
      await readPublicTips({ at: at("23:59"), raceCardIds: [raceCard.raceCardId] }),
    ];
    const json = JSON.stringify(responses);
    expect(json).toContain(raceCard.raceCardId);
    // Matches the number as a complete value, because an id or an instant can contain the same
    // digits.
    expect(json).not.toMatch(/secret|horse|"analysis"|tipText|[:[,]29[,\]}]/i);
  });

  it("has races that cannot be made from a tip with its selection or analysis", () => {
    expectTypeOf<RacePreview>().toExtend<LockedTip>();
    expectTypeOf<Tip>().not.toExtend<LockedTip>();
    expectTypeOf<
      Pick<Tip, keyof RacePreview & keyof Tip> & { analysis: string }
    >().not.toExtend<LockedTip>();
  });

  it("contains venue, races, off times, confidence, type, teaser, price and creator", async () => {
    const tipster = await makeTipster({ name: `Highveld Hand ${day}` });
    const raceCard = await publishRaceCard({
      creatorId: tipster.id,
      raceDate: today,
      races: [{ raceNumber: 2, raceTime: "13:35", confidence: "high", tipType: "place" }],
    });
    expect(await readPublicRaceCard(raceCard.raceCardId, at("08:00"))).toMatchObject({
      id: raceCard.raceCardId,
      venue: { slug: "kenilworth", name: "Kenilworth", location: "Cape Town" },
      raceDate: today,
      publishedAt: at("08:00"),
      creator: {
        id: tipster.id,
        slug: `highveld-hand-${day}`,
        name: `Highveld Hand ${day}`,
        record: { tips: 1, settled: 0, won: 0 },
        winRate: null,
        level: null,
      },
      races: [
        {
          raceNumber: 2,
          offAt: at("13:35"),
          isOver: false,
          tipType: "place",
          confidence: "high",
        },
      ],
      closesAt: at("13:35"),
      teaser: "One selection to place in race 2 at Kenilworth, with analysis.",
      priceCoins: 4,
    });
  });

  it("omits hidden and void races, and is null when no other race remains", async () => {
    const admin = await makeAdmin();
    const raceCard = await publishRaceCard({ raceDate: today, races: [1, 2, 3] });
    const [one, two, three] = (await readTipIds(raceCard.raceCardId)) as [string, string, string];
    await hideTip(admin.id, one);
    await transaction((tx) =>
      setTipResultAsTwo(tx, { tipId: two, result: "void", reason: "Scratched", actorId: admin.id }),
    );
    const preview = await readPublicRaceCard(raceCard.raceCardId, at("09:00"));
    expect(preview?.races.map((race) => race.raceNumber)).toEqual([3]);
    await hideTip(admin.id, three);
    expect(await readPublicRaceCard(raceCard.raceCardId, at("09:00"))).toBeNull();
    expect((await readRaceCardSummaries([raceCard.raceCardId])).has(raceCard.raceCardId)).toBe(
      true,
    );
  });

  it.each(["00000000-0000-4000-8000-000000000000", "not an id", ""])(
    "is null for an unknown or malformed id (%j)",
    async (id) => {
      expect(await readPublicRaceCard(id, at("08:00"))).toBeNull();
      expect(await findRaceCardOnSale(id)).toBeNull();
    },
  );
});

describe("public tips", () => {
  const tomorrow = () => new Date(at("24:00").getTime());

  it("show selection and result after the race date, but no analysis", async () => {
    const raceCard = await publishRaceCard({
      raceDate: today,
      races: [{ raceNumber: 4, horseNumber: 9, horseName: "Copper Kettle", analysis: "Paid for." }],
    });
    freezeClock(at("19:00"));
    const [tipId] = (await readTipIds(raceCard.raceCardId)) as [string];
    await markResult(raceCard.creatorId, { tipId, result: "lost" });
    const justBefore = new Date(tomorrow().getTime() - 1);
    expect(
      (await readPublicTips({ at: justBefore, raceCardIds: [raceCard.raceCardId] })).tips,
    ).toEqual([]);
    const { tips } = await readPublicTips({ at: tomorrow(), raceCardIds: [raceCard.raceCardId] });
    expect(tips).toHaveLength(1);
    expect(tips[0]).toMatchObject({
      raceNumber: 4,
      horseNumber: 9,
      horseName: "Copper Kettle",
      tipType: "win",
      result: "lost",
      publishedAt: at("08:00"),
      isLate: false,
      isResultOverdue: false,
      isHidden: false,
    });
    expect(JSON.stringify(tips)).not.toContain("Paid for");
  });

  it("mark a tip without a result as overdue after three days", async () => {
    const raceCard = await publishRaceCard({ raceDate: today, races: [1] });
    const read = async (days: number) =>
      (
        await readPublicTips({
          at: new Date(at("12:00").getTime() + days * 86_400_000),
          raceCardIds: [raceCard.raceCardId],
        })
      ).tips[0]?.isResultOverdue;
    expect(await read(1)).toBe(false);
    expect(await read(3)).toBe(false);
    expect(await read(4)).toBe(true);
  });

  it("include a deleted tip in its creator's record, but not in other lists", async () => {
    const admin = await makeAdmin();
    const raceCard = await publishRaceCard({ raceDate: today, races: [1, 2] });
    const [tipId] = (await readTipIds(raceCard.raceCardId)) as [string];
    await deleteTip(admin.id, tipId);
    const own = await readPublicTips({ at: tomorrow(), creatorId: raceCard.creatorId });
    expect(own.tips.map((tip) => [tip.raceNumber, tip.isHidden])).toEqual([
      [2, false],
      [1, true],
    ]);
    const all = await readPublicTips({ at: tomorrow(), raceDate: today });
    expect(all.tips.map((tip) => tip.raceNumber)).toEqual([2]);
  });

  it("are split into pages without gaps or duplicates", async () => {
    const tipster = await makeTipster();
    await publishRaceCard({ creatorId: tipster.id, raceDate: today, races: [1, 2, 3] });
    await publishRaceCard({ creatorId: tipster.id, raceDate: today, venue: "vaal", races: [1, 2] });
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof readPublicTips>> = await readPublicTips({
        at: tomorrow(),
        creatorId: tipster.id,
        cursor,
        limit: 2,
      });
      seen.push(...page.tips.map((tip) => tip.id));
      cursor = page.next;
    } while (cursor);
    expect(new Set(seen).size).toBe(5);
    expect(seen).toHaveLength(5);
  });
});

describe("a creator's public record", () => {
  it("is paged by complete days, newest first, to the first day", async () => {
    const tipster = await makeTipster();
    const other = await makeTipster();
    const races = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ raceNumber: index + 1 }));
    const publish = async (creatorId: string, daysAgo: number, venue: string, count: number) => {
      const raceDate = addDays(today, -daysAgo);
      freezeClock(at("08:00", raceDate));
      await publishRaceCard({ creatorId, venue, raceDate, races: races(count) });
    };
    for (const [ago, counts] of [
      [1, [12, 12]],
      [2, [6]],
      [3, [12, 12]],
      [4, [5]],
      [6, [1]],
    ] as const)
      for (const [index, count] of counts.entries())
        await publish(tipster.id, ago, index === 0 ? "vaal" : "kenilworth", count);
    await publish(other.id, 2, "vaal", 3);
    // The day of the race itself is not public yet.
    await publish(tipster.id, 0, "vaal", 2);

    const summarise = (page: PublicRecord) => ({
      days: page.days.map(({ raceDate, tips }) => [raceDate, tips.length]),
      olderUntil: page.olderUntil,
    });
    const first = await readPublicRecord(tipster.id, { at: at("10:00") });
    expect(summarise(first)).toEqual({
      days: [
        [addDays(today, -1), 24],
        [addDays(today, -2), 6],
      ],
      olderUntil: addDays(today, -3),
    });
    const order = first.days[0]?.tips.map(({ venueName, raceNumber }) => [venueName, raceNumber]);
    expect(order?.slice(11, 14)).toEqual([
      ["Kenilworth", 12],
      ["Vaal", 1],
      ["Vaal", 2],
    ]);
    const second = await readPublicRecord(tipster.id, {
      at: at("10:00"),
      until: first.olderUntil,
    });
    expect(summarise(second)).toEqual({
      days: [
        [addDays(today, -3), 24],
        [addDays(today, -4), 5],
        [addDays(today, -6), 1],
      ],
      olderUntil: null,
    });
    // A page that starts at a date without results begins with the date before it.
    const third = await readPublicRecord(tipster.id, {
      at: at("10:00"),
      until: addDays(today, -5),
    });
    expect(summarise(third).days).toEqual([[addDays(today, -6), 1]]);
    expect(
      summarise(await readPublicRecord(tipster.id, { at: at("10:00"), until: addDays(today, -7) })),
    ).toEqual({ days: [], olderUntil: null });
  });

  it("starts with the newest day when the URL has no date in the past", () => {
    expect(parseRecordDate(addDays(today, -1), at("10:00"))).toBe(addDays(today, -1));
    for (const text of [null, "", "2026-02-30", "soon", today])
      expect(parseRecordDate(text, at("10:00"))).toBeNull();
  });
});

describe("the list of creators", () => {
  it("is sorted by name, or by record with enough settled tips first", async () => {
    const namePrefix = `Order ${day}`;
    const createCreator = async (name: string, settled: number, won: number) => {
      const { id } = await makeTipster({ name: `${namePrefix} ${name}` });
      await pool().query(
        "update creator_records set tips = $2, settled = $2, won = $3 where creator_id = $1",
        [id, settled, won],
      );
      return id;
    };
    const lowest = await createCreator("A poor", 100, 18);
    const newcomer = await createCreator("B newcomer", 5, 5);
    const best = await createCreator("C good", 50, 18);
    const withoutTips = await createCreator("D without a tip", 0, 0);
    const listIdsBy = async (sortOrder: "name" | "record") => {
      const ids: string[] = [];
      let cursor: string | null = null;
      do {
        const page: Awaited<ReturnType<typeof listCreators>> = await listCreators({
          order: sortOrder,
          search: namePrefix,
          cursor,
          limit: 1,
        });
        ids.push(...page.creators.map((creator) => creator.id));
        cursor = page.next;
      } while (cursor);
      return ids;
    };
    expect(await listIdsBy("name")).toEqual([lowest, newcomer, best, withoutTips]);
    expect(await listIdsBy("record")).toEqual([best, lowest, newcomer, withoutTips]);
  });

  it("uses the order of compareTrackRecords and returns the total", async () => {
    const namePrefix = `Compare ${day}`;
    const before = await countCreators("tipster");
    const records = [
      ...[
        [0, 0],
        [3, 3],
        [19, 19],
        [20, 0],
        [20, 20],
        [40, 20],
        [300, 100],
        [2000, 900],
      ],
      ...[
        [20, 13],
        [1, 0],
        [50, 50],
        [50, 49],
      ],
    ] as const;
    for (const [settled = 0, won = 0] of records) {
      const { id } = await makeTipster({ name: `${namePrefix} ${settled} ${won}` });
      await pool().query(
        "update creator_records set tips = $2, settled = $2, won = $3 where creator_id = $1",
        [id, settled, won],
      );
    }
    const { creators } = await listCreators({ order: "record", search: namePrefix, limit: 50 });
    expect(creators).toHaveLength(records.length);
    const listed = creators.map((creator) => creator.record);
    expect(listed).toEqual(listed.toSorted(compareTrackRecords));
    expect(await countCreators("tipster")).toBe(before + records.length);
    expect(await countCreators()).toBeGreaterThanOrEqual(before + records.length);
  });

  it("includes suspended creators for admins only", async () => {
    const name = `Gone ${day}`;
    const tipster = await makeTipster({ name });
    await suspendCreator((await makeAdmin()).id, tipster.id);
    expect((await listCreators({ search: name })).creators).toEqual([]);
    expect((await listCreators({ search: name, all: true })).creators).toMatchObject([
      { id: tipster.id, suspendedAt: at("08:00") },
    ]);
  });
});

describe("a creator's own tips", () => {
  it("contain all fields and whether each can be settled now", async () => {
    const raceCard = await publishRaceCard({
      raceDate: today,
      races: [...createTimedRace("12:00", 1), ...createTimedRace("16:00", 2)],
    });
    await publishRaceCard({ raceDate: today });
    const read = async (state?: "to-settle" | "open" | "settled") =>
      (await readOwnTips(raceCard.creatorId, { at: at("12:30"), state })).tips;
    expect((await read()).map((tip) => [tip.raceNumber, tip.canSettle])).toEqual([
      [1, true],
      [2, false],
    ]);
    expect((await read())[1]?.analysis).toBe("A secret reason for race 2.");
    expect((await read("to-settle")).map((tip) => tip.raceNumber)).toEqual([1]);
    freezeClock(at("12:30"));
    const [first] = (await readTipIds(raceCard.raceCardId)) as [string];
    await markResult(raceCard.creatorId, { tipId: first, result: "won" });
    expect((await read("settled")).map((tip) => tip.raceNumber)).toEqual([1]);
    expect((await read("open")).map((tip) => tip.raceNumber)).toEqual([2]);
  });
});

describe("tips of several meetings", () => {
  const tomorrow = () => addDays(today, 1);
  /** Returns a complete list by pages of one tip. */
  async function readAllPages(
    read: (cursor: string | null) => Promise<{ tips: TipLike[]; next: string | null }>,
  ): Promise<string[]> {
    const seen: string[] = [];
    for (let cursor: string | null = null, first = true; first || cursor; first = false) {
      const page: Awaited<ReturnType<typeof read>> = await read(cursor);
      const [tip] = page.tips;
      if (tip) seen.push(`${tip.raceDate} ${tip.venueName} ${tip.raceNumber}`);
      cursor = page.next;
    }
    return seen;
  }
  type TipLike = { raceDate: string; venueName: string; raceNumber: number };

  it("are sorted by newest day for their creator, and by meeting within a day", async () => {
    const { creatorId } = await publishRaceCard({ venue: "vaal", raceDate: today, races: [2, 1] });
    await publishRaceCard({ creatorId, venue: "kenilworth", raceDate: today, races: [6, 3] });
    await publishRaceCard({ creatorId, venue: "vaal", raceDate: tomorrow(), races: [5, 4] });
    await publishRaceCard({ creatorId, venue: "greyville", raceDate: today, races: [1] });
    const seen = await readAllPages((cursor) =>
      readOwnTips(creatorId, { at: at("09:00"), cursor, limit: 1 }),
    );
    const todaysTips = ["Greyville 1", "Kenilworth 3", "Kenilworth 6", "Vaal 1", "Vaal 2"];
    expect(seen).toEqual([
      `${tomorrow()} Vaal 4`,
      `${tomorrow()} Vaal 5`,
      ...todaysTips.map((each) => `${today} ${each}`),
    ]);
  });

  it.each(["newest", "oldest"] as const)(
    "are sorted by meeting and race across creators when they have no result, %s day first",
    async (order) => {
      await publishRaceCard({ venue: "vaal", raceDate: tomorrow(), races: [5] });
      freezeClock(at("08:05"));
      await publishRaceCard({ venue: "vaal", raceDate: today, races: [3, 1] });
      freezeClock(at("08:10"));
      await publishRaceCard({ venue: "kenilworth", raceDate: today, races: [4] });
      await publishRaceCard({ venue: "vaal", raceDate: today, races: [2] });
      const overdueAt = at("19:00", addDays(today, 5));
      const seen = await readAllPages((cursor) =>
        listTips({ at: overdueAt, state: "overdue", order, cursor, limit: 1 }),
      );
      const ofToday = ["Kenilworth 4", "Vaal 1", "Vaal 2", "Vaal 3"].map(
        (each) => `${today} ${each}`,
      );
      const expected =
        order === "oldest"
          ? [...ofToday, `${tomorrow()} Vaal 5`]
          : [`${tomorrow()} Vaal 5`, ...ofToday];
      expect(seen.filter((each) => each >= today)).toEqual(expected);
    },
  );
});

describe("the admin list of tips", () => {
  it("contains every tip, newest first, and applies the filters", async () => {
    const admin = await makeAdmin();
    const first = await publishRaceCard({ raceDate: today, races: [1] });
    freezeClock(at("09:00"));
    const second = await publishRaceCard({ raceDate: today, races: [2] });
    const [hidden] = (await readTipIds(first.raceCardId)) as [string];
    await hideTip(admin.id, hidden);
    const all = await listTips({ at: at("09:00"), limit: 2 });
    expect(all.tips.map((tip) => tip.raceCardId)).toEqual([second.raceCardId, first.raceCardId]);
    const page = await listTips({ at: at("09:00"), limit: 1 });
    const nextPage = await listTips({ at: at("09:00"), limit: 1, cursor: page.next });
    expect(nextPage.tips.map((tip) => tip.raceCardId)).toEqual([first.raceCardId]);
    const hiddenTips = await listTips({
      at: at("09:00"),
      state: "hidden",
      creatorId: first.creatorId,
    });
    expect(hiddenTips.tips).toMatchObject([{ id: hidden, isHidden: true, isDeleted: false }]);
    const unsettledTips = await listTips({
      at: at("18:00"),
      state: "to-settle",
      creatorId: second.creatorId,
    });
    expect(unsettledTips.tips).toHaveLength(1);
  });

  it.each(["newest", "oldest"] as const)(
    "lists the races of a batch by race number when the %s tip is first",
    async (order) => {
      const { creatorId } = await publishRaceCard({ raceDate: today, races: [6, 2, 8, 1] });
      await publishRaceCard({ creatorId, venue: "vaal", raceDate: today, races: [7, 3] });
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const page: Awaited<ReturnType<typeof listTips>> = await listTips({
          at: at("09:00"),
          creatorId,
          order,
          cursor,
          limit: 1,
        });
        seen.push(...page.tips.map((tip) => `${tip.venueName} ${tip.raceNumber}`));
        cursor = page.next;
      } while (cursor);
      const kenilworth = ["Kenilworth 1", "Kenilworth 2", "Kenilworth 6", "Kenilworth 8"];
      const vaal = ["Vaal 3", "Vaal 7"];
      expect([
        [...kenilworth, ...vaal],
        [...vaal, ...kenilworth],
      ]).toContainEqual(seen);
    },
  );
});
