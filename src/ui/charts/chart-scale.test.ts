import { describe, expect, it } from "vitest";
import { createChartScale } from "./chart-scale.ts";

describe("createChartScale", () => {
  it.each([
    [
      [3, 14, 27],
      [0, 10, 20, 30],
    ],
    [
      [-56, 280],
      [-200, 0, 200, 400],
    ],
    [
      [0, 0],
      [0, 1],
    ],
    [[], [0, 1]],
    [[28], [0, 10, 20, 30]],
    [[0.25], [0, 0.1, 0.2, 0.3]],
  ])("for %j returns the ticks %j", (values, ticks) => {
    expect(createChartScale(values).ticks).toEqual(ticks);
  });

  it("maps zero and every value to a height from 0 to 1", () => {
    const values = [-3, 0, 12, 7.5];
    const { toHeight } = createChartScale(values);
    for (const value of values) {
      expect(toHeight(value)).toBeGreaterThanOrEqual(0);
      expect(toHeight(value)).toBeLessThanOrEqual(1);
    }
  });
});
