import { describe, expect, it } from "vitest";
import { percentile, permutations, tally } from "./statistics.ts";

describe("statistics", () => {
  it("computes percentiles by nearest rank", () => {
    const values = Array.from({ length: 100 }, (_, index) => 100 - index);
    expect(percentile(values, 0.99)).toBe(99);
    expect(percentile(values, 0.5)).toBe(50);
    expect(percentile([7], 0.99)).toBe(7);
    expect(percentile([], 0.5)).toBeNaN();
  });

  it("counts each distinct value", () => {
    expect(tally([402, 200, 402])).toBe("1 × 200, 2 × 402");
    expect(tally([])).toBe("");
  });

  it("lists every permutation once", () => {
    const orders = permutations([1, 2, 3, 4, 5]);
    expect(orders).toHaveLength(120);
    expect(new Set(orders.map(String)).size).toBe(120);
  });
});
