import { describe, expect, it } from "vitest";
import { instantAt } from "#domain/calendar.ts";
import {
  countResults,
  type DaySelection,
  describeTally,
  groupByHorse,
  groupByRace,
  splitRaces,
} from "./my-day.ts";

const DATE = "2026-11-21";
let id = 0;
const createSelection = (
  venueName: string,
  raceNumber: number,
  off: string | null,
  horseNumber: number,
  overrides: Partial<DaySelection> = {},
): DaySelection => ({
  id: `${++id}`,
  raceCardId: "card",
  tipsterName: "Cape Doctor",
  venueName,
  raceNumber,
  offAt: off === null ? null : instantAt(DATE, off),
  horseNumber,
  horseName: `Horse ${horseNumber}`,
  tipType: "win",
  confidence: "high",
  analysis: "",
  result: null,
  isLate: false,
  scratchedAt: null,
  isClaim: false,
  isOfficial: false,
  claimedResult: null,
  ...overrides,
});
const formatRace = ({ venueName, raceNumber }: { venueName: string; raceNumber: number }) =>
  `${venueName} ${raceNumber}`;

describe("the races of a day", () => {
  const selections = [
    createSelection("Vaal", 2, "13:35", 1),
    createSelection("Vaal", 9, null, 1),
    createSelection("Vaal", 1, "13:00", 4),
    createSelection("Kenilworth", 1, "13:00", 2),
    createSelection("Kenilworth", 2, "13:30", 2),
    createSelection("Vaal", 1, "13:00", 4),
  ];

  it("are listed once in the order of their off times, with those without one last", () => {
    const races = groupByRace(selections);
    expect(races.map(formatRace)).toEqual([
      "Kenilworth 1",
      "Vaal 1",
      "Kenilworth 2",
      "Vaal 2",
      "Vaal 9",
    ]);
    expect(races[1]?.selections).toHaveLength(2);
  });

  it.each([
    ["12:59", ["Kenilworth 1", "Vaal 1"], ["Kenilworth 2", "Vaal 2", "Vaal 9"], []],
    ["13:00", ["Kenilworth 2"], ["Vaal 2", "Vaal 9"], ["Kenilworth 1", "Vaal 1"]],
    ["13:35", [], ["Vaal 9"], ["Kenilworth 1", "Vaal 1", "Kenilworth 2", "Vaal 2"]],
    ["18:00", [], [], ["Kenilworth 1", "Vaal 1", "Kenilworth 2", "Vaal 2", "Vaal 9"]],
  ])("are next, later or run at %s", (time, next, later, run) => {
    const split = splitRaces(groupByRace(selections), DATE, instantAt(DATE, time));
    expect(split.next.map(formatRace)).toEqual(next);
    expect(split.later.map(formatRace)).toEqual(later);
    expect(split.run.map(formatRace)).toEqual(run);
  });

  it("count as run before their off once they have an official result, but not with a claimed result", () => {
    const abandoned = createSelection("Vaal", 1, "13:00", 1, { result: "void" });
    const claimed = createSelection("Vaal", 2, "13:35", 1, { result: "won", isClaim: true });
    const split = splitRaces(groupByRace([abandoned, claimed]), DATE, instantAt(DATE, "12:00"));
    expect(split.run.map(formatRace)).toEqual(["Vaal 1"]);
    expect(split.next.map(formatRace)).toEqual(["Vaal 2"]);
  });

  it("use the off time of any tipster who entered one", () => {
    const [race] = groupByRace([
      createSelection("Vaal", 1, null, 1),
      createSelection("Vaal", 1, "14:00", 2),
    ]);
    expect(race?.offAt).toEqual(instantAt(DATE, "14:00"));
  });
});

it("groups tipsters by selected horse, with the most selected horse first", () => {
  const [race] = groupByRace([
    createSelection("Vaal", 1, "13:00", 7),
    createSelection("Vaal", 1, "13:00", 3),
    createSelection("Vaal", 1, "13:00", 3),
  ]);
  const horses = race ? groupByHorse(race) : [];
  expect(horses.map((horse) => [horse.horseNumber, horse.selections.length])).toEqual([
    [3, 2],
    [7, 1],
  ]);
});

it("counts only official results, and excludes void and late selections", () => {
  const tally = countResults([
    { result: "won", isClaim: false, isLate: false },
    { result: "lost", isClaim: false, isLate: false },
    { result: "won", isClaim: true, isLate: false },
    { result: "void", isClaim: false, isLate: false },
    { result: null, isClaim: false, isLate: false },
    { result: "won", isClaim: false, isLate: true },
  ]);
  expect(tally).toEqual({ won: 1, settled: 2, waiting: 2 });
  expect(describeTally(tally)).toBe("1 of 2 won, 2 without a result");
  expect(describeTally({ won: 4, settled: 9, waiting: 0 })).toBe("4 of 9 won");
  expect(describeTally({ won: 0, settled: 0, waiting: 3 })).toBe("no results yet");
  // A void tip can be one on a non-runner, in a race that was run.
  for (const notCounted of [
    { result: "won", isClaim: false, isLate: true },
    { result: "void", isClaim: false, isLate: false },
  ] as const)
    expect(describeTally(countResults([notCounted]))).toBe("no tips that count");
});
