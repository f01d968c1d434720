import { describe, expect, it } from "vitest";
import { addDays } from "#domain/calendar.ts";
import { planMeetings } from "./meetings.ts";
import { deriveResult, planRaceCards, planTips } from "./planned-race-cards.ts";
import { planSales } from "./planned-sales.ts";
import { seededRandom } from "./random.ts";

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

describe("each of 400 days", () => {
  it("has three or four meetings, eight races in the main one and no horse that runs twice", () => {
    for (const day of DAYS) {
      const meetings = planMeetings(day);
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
      const earlyRaceCards = planRaceCards(day, planMeetings(day)).filter(
        ({ creator, publishedAt }) =>
          !creator.isIdleNow &&
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
      for (const { card, at } of planSales(day, planRaceCards(day, planMeetings(day)))) {
        expect(at.getTime()).toBeGreaterThan(card.publishedAt.getTime());
        expect(at.getTime()).toBeLessThan(card.races.at(-1)?.offAt.getTime() ?? 0);
      }
  });
});

describe("the analyses", () => {
  it("are complete sentences and differ within a race card", () => {
    for (const day of DAYS.slice(0, 60))
      for (const card of planRaceCards(day, planMeetings(day))) {
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
    const [card] = planRaceCards("2026-11-21", planMeetings("2026-11-21"));
    if (!card) throw new Error("no race card");
    for (const tip of planTips(card, "Turffontein")) expect(tip.analysis).toContain(tip.horseName);
  });
});

it("derives results from the finishing order", () => {
  const [meeting] = planMeetings("2026-11-21");
  if (!meeting) throw new Error("no meeting");
  const [race] = meeting.races;
  const [first = 0, second = 0, third = 0, fourth = 0] = race?.finish ?? [];
  const result = (horseNumber: number, tipType: "win" | "place") =>
    deriveResult(meeting, { raceNumber: 1, horseNumber, tipType });
  expect(result(first, "win")).toBe("won");
  expect(result(second, "win")).toBe("lost");
  expect(result(third, "place")).toBe("won");
  expect(result(fourth, "place")).toBe("lost");
});
