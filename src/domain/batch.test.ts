import { describe, expect, it, test } from "vitest";
import { describeCutOff, findBatchProblem, findRecordWarning, isLateTip } from "./batch.ts";
import { instantAt } from "./calendar.ts";
import { computeRecordDeadline } from "./proof/verify-log.js";

const TODAY = "2026-11-21";
const at = (time: string, date = TODAY) => instantAt(date, time);
const races = (...numbers: number[]) =>
  numbers.map((raceNumber) => ({
    raceNumber,
    reportedOffAt: null as Date | null,
    enteredOffAt: null as Date | null,
  }));

const timing = (time: string) => ({ at: at(time), cutOffMinutes: 120 });

describe("findBatchProblem", () => {
  it.each([
    ["no races", TODAY, races(), { refusal: "no-races" }],
    ["race 13", TODAY, races(1, 13), { refusal: "race-out-of-range", raceNumbers: [13] }],
    ["race 0", TODAY, races(0), { refusal: "race-out-of-range", raceNumbers: [0] }],
    ["race 1.5", TODAY, races(1.5), { refusal: "race-out-of-range", raceNumbers: [1.5] }],
    [
      "duplicate races",
      TODAY,
      races(2, 2, 2, 3, 3),
      { refusal: "duplicate-race", raceNumbers: [2, 3] },
    ],
    ["a date in the past", "2026-11-20", races(1), { refusal: "past-day" }],
    ["a date 15 days ahead", "2026-12-06", races(1), { refusal: "too-far-ahead" }],
  ])("refuses a batch with %s", (_, raceDate, batchRaces, expected) => {
    expect(findBatchProblem({ raceDate, races: batchRaces }, timing("08:00"))).toEqual(expected);
  });

  it("accepts a batch for today and up to 14 days ahead", () => {
    expect(findBatchProblem({ raceDate: TODAY, races: races(1, 12) }, timing("08:00"))).toBeNull();
    expect(
      findBatchProblem({ raceDate: "2026-12-05", races: races(1) }, timing("08:00")),
    ).toBeNull();
  });

  it("returns the numbers of the races whose off has passed", () => {
    const batchRaces = [
      { raceNumber: 1, reportedOffAt: at("12:00"), enteredOffAt: at("15:00") },
      { raceNumber: 2, reportedOffAt: at("12:35"), enteredOffAt: null },
    ];
    expect(findBatchProblem({ raceDate: TODAY, races: batchRaces }, timing("12:00"))).toEqual({
      refusal: "off-passed",
      raceNumbers: [1],
    });
  });

  it("returns the races that are closed, with their times", () => {
    const batchRaces = [
      { raceNumber: 1, reportedOffAt: at("12:00"), enteredOffAt: at("15:00") },
      { raceNumber: 2, reportedOffAt: at("12:35"), enteredOffAt: null },
      { raceNumber: 3, reportedOffAt: null, enteredOffAt: at("12:01") },
    ];
    const batch = { raceDate: TODAY, races: batchRaces };
    const justBefore = { at: new Date(at("10:00").getTime() - 1), cutOffMinutes: 120 };
    expect(findBatchProblem(batch, justBefore)).toBeNull();
    expect(findBatchProblem(batch, timing("10:00"))).toEqual({
      refusal: "race-closed",
      raceNumbers: [1],
      closings: [{ closedAt: at("10:00"), offAt: at("12:00") }],
    });
    expect(findBatchProblem(batch, timing("11:59"))).toMatchObject({ raceNumbers: [1, 2] });
    expect(findBatchProblem(batch, { at: at("11:59"), cutOffMinutes: 0 })).toBeNull();
  });

  it("assumes 18:00 for a race without an off time", () => {
    expect(findBatchProblem({ raceDate: TODAY, races: races(4) }, timing("17:59"))).toBeNull();
    expect(findBatchProblem({ raceDate: TODAY, races: races(4) }, timing("18:00"))).toEqual({
      refusal: "off-passed",
      raceNumbers: [4],
    });
  });

  it("uses the off time that the tipster entered only when it is before 18:00", () => {
    const createRaces = (time: string) => [
      { raceNumber: 1, reportedOffAt: null, enteredOffAt: at(time) },
    ];
    const problem = (time: string, now: string) =>
      findBatchProblem({ raceDate: TODAY, races: createRaces(time) }, timing(now))?.refusal ?? null;
    expect(problem("14:00", "13:59")).toBeNull();
    expect(problem("14:00", "14:00")).toBe("off-passed");
    expect(problem("23:30", "17:59")).toBeNull();
    expect(problem("23:30", "18:00")).toBe("off-passed");
  });

  it("refuses thirteen races", () => {
    const thirteen = races(...Array.from({ length: 13 }, (_, index) => index + 1));
    expect(findBatchProblem({ raceDate: TODAY, races: thirteen }, timing("08:00"))?.refusal).toBe(
      "race-out-of-range",
    );
  });
});

test.each([
  [0, "at its off"],
  [1, "1 minute before its off"],
  [60, "1 hour before its off"],
  [90, "90 minutes before its off"],
  [120, "2 hours before its off"],
])("describes a cut-off of %i minutes", (minutes, description) => {
  expect(describeCutOff(minutes)).toBe(description);
});

test("treats a tip as late from the reported off, or from 11:00 on the race day when none is reported", () => {
  expect(isLateTip(TODAY, null, at("10:59"))).toBe(false);
  expect(isLateTip(TODAY, null, at("11:00"))).toBe(true);
  expect(isLateTip(TODAY, at("15:00"), at("14:59"))).toBe(false);
  expect(isLateTip(TODAY, at("15:00"), at("15:00"))).toBe(true);
  expect(isLateTip(TODAY, at("09:30"), at("09:29"))).toBe(false);
  expect(isLateTip(TODAY, at("09:30"), at("09:30"))).toBe(true);
  expect(isLateTip("2026-11-22", null, at("23:00"))).toBe(false);
});

test("a tip published before the off was known counts before 11:00, or 120 minutes before the off", () => {
  const deadline = (off: string) => computeRecordDeadline(TODAY, at(off), false);
  expect(deadline("15:00")).toEqual(at("13:00"));
  expect(deadline("13:30")).toEqual(at("11:30"));
  expect(deadline("12:30")).toEqual(at("11:00"));
  expect(deadline("10:30")).toEqual(at("10:30"));
  expect(computeRecordDeadline(TODAY, null, false)).toEqual(at("11:00"));
});

test("warns from 10:00 that a tip without a reported off is late at 11:00", () => {
  expect(findRecordWarning(TODAY, null, at("09:59"))).toBeNull();
  expect(findRecordWarning(TODAY, null, at("10:00"))).toBe("soon");
  expect(findRecordWarning(TODAY, null, at("10:59"))).toBe("soon");
  expect(findRecordWarning(TODAY, null, at("11:00"))).toBe("late");
  expect(findRecordWarning(TODAY, at("15:00"), at("11:00"))).toBeNull();
  expect(findRecordWarning("2026-11-22", null, at("23:00"))).toBeNull();
});
