import { describe, expect, it } from "vitest";
import { mapConcurrently, waitUntil } from "./concurrency.ts";

describe("mapConcurrently", () => {
  it("maps each item once, within the limit, and returns results in order", async () => {
    let running = 0;
    let maxRunning = 0;
    const results = await mapConcurrently([1, 2, 3, 4, 5, 6, 7], 3, async (item) => {
      running += 1;
      maxRunning = Math.max(maxRunning, running);
      await new Promise((done) => setImmediate(done));
      running -= 1;
      return item * 10;
    });
    expect(results).toEqual([10, 20, 30, 40, 50, 60, 70]);
    expect(maxRunning).toBe(3);
  });
});

describe("waitUntil", () => {
  it("returns true once the condition is true, and false after the timeout", async () => {
    let polls = 0;
    expect(await waitUntil(() => ++polls === 3, 10_000, 1)).toBe(true);
    expect(await waitUntil(() => false, 5, 1)).toBe(false);
  });
});
