import { describe, expect, it, test } from "vitest";
import { parseStartingPrice } from "../race-result.ts";
import type { NamedRunner } from "../settlement.ts";
import { comparePrices } from "./race-prices.ts";

/** Runners with these prices that finish in the given positions. */
function createRunners(lines: readonly [price: string, position: number | null][]): NamedRunner[] {
  return lines.map(([price, position], index) => ({
    number: index + 1,
    horseName: `Horse ${index + 1}`,
    outcome: "finished",
    position,
    startingPrice: parseStartingPrice(price),
    winDividendCents: null,
    placeDividendCents: null,
  }));
}

const compare = (runners: NamedRunner[], horseNumber = 1, starters = runners.length) =>
  comparePrices({ horseNumber, stakeCents: 1000 }, { runners, starters });

describe("the chance of winning implied by the prices", () => {
  it("is the implied probability of the price divided by the sum of all", () => {
    // 1/2 + 1/3 + 1/4 + 1/6 = 1.25, a book of 125 %.
    const runners = createRunners([
      ["evens", 1],
      ["2/1", 2],
      ["3/1", 3],
      ["5/1", 4],
    ]);
    expect(compare(runners, 1)?.expectedWin).toBeCloseTo(0.4, 12);
    expect(compare(runners, 4)?.expectedWin).toBeCloseTo(1 / 7.5, 12);
    const chances = [1, 2, 3, 4].map((number) => compare(runners, number)?.expectedWin ?? 0);
    expect(chances.reduce((total, chance) => total + chance, 0)).toBeCloseTo(1, 12);
  });

  it("leaves non-runners out", () => {
    const runners = createRunners([
      ["evens", 1],
      ["evens", 2],
      ["", null],
    ]).map(
      (runner): NamedRunner =>
        runner.number === 3 ? { ...runner, outcome: "non-runner" } : runner,
    );
    expect(compare(runners, 1, 2)?.expectedWin).toBe(0.5);
  });

  it("counts horses that did not finish", () => {
    const runners = createRunners([
      ["evens", 1],
      ["evens", null],
    ]).map(
      (runner): NamedRunner =>
        runner.number === 2 ? { ...runner, outcome: "did-not-finish" } : runner,
    );
    expect(compare(runners)?.expectedWin).toBe(0.5);
  });

  test.each<[string, [string, number | null][], number, number]>([
    ["a price is missing", [["evens", 1], ["", 2]], 1, 2], // biome-ignore format: one case a line
    ["a starter is missing", [["evens", 1], ["2/1", 2]], 1, 3], // biome-ignore format: one case a line
    ["the horse is not among the runners", [["evens", 1], ["2/1", 2]], 7, 2], // biome-ignore format: one case a line
  ])("is not known where %s", (_, lines, horseNumber, starters) => {
    expect(compare(createRunners(lines), horseNumber, starters)).toBeNull();
  });
});

describe("the return of the favourite", () => {
  test.each<[string, [string, number | null][], number]>([
    ["wins at 2/1", [["2/1", 1], ["4/1", 2], ["9/1", 3]], 3000], // biome-ignore format: one case a line
    ["loses", [["2/1", 2], ["4/1", 1], ["9/1", 3]], 0], // biome-ignore format: one case a line
    ["is one of two at 2/1 with R5 each, and wins", [["2/1", 1], ["4/2", 2], ["9/1", 3]], 1500], // biome-ignore format: one case a line
    ["is two that run a dead heat", [["2/1", 1], ["2/1", 1], ["9/1", 3]], 1500], // biome-ignore format: one case a line
    ["runs a dead heat with another horse", [["2/1", 1], ["4/1", 1], ["9/1", 3]], 1500], // biome-ignore format: one case a line
    ["is one of three at 2/1 and wins", [["2/1", 1], ["2/1", 2], ["2/1", 3]], 1000], // biome-ignore format: one case a line
    ["is one of three at evens and wins", [["evens", 1], ["evens", 2], ["evens", 3]], 666], // biome-ignore format: one case a line
  ])("that %s", (_, lines, returnCents) => {
    expect(compare(createRunners(lines))?.favouriteReturnCents).toBe(returnCents);
  });
});
