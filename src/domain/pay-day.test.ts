import { expect, test } from "vitest";
import { findLastPayDay, findNextPayDay } from "./pay-day.ts";

test.each([
  ["2026-11-14", "2026-10-15", "2026-11-15"],
  ["2026-11-15", "2026-11-15", "2026-11-15"],
  ["2026-11-16", "2026-11-15", "2026-12-15"],
  ["2026-12-31", "2026-12-15", "2027-01-15"],
  ["2027-01-01", "2026-12-15", "2027-01-15"],
  ["2027-01-31", "2027-01-15", "2027-02-15"],
  ["2028-02-29", "2028-02-15", "2028-03-15"],
  ["2027-03-01", "2027-02-15", "2027-03-15"],
])("on %s returns %s as the last pay day and %s as the next", (today, last, next) => {
  expect(findLastPayDay(today)).toBe(last);
  expect(findNextPayDay(today)).toBe(next);
});
