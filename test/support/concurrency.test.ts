import { describe, expect, it } from "vitest";
import { comesTrue, eachAtOnce } from "./concurrency.ts";

describe("work on many things", () => {
  it("is done once for each, never more at a time than asked for, and answered in order", async () => {
    let running = 0;
    let most = 0;
    const results = await eachAtOnce([1, 2, 3, 4, 5, 6, 7], 3, async (thing) => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((done) => setImmediate(done));
      running -= 1;
      return thing * 10;
    });
    expect(results).toEqual([10, 20, 30, 40, 50, 60, 70]);
    expect(most).toBe(3);
  });

  it("is waited for until it has come true, and not for ever", async () => {
    let looks = 0;
    expect(await comesTrue(() => ++looks === 3, 10_000, 1)).toBe(true);
    expect(await comesTrue(() => false, 5, 1)).toBe(false);
  });
});
