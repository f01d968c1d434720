import { expect, test } from "vitest";
import { addDays, dateAt, instantAt, timeAt } from "./calendar.ts";

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
