import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { computeChanceOfAtLeast } from "./luck.ts";

/** Returns the probability of at least `wins` wins, summed over all 2ⁿ outcomes. */
function sumOverOutcomes(wins: number, chances: readonly number[]): number {
  let total = 0;
  for (let outcome = 0; outcome < 2 ** chances.length; outcome += 1) {
    let count = 0;
    let probability = 1;
    for (const [index, chance] of chances.entries()) {
      const hasWon = (outcome >> index) % 2 === 1;
      count += Number(hasWon);
      probability *= hasWon ? chance : 1 - chance;
    }
    if (count >= wins) total += probability;
  }
  return total;
}

describe("the probability of at least a number of wins", () => {
  it("equals the sum over all outcomes of 12 races", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 12, maxLength: 12 }),
        fc.integer({ min: 0, max: 13 }),
        (chances, wins) => {
          expect(computeChanceOfAtLeast(wins, chances)).toBeCloseTo(
            sumOverOutcomes(wins, chances),
            10,
          );
        },
      ),
      { numRuns: 50 },
    );
  });

  it("is 1.5 % for 15 winners of 60 at 5/1 where the prices sum to 120 %", () => {
    const chances = Array.from({ length: 60 }, () => 1 / 6 / 1.2);
    expect(chances.reduce((total, chance) => total + chance, 0)).toBeCloseTo(8.33, 2);
    expect(15 / (60 / 6 / 1.2)).toBeCloseTo(1.8, 10);
    expect(computeChanceOfAtLeast(15, chances)).toBeCloseTo(0.0154, 4);
  });

  test.each([
    [0, [0.5, 0.5], 1],
    [3, [0.5, 0.5], 0],
    [2, [0.5, 0.5], 0.25],
    [1, [0.2], 0.2],
  ])("%i of %j is %d", (wins, chances, expected) => {
    expect(computeChanceOfAtLeast(wins, chances)).toBeCloseTo(expected, 12);
  });

  const manyChances = Array.from({ length: 6000 }, (_, index) => 0.03 + (index % 40) / 100);
  const distribution = computeDistribution(manyChances);
  test.each([-150, -60, -20, 0, 20, 60, 150])(
    "is accurate to 0.0001 for more than 5,000 tips, %i wins from the expected number",
    (distance) => {
      const expected = Math.round(manyChances.reduce((total, chance) => total + chance, 0));
      const approximate = computeChanceOfAtLeast(expected + distance, manyChances);
      const exact = distribution
        .slice(expected + distance)
        .reduce((total, chance) => total + chance, 0);
      expect(Math.abs(approximate - exact)).toBeLessThan(0.0001);
    },
  );
});

/** Returns the probabilities of exactly 0, 1, 2 … wins. */
function computeDistribution(chances: readonly number[]): number[] {
  const byWins = new Array<number>(chances.length + 1).fill(0);
  byWins[0] = 1;
  for (const [index, chance] of chances.entries())
    for (let wins = index + 1; wins >= 0; wins -= 1)
      byWins[wins] = (byWins[wins] ?? 0) * (1 - chance) + (byWins[wins - 1] ?? 0) * chance;
  return byWins;
}
