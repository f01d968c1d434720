import { expect, test } from "vitest";
import { addDays, dateAt, instantAt, isCalendarDate, isYearsAway, timeAt } from "./calendar.ts";

test("begins a South African day at 22:00 UTC, to the millisecond", () => {
  expect(dateAt(new Date("2026-11-20T21:59:59.999Z"))).toBe("2026-11-20");
  expect(dateAt(new Date("2026-11-20T22:00:00.000Z"))).toBe("2026-11-21");
  expect(instantAt("2026-11-21")).toEqual(new Date("2026-11-20T22:00:00.000Z"));
});

test("shows South African time, to the millisecond", () => {
  expect(timeAt(new Date("2026-11-20T10:59:59.999Z"))).toBe("12:59");
  expect(timeAt(new Date("2026-11-20T11:00:00.000Z"))).toBe("13:00");
});

test("adds days across months, years and leap days", () => {
  expect(addDays("2026-12-31", 1)).toBe("2027-01-01");
  expect(addDays("2028-02-28", 1)).toBe("2028-02-29");
  expect(addDays("2026-03-01", -1)).toBe("2026-02-28");
});

test.each([
  ["1899-12-31", false],
  ["1900-01-01", true],
  ["2028-02-29", true],
  ["2199-12-31", true],
  ["2200-01-01", false],
  ["0000-01-01", false],
  ["2026-02-29", false],
  ["2026-13-01", false],
  ["2026-1-1", false],
  ["2026-11-21\n", false],
])("accepts existing days from 1900 to 2199: %j is %s", (text, expected) => {
  expect(isCalendarDate(text)).toBe(expected);
});

test.each([
  ["2023-12-31", true],
  ["2024-01-01", false],
  ["2028-12-31", false],
  ["2029-01-01", true],
])("finds days more than two years away: %s is %s on 28 November 2026", (date, expected) => {
  expect(isYearsAway(date, "2026-11-28")).toBe(expected);
});
