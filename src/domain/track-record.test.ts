import { describe, expect, test } from "vitest";
import { compareTrackRecords, level, rateRange, winRate } from "./track-record.ts";

describe("rateRange", () => {
  test("returns null before the first settled tip", () => {
    expect(rateRange({ settled: 0, won: 0 })).toBeNull();
  });

  test.each([
    // Published values of the Wilson interval at 95 %.
    { won: 3, settled: 3, low: 43.8, high: 100 },
    { won: 0, settled: 10, low: 0, high: 27.8 },
    { won: 15, settled: 50, low: 19.1, high: 43.8 },
    { won: 300, settled: 1000, low: 27.2, high: 32.9 },
  ])("returns $low to $high % for $won of $settled", ({ won, settled, low, high }) => {
    const range = rateRange({ won, settled });
    expect(range?.lowPercent).toBeCloseTo(low, 1);
    expect(range?.highPercent).toBeCloseTo(high, 1);
  });

  test("contains the win rate and stays within 0 and 100", () => {
    for (let settled = 1; settled <= 60; settled++)
      for (let won = 0; won <= settled; won++) {
        const range = rateRange({ settled, won });
        const rate = (won / settled) * 100;
        expect(range?.lowPercent).toBeGreaterThanOrEqual(0);
        expect(range?.lowPercent).toBeLessThanOrEqual(rate + 1e-9);
        expect(range?.highPercent).toBeGreaterThanOrEqual(rate - 1e-9);
        expect(range?.highPercent).toBeLessThanOrEqual(100);
      }
  });

  test("narrows as more tips are settled at the same rate", () => {
    const width = (settled: number) => {
      const range = rateRange({ settled, won: settled * 0.3 });
      return (range?.highPercent ?? 0) - (range?.lowPercent ?? 0);
    };
    expect(width(100)).toBeLessThan(width(10));
    expect(width(1000)).toBeLessThan(width(100));
  });
});

describe("compareTrackRecords", () => {
  const newcomer = { name: "newcomer", won: 3, settled: 3 };
  const veteran = { name: "veteran", won: 300, settled: 1000 };
  const strong = { name: "strong", won: 40, settled: 100 };
  const unsettled = { name: "unsettled", won: 0, settled: 0 };
  const loser = { name: "loser", won: 0, settled: 5 };

  test("ranks three of three below 300 of 1,000", () => {
    expect(compareTrackRecords(newcomer, veteran)).toBeGreaterThan(0);
  });

  test("ranks proven records before lucky ones", () => {
    const order = [unsettled, loser, newcomer, veteran, strong].sort(compareTrackRecords);
    expect(order.map((each) => each.name)).toEqual([
      "strong",
      "veteran",
      "newcomer",
      "loser",
      "unsettled",
    ]);
  });

  test("ranks the longer of two equal records first", () => {
    expect(compareTrackRecords({ won: 0, settled: 40 }, { won: 0, settled: 10 })).toBeLessThan(0);
  });
});

describe("win rate and level", () => {
  test("returns the rate with two decimals, and null before the first settled tip", () => {
    expect(winRate({ settled: 3, won: 1 })).toBe(33.33);
    expect(winRate({ settled: 0, won: 0 })).toBeNull();
  });

  test.each([
    { settled: 19, won: 19, is: null },
    { settled: 20, won: 16, is: "Expert" },
    { settled: 20, won: 13, is: "Advanced" },
    { settled: 20, won: 10, is: "Good" },
    { settled: 20, won: 9, is: "Developing" },
  ])("returns the level $is for $won of $settled", ({ settled, won, is }) => {
    expect(level({ settled, won })).toBe(is);
  });
});
