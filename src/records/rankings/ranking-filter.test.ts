import { describe, expect, test } from "vitest";
import { listRankingPeriods, parseRankingFilter, toDateRange } from "./ranking-filter.ts";

const today = "2026-11-21";
const parse = (search: string) =>
  parseRankingFilter(new URLSearchParams(search), { today, venues: [{ slug: "vaal" }] });

describe("parsing a ranking filter", () => {
  test("defaults to all time, all venues, all tip types and the win rate", () => {
    expect(parse("")).toEqual({ period: "all", venue: "", type: "", order: "win-rate" });
  });

  test("parses the period, venue and tip type of the URL", () => {
    expect(parse("period=2026-10&venue=vaal&type=each-way&order=profit")).toEqual({
      period: "2026-10",
      venue: "vaal",
      type: "each-way",
      order: "profit",
    });
    expect(parse("period=30-days").period).toBe("30-days");
  });

  test.each([
    "period=2019-01&venue=ascot&type=exotic&order=sales",
    "period=2026-13&venue='; drop table tips&type=win;",
    "period=2026-12&venue=VAAL&type=Win",
  ])("replaces invalid values with the defaults: %s", (search) => {
    expect(parse(search)).toEqual({ period: "all", venue: "", type: "", order: "win-rate" });
  });
});

describe("ranking periods", () => {
  test("are all time, the last 30 days and twelve months, the current month first", () => {
    const periods = listRankingPeriods(today);
    expect(periods).toHaveLength(14);
    expect(periods.slice(0, 4)).toEqual([
      { value: "all", label: "All time" },
      { value: "30-days", label: "Last 30 days" },
      { value: "2026-11", label: "November 2026" },
      { value: "2026-10", label: "October 2026" },
    ]);
    expect(periods.at(-1)).toEqual({ value: "2025-12", label: "December 2025" });
  });

  test.each([
    ["2026-11", "2026-11-01", "2026-11-30"],
    ["2026-12", "2026-12-01", "2026-12-31"],
    ["2028-02", "2028-02-01", "2028-02-29"],
    ["30-days", "2026-10-23", "2026-11-21"],
    ["all", null, null],
  ])("the period %s is from %s to %s", (period, from, until) => {
    expect(toDateRange(period, today)).toEqual({ from, until });
  });
});
