import { describe, expect, it } from "vitest";
import { addDays, type CalendarDate, instantAt } from "#domain/calendar.ts";
import { isFinishingOrder, listPositions } from "#domain/race-result.ts";
import { planMeetings } from "./meetings.ts";
import { planDeclarations } from "./planned-declarations.ts";
import { planRaceCards, planTips } from "./planned-race-cards.ts";
import {
  deriveResult,
  findAbandonedAt,
  isForgotten,
  planClaim,
  planResults,
} from "./planned-results.ts";
import { planPunterSales, planSales } from "./planned-sales.ts";
import { seededRandom } from "./random.ts";

const plannedDays = new Map<CalendarDate, ReturnType<typeof planNewDay>>();

function planNewDay(day: CalendarDate) {
  const meetings = planMeetings(day);
  return { meetings, cards: planRaceCards(day, meetings) };
}

/** Plans a day once, because several tests read it. */
function planDay(day: CalendarDate): ReturnType<typeof planNewDay> {
  const planned = plannedDays.get(day) ?? planNewDay(day);
  plannedDays.set(day, planned);
  return planned;
}

const DAYS = Array.from({ length: 400 }, (_, index) => addDays("2026-01-01", index));

it("seededRandom repeats its numbers for the same seed and is evenly distributed", () => {
  const numbers = (seed: string) => Array.from({ length: 6 }, seededRandom(seed).next);
  expect(numbers("a")).toEqual(numbers("a"));
  expect(numbers("a")).not.toEqual(numbers("b"));
  const drawnNumbers = Array.from({ length: 10_000 }, (_, nth) =>
    seededRandom("even", nth).between(1, 10),
  );
  for (let value = 1; value <= 10; value += 1) {
    const share = drawnNumbers.filter((number) => number === value).length / drawnNumbers.length;
    expect(share).toBeGreaterThan(0.08);
    expect(share).toBeLessThan(0.12);
  }
});

it("planDeclarations declares the runners of every meeting, each jockey once in a race", () => {
  for (const day of DAYS.slice(0, 30)) {
    const files = planDeclarations(day);
    expect(files.map((file) => file.venue)).toEqual(
      planDay(day).meetings.map((meeting) => meeting.venueSlug),
    );
    for (const { runners } of files.flatMap((file) => file.races)) {
      expect(runners.length).toBeGreaterThanOrEqual(8);
      const jockeys = runners.map((runner) => runner.jockey);
      expect(jockeys).not.toContain(null);
      expect(new Set(jockeys).size).toBe(jockeys.length);
    }
  }
});

describe("the race cards on sale at any time of 800 days", () => {
  it("are at least four at three venues, one with eight races, one with one tip, and at most 20 a day", () => {
    for (const day of Array.from({ length: 800 }, (_, index) => addDays("2026-11-21", index)))
      for (const time of ["00:05", "10:00", "12:05", "17:55", "23:50"]) {
        const at = instantAt(day, time);
        const [today = [], tomorrow = []] = [day, addDays(day, 1)].map((raceDate) =>
          planDay(raceDate).cards.filter(
            ({ creator, publishedAt, races }) =>
              !creator.hasWorkForVisitors && publishedAt <= at && (races.at(-1)?.offAt ?? at) > at,
          ),
        );
        const cards = [...today, ...tomorrow];
        const context = `${day} ${time}`;
        expect(cards.length, context).toBeGreaterThanOrEqual(4);
        expect(
          new Set(cards.map(({ meeting }) => meeting.venueSlug)).size,
          context,
        ).toBeGreaterThanOrEqual(3);
        expect(
          cards.some(({ races }) => races.length === 8),
          context,
        ).toBe(true);
        expect(
          cards.some(({ races }) => races.length === 1),
          context,
        ).toBe(true);
        expect(Math.max(today.length, tomorrow.length), context).toBeLessThanOrEqual(20);
      }
  });

  it("leave the tipster R100 payable after every pay day: sales just after midnight on the 1st", () => {
    const firsts = Array.from({ length: 860 }, (_, index) => addDays("2026-09-22", index)).filter(
      (day) => day.endsWith("-01"),
    );
    expect(firsts.length).toBeGreaterThan(26);
    for (const day of firsts) {
      const early = planSales(day, planDay(day).cards).filter(
        ({ card, at }) =>
          card.creator.accountName === "tipster" &&
          at > instantAt(day) &&
          at < instantAt(day, "00:05") &&
          card.publishedAt < at &&
          findAbandonedAt(card.meeting) === null,
      );
      expect(early.length * 2800, day).toBeGreaterThanOrEqual(10_000);
    }
  });

  it("leave an overdue result: a race card of the last 60 days that is never marked", () => {
    const forgotten = Array.from({ length: 860 }, (_, index) =>
      addDays("2026-09-22", index),
    ).filter((day) =>
      planDay(day).cards.some(
        ({ creator, meeting }) => creator.accountName === "longshot.lulu" && isForgotten(meeting),
      ),
    );
    for (let index = 0; index < 800; index += 1) {
      const day = addDays("2026-11-21", index);
      const overdue = forgotten.filter(
        (raceDate) => raceDate >= addDays(day, -60) && raceDate < addDays(day, -3),
      );
      expect(overdue.length, day).toBeGreaterThan(0);
    }
  });
});

describe("each of 400 days", () => {
  it("has three or four meetings, eight races in the main one and no horse that runs twice", () => {
    for (const day of DAYS) {
      const meetings = planDay(day).meetings;
      expect([3, 4]).toContain(meetings.length);
      expect(meetings[0]?.races).toHaveLength(8);
      const runners = meetings.flatMap((meeting) => meeting.races.flatMap((race) => race.field));
      const names = runners.map((runner) => runner.horseName);
      expect(new Set(names).size).toBe(names.length);
      for (const meeting of meetings)
        for (const race of meeting.races) expect(race.field.length).toBeGreaterThanOrEqual(8);
    }
  });

  it("has four early race cards at three venues, one with eight races, one with one tip", () => {
    for (const day of DAYS) {
      const earlyRaceCards = planDay(day).cards.filter(
        ({ creator, publishedAt }) =>
          !creator.hasWorkForVisitors &&
          publishedAt < new Date(Date.parse(`${addDays(day, -1)}T07:05:00+02:00`)),
      );
      expect(earlyRaceCards.length).toBeGreaterThanOrEqual(4);
      expect(
        new Set(earlyRaceCards.map((card) => card.meeting.venueSlug)).size,
      ).toBeGreaterThanOrEqual(3);
      expect(earlyRaceCards.some((card) => card.races.length === 8)).toBe(true);
      expect(earlyRaceCards.some((card) => card.races.length === 1)).toBe(true);
    }
  });

  it("has sales only after publication and before the last off of the race card", () => {
    for (const day of DAYS)
      for (const { card, at } of planSales(day, planDay(day).cards)) {
        expect(at.getTime()).toBeGreaterThan(card.publishedAt.getTime());
        expect(at.getTime()).toBeLessThan(card.races.at(-1)?.offAt.getTime() ?? 0);
      }
  });
});

describe("the punter's race cards of 100 days", () => {
  const salesOfToday = DAYS.slice(0, 100).map((day) =>
    planPunterSales(day, planDay(day).cards, { isToday: true }),
  );

  it("are two or three on each day, opened in the morning, without void tips", () => {
    for (const [index, sales] of salesOfToday.entries()) {
      expect([2, 3]).toContain(new Set(sales.map(({ card }) => card)).size);
      for (const { card, at } of sales) {
        const results = planTips(card, "").map((tip) => deriveResult(card.meeting, tip));
        expect(results).not.toContain("void");
        expect(at.getTime()).toBeGreaterThan(card.publishedAt.getTime());
        expect(at.getTime()).toBeLessThan(instantAt(DAYS[index] ?? "", "07:45").getTime());
      }
    }
  });

  it("agree on a horse on nearly every day", () => {
    const agreeing = salesOfToday.filter((sales) => {
      const selections = sales.flatMap(({ card }) =>
        planTips(card, "Kenilworth").map(
          ({ raceNumber, horseNumber }) => `${card.meeting.venueSlug} ${raceNumber} ${horseNumber}`,
        ),
      );
      return new Set(selections).size < selections.length;
    });
    expect(agreeing.length).toBeGreaterThan(90);
  });

  it("are opened on some of the days before", () => {
    const days = DAYS.slice(0, 100).filter(
      (day) => planPunterSales(day, planDay(day).cards, { isToday: false }).length > 0,
    );
    expect(days.length).toBeGreaterThan(15);
    expect(days.length).toBeLessThan(45);
  });
});

describe("the analyses", () => {
  it("are complete sentences and differ within a race card", () => {
    for (const day of DAYS.slice(0, 60))
      for (const card of planDay(day).cards) {
        const analyses = planTips(card, "Kenilworth").map((tip) => tip.analysis);
        expect(new Set(analyses).size).toBe(analyses.length);
        for (const analysis of analyses) {
          expect(analysis.length).toBeGreaterThan(120);
          expect(analysis).toMatch(/\.$/);
          expect(analysis).not.toMatch(/undefined|null|NaN|\{|\}| {2}/);
        }
      }
  });

  it("name the selected horse", () => {
    const [card] = planDay("2026-11-21").cards;
    if (!card) throw new Error("no race card");
    for (const tip of planTips(card, "Turffontein")) expect(tip.analysis).toContain(tip.horseName);
  });
});

describe("the results of 60 days", () => {
  const planned = DAYS.slice(0, 60).flatMap((day) => {
    const { meetings, cards } = planDay(day);
    return meetings.flatMap((meeting) => planResults(meeting, cards));
  });

  it("have consecutive positions, and prices of every horse that started", () => {
    for (const { entry } of planned) {
      expect(isFinishingOrder(entry.runners)).toBe(true);
      for (const { outcome, startingPrice, winDividendCents, position } of entry.runners) {
        expect(startingPrice === null).toBe(outcome === "non-runner");
        expect(winDividendCents === null).toBe(position !== 1);
      }
    }
  });

  it("include dead heats for first and for a place, non-runners, horses that did not finish and abandoned races", () => {
    const runners = planned.flatMap(({ entry }) => entry.runners);
    const deadHeats = planned.flatMap(({ race, entry }) =>
      race.deadHeatAt !== null && entry.status === "official"
        ? [listPositions(entry.runners)[race.deadHeatAt - 1]?.length]
        : [],
    );
    expect(deadHeats.length).toBeGreaterThan(10);
    expect(new Set(deadHeats)).toEqual(new Set([2]));
    expect(planned.some(({ race }) => race.deadHeatAt === 1)).toBe(true);
    expect(planned.some(({ race }) => race.deadHeatAt === 3)).toBe(true);
    expect(new Set(runners.map(({ outcome }) => outcome))).toEqual(
      new Set(["finished", "did-not-finish", "disqualified", "non-runner"]),
    );
    const abandoned = planned.filter(({ entry }) => entry.status === "abandoned");
    const meetings = Map.groupBy(abandoned, ({ meeting }) => meeting);
    expect([...meetings.keys()].map(({ abandonedFrom }) => abandonedFrom)).toEqual([1, 4, 1, 4]);
  });

  it("include corrections, which exchange the first two horses and give a reason", () => {
    const corrected = planned.filter(({ correction }) => correction !== null);
    expect(corrected.length).toBeGreaterThanOrEqual(4);
    for (const { entry, correction, confirmedAt } of corrected) {
      const [first, second, third] = listPositions(entry.runners);
      expect(listPositions(correction?.entry.runners ?? [])).toEqual([second, first, third]);
      expect(correction?.entry.reason).not.toBe("");
      expect(correction?.enteredAt.getTime()).toBeGreaterThan(confirmedAt.getTime());
    }
  });

  it("are entered after the off and confirmed later", () => {
    for (const { meeting, race, enteredAt, confirmedAt } of planned) {
      const off = findAbandonedAt(meeting) ?? race.offAt;
      expect(enteredAt.getTime()).toBeGreaterThan(Math.min(off.getTime(), race.offAt.getTime()));
      expect(confirmedAt.getTime()).toBeGreaterThan(enteredAt.getTime());
    }
  });

  it("leave races of the demo tipster without confirmation until two days later", () => {
    for (const day of DAYS.slice(0, 60)) {
      const { cards } = planDay(day);
      const card = cards.find(({ creator }) => creator.accountName === "tipster");
      if (!card) throw new Error(`${day}: no race card of the demo tipster`);
      const unconfirmed = planResults(card.meeting, cards).filter(
        ({ race, confirmedAt }) =>
          card.races.includes(race) && confirmedAt > instantAt(addDays(day, 2), "20:00"),
      );
      expect(unconfirmed.length).toBeGreaterThan(0);
    }
  });
});

describe("claims", () => {
  const claims = DAYS.slice(0, 60).flatMap((day) =>
    planDay(day).cards.flatMap((card) =>
      planTips(card, "Kenilworth").map((tip) => ({
        accountName: card.creator.accountName,
        claim: planClaim(card.creator, card.meeting, tip),
        result: deriveResult(card.meeting, tip),
      })),
    ),
  );

  it("agree with the results, except some of one tipster, who claims winners that lost", () => {
    const contradicted = claims.filter(({ claim, result }) => claim !== null && claim !== result);
    expect(contradicted.length).toBeGreaterThan(10);
    expect(contradicted.length).toBeLessThan(claims.length / 20);
    for (const { accountName, claim, result } of contradicted)
      expect([accountName, claim, result]).toEqual(["longshot.lulu", "won", "lost"]);
  });

  it("are not made for void tips and abandoned races", () => {
    const unclaimed = claims.filter(({ result }) => result === "void" || result === null);
    expect(unclaimed.length).toBeGreaterThan(10);
    expect(unclaimed.every(({ claim }) => claim === null)).toBe(true);
  });
});

it("derives results from the finishing order, and the same for both horses of a dead heat", () => {
  const races = DAYS.slice(0, 60)
    .flatMap((day) => planDay(day).meetings)
    .flatMap((meeting) => meeting.races.map((race) => ({ meeting, race })))
    .filter(({ meeting }) => meeting.abandonedFrom === null);
  const deriveResults = (deadHeatAt: number | null) => {
    const found = races.find(({ race }) => race.deadHeatAt === deadHeatAt);
    if (!found) throw new Error(`no dead heat for position ${deadHeatAt}`);
    const { meeting, race } = found;
    const result = (index: number, tipType: "win" | "place") =>
      deriveResult(meeting, {
        raceNumber: race.raceNumber,
        horseNumber: race.finish[index] ?? 0,
        tipType,
      });
    return [result(0, "win"), result(1, "win"), result(2, "place"), result(3, "place")];
  };
  expect(deriveResults(null)).toEqual(["won", "lost", "won", "lost"]);
  expect(deriveResults(1)).toEqual(["won", "won", "won", "lost"]);
  expect(deriveResults(3)).toEqual(["won", "lost", "won", "won"]);
});
