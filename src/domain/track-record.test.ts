import { describe, expect, test } from "vitest";
import {
  compareTrackRecords,
  computeLevel,
  computeTrackRecord,
  computeWinRate,
  computeWinRateInterval,
  isRanked,
} from "./track-record.ts";

describe("computeWinRateInterval", () => {
  test("returns null before the first settled tip", () => {
    expect(computeWinRateInterval({ settled: 0, won: 0 })).toBeNull();
  });

  test.each([
    // Published values of the Wilson interval at 95 %.
    { won: 3, settled: 3, low: 43.8, high: 100 },
    { won: 0, settled: 10, low: 0, high: 27.8 },
    { won: 15, settled: 50, low: 19.1, high: 43.8 },
    { won: 300, settled: 1000, low: 27.2, high: 32.9 },
  ])("returns $low to $high % for $won of $settled", ({ won, settled, low, high }) => {
    const range = computeWinRateInterval({ won, settled });
    expect(range?.lowPercent).toBeCloseTo(low, 1);
    expect(range?.highPercent).toBeCloseTo(high, 1);
  });

  test("contains the win rate and stays within 0 and 100", () => {
    for (let settled = 1; settled <= 60; settled++)
      for (let won = 0; won <= settled; won++) {
        const range = computeWinRateInterval({ settled, won });
        const rate = (won / settled) * 100;
        expect(range?.lowPercent).toBeGreaterThanOrEqual(0);
        expect(range?.lowPercent).toBeLessThanOrEqual(rate + 1e-9);
        expect(range?.highPercent).toBeGreaterThanOrEqual(rate - 1e-9);
        expect(range?.highPercent).toBeLessThanOrEqual(100);
      }
  });

  test("narrows as more tips are settled at the same rate", () => {
    const width = (settled: number) => {
      const range = computeWinRateInterval({ settled, won: settled * 0.3 });
      return (range?.highPercent ?? 0) - (range?.lowPercent ?? 0);
    };
    expect(width(100)).toBeLessThan(width(10));
    expect(width(1000)).toBeLessThan(width(100));
  });
});

describe("compareTrackRecords", () => {
  const newcomer = { name: "newcomer", won: 3, settled: 3 };
  const veteran = { name: "veteran", won: 300, settled: 1000 };
  const shortRecord = { name: "40 of 100", won: 40, settled: 100 };
  const unsettled = { name: "unsettled", won: 0, settled: 0 };
  const withoutWins = { name: "without wins", won: 0, settled: 5 };

  test("ranks 3 wins of 3 below 300 of 1,000", () => {
    expect(compareTrackRecords(newcomer, veteran)).toBeGreaterThan(0);
  });

  test("ranks records with enough settled tips first", () => {
    const order = [unsettled, withoutWins, newcomer, veteran, shortRecord].sort(
      compareTrackRecords,
    );
    expect(order.map((record) => record.name)).toEqual([
      "40 of 100",
      "veteran",
      "newcomer",
      "without wins",
      "unsettled",
    ]);
  });

  test("ranks 50 settled tips, and lists 49 after them", () => {
    const [ranked, unranked] = [
      { won: 5, settled: 50 },
      { won: 49, settled: 49 },
    ];
    expect([unranked, ranked].sort(compareTrackRecords)).toEqual([ranked, unranked]);
    expect([ranked, unranked].map(isRanked)).toEqual([true, false]);
  });

  test("ranks the longer of two equal records first", () => {
    expect(compareTrackRecords({ won: 0, settled: 40 }, { won: 0, settled: 10 })).toBeLessThan(0);
  });
});

describe("win rate and level", () => {
  test("returns the rate with two decimals, and null before the first settled tip", () => {
    expect(computeWinRate({ settled: 3, won: 1 })).toBe(33.33);
    expect(computeWinRate({ settled: 0, won: 0 })).toBeNull();
  });

  test.each([
    { settled: 19, won: 19, expected: null },
    { settled: 20, won: 16, expected: "Expert" },
    { settled: 20, won: 13, expected: "Advanced" },
    { settled: 20, won: 10, expected: "Good" },
    { settled: 20, won: 9, expected: "Developing" },
  ])("returns the level $expected for $won of $settled", ({ settled, won, expected }) => {
    expect(computeLevel({ settled, won })).toBe(expected);
  });
});

describe("computeTrackRecord", () => {
  test("counts only the results of tips that are neither late nor claims", () => {
    const tip = { isLate: false, isClaim: false, result: "won" } as const;
    expect(
      computeTrackRecord([
        tip,
        { ...tip, result: "lost" },
        { ...tip, result: null },
        { ...tip, result: "void" },
        { ...tip, isClaim: true },
        { ...tip, isLate: true },
      ]),
    ).toEqual({ tips: 5, settled: 2, won: 1 });
  });

  test("is empty without tips", () => {
    expect(computeTrackRecord([])).toEqual({ tips: 0, settled: 0, won: 0 });
  });
});
