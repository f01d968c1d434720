import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { announce } from "./notify.server.ts";
import { cachedReads } from "./read-cache.server.ts";

let reads = 0;
const read = async () => {
  reads += 1;
  return { reads };
};

beforeEach(() => {
  reads = 0;
  vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] });
});
afterEach(() => vi.useRealTimers());

describe("what is kept of reads", () => {
  const settings = { until: ["race-cards"], forMs: 5_000, max: 2 } as const;

  it("is read once by key, at the same time too", async () => {
    const kept = cachedReads(settings);
    const [one, other] = await Promise.all([kept("a", read), kept("a", read)]);
    expect(one).toBe(other);
    expect(await kept("a", read)).toBe(one);
    expect(await kept("b", read)).toEqual({ reads: 2 });
  });

  it("is read again after its time, and after news that this process has announced itself", async () => {
    const kept = cachedReads(settings);
    await kept("a", read);
    vi.advanceTimersByTime(4_990);
    expect(await kept("a", read)).toEqual({ reads: 1 });
    vi.advanceTimersByTime(20);
    expect(await kept("a", read)).toEqual({ reads: 2 });
    await announce("race-cards");
    expect(await kept("a", read)).toEqual({ reads: 3 });
  });

  it("is not kept where news came while it was being read", async () => {
    const kept = cachedReads(settings);
    const slow = Promise.withResolvers<{ reads: number }>();
    const first = kept("a", () => slow.promise);
    await announce("race-cards");
    slow.resolve({ reads: 0 });
    expect(await first).toEqual({ reads: 0 });
    expect(await kept("a", read)).toEqual({ reads: 1 });
  });

  it("is never a failure", async () => {
    const kept = cachedReads(settings);
    const fail = () => Promise.reject(new Error("away"));
    await expect(kept("a", fail)).rejects.toThrow("away");
    expect(await kept("a", read)).toEqual({ reads: 1 });
  });

  it("is given up for what is newer where there is too much", async () => {
    const kept = cachedReads(settings);
    for (const key of ["a", "b", "c"]) await kept(key, read);
    expect(await kept("a", read)).toEqual({ reads: 4 });
  });
});
