import { describe, expect, test } from "vitest";
import { compareRecords, level, rateRange, winRate } from "./record.ts";

describe("the range of a record", () => {
  test("is unknown before the first settled tip", () => {
    expect(rateRange({ settled: 0, won: 0 })).toBeNull();
  });

  test.each([
    // Published values of the Wilson interval at 95 %.
    { won: 3, settled: 3, low: 43.8, high: 100 },
    { won: 0, settled: 10, low: 0, high: 27.8 },
    { won: 15, settled: 50, low: 19.1, high: 43.8 },
    { won: 300, settled: 1000, low: 27.2, high: 32.9 },
  ])("of $won in $settled is $low to $high %", ({ won, settled, low, high }) => {
    const range = rateRange({ won, settled });
    expect(range?.lowPercent).toBeCloseTo(low, 1);
    expect(range?.highPercent).toBeCloseTo(high, 1);
  });

  test("always holds the rate itself, and stays within 0 and 100", () => {
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

  test("narrows as tips are settled at the same rate", () => {
    const width = (settled: number) => {
      const range = rateRange({ settled, won: settled * 0.3 });
      return (range?.highPercent ?? 0) - (range?.lowPercent ?? 0);
    };
    expect(width(100)).toBeLessThan(width(10));
    expect(width(1000)).toBeLessThan(width(100));
  });
});

describe("ranking by record", () => {
  const newcomer = { name: "newcomer", won: 3, settled: 3 };
  const veteran = { name: "veteran", won: 300, settled: 1000 };
  const strong = { name: "strong", won: 40, settled: 100 };
  const nobody = { name: "nobody", won: 0, settled: 0 };
  const loser = { name: "loser", won: 0, settled: 5 };

  test("three of three does not stand above 300 of 1,000", () => {
    expect(compareRecords(newcomer, veteran)).toBeGreaterThan(0);
  });

  test("puts what is proven before what is lucky", () => {
    const order = [nobody, loser, newcomer, veteran, strong].sort(compareRecords);
    expect(order.map((each) => each.name)).toEqual([
      "strong",
      "veteran",
      "newcomer",
      "loser",
      "nobody",
    ]);
  });

  test("puts the longer of two equal records first", () => {
    expect(compareRecords({ won: 0, settled: 40 }, { won: 0, settled: 10 })).toBeLessThan(0);
  });
});

describe("rate and level", () => {
  test("the rate is to two decimals, and unknown before the first settled tip", () => {
    expect(winRate({ settled: 3, won: 1 })).toBe(33.33);
    expect(winRate({ settled: 0, won: 0 })).toBeNull();
  });

  test.each([
    { settled: 19, won: 19, is: null },
    { settled: 20, won: 16, is: "Expert" },
    { settled: 20, won: 13, is: "Advanced" },
    { settled: 20, won: 10, is: "Good" },
    { settled: 20, won: 9, is: "Developing" },
  ])("$won of $settled is $is", ({ settled, won, is }) => {
    expect(level({ settled, won })).toBe(is);
  });
});
