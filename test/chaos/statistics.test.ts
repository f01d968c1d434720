import { describe, expect, it } from "vitest";
import { everyOrder, percentile, tally } from "./statistics.ts";

describe("figures", () => {
  it("find the value that so many are not above", () => {
    const values = Array.from({ length: 100 }, (_, index) => 100 - index);
    expect(percentile(values, 0.99)).toBe(99);
    expect(percentile(values, 0.5)).toBe(50);
    expect(percentile([7], 0.99)).toBe(7);
    expect(percentile([], 0.5)).toBeNaN();
  });

  it("count what occurs how often", () => {
    expect(tally([402, 200, 402])).toBe("1 × 200, 2 × 402");
    expect(tally([])).toBe("");
  });

  it("list every order once", () => {
    const orders = everyOrder([1, 2, 3, 4, 5]);
    expect(orders).toHaveLength(120);
    expect(new Set(orders.map(String)).size).toBe(120);
  });
});
