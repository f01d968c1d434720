import { expect, it } from "vitest";
import { findBankDay, isBankDay } from "./bank-day.ts";

it.each([
  ["2026-11-27", true], // Friday
  ["2026-11-28", false],
  ["2026-11-29", false],
  ["2026-12-16", false], // Day of Reconciliation, a Wednesday
  ["2026-12-25", false],
  ["2026-12-26", false], // Day of Goodwill, a Saturday: no other day instead
  ["2026-12-28", true],
  ["2027-01-01", false],
  ["2027-03-22", false], // Human Rights Day is a Sunday
  ["2027-03-26", false], // Good Friday
  ["2027-03-29", false], // Family Day
  ["2027-03-30", true],
  ["2028-04-14", false], // Good Friday
  ["2028-04-17", false],
  ["2026-04-03", false],
  ["2026-04-06", false],
  ["2022-12-27", true], // Monday 26 December 2022 is the Day of Goodwill; the 27th was declared for that year only
  ["2028-02-29", true],
])("%s: banks make transfers: %s", (date, expected) => expect(isBankDay(date)).toBe(expected));

it("finds the next day on which banks make transfers", () => {
  expect(findBankDay("2026-11-27")).toBe("2026-11-27");
  expect(findBankDay("2026-12-25")).toBe("2026-12-28");
  expect(findBankDay("2027-03-26")).toBe("2027-03-30");
});
