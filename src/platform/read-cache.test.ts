import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { publishNotice } from "./notify.server.ts";
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

describe("cachedReads", () => {
  const settings = { until: ["race-cards"], forMs: 5_000, max: 2 } as const;

  it("reads once per key, also for concurrent calls", async () => {
    const kept = cachedReads(settings);
    const [one, other] = await Promise.all([kept("a", read), kept("a", read)]);
    expect(one).toBe(other);
    expect(await kept("a", read)).toBe(one);
    expect(await kept("b", read)).toEqual({ reads: 2 });
  });

  it("reads again after the time limit and after a notice from this process", async () => {
    const kept = cachedReads(settings);
    await kept("a", read);
    vi.advanceTimersByTime(4_990);
    expect(await kept("a", read)).toEqual({ reads: 1 });
    vi.advanceTimersByTime(20);
    expect(await kept("a", read)).toEqual({ reads: 2 });
    await publishNotice("race-cards");
    expect(await kept("a", read)).toEqual({ reads: 3 });
  });

  it("does not cache a value when a notice arrives during the read", async () => {
    const kept = cachedReads(settings);
    const slow = Promise.withResolvers<{ reads: number }>();
    const first = kept("a", () => slow.promise);
    await publishNotice("race-cards");
    slow.resolve({ reads: 0 });
    expect(await first).toEqual({ reads: 0 });
    expect(await kept("a", read)).toEqual({ reads: 1 });
  });

  it("does not cache an error", async () => {
    const kept = cachedReads(settings);
    const fail = () => Promise.reject(new Error("away"));
    await expect(kept("a", fail)).rejects.toThrow("away");
    expect(await kept("a", read)).toEqual({ reads: 1 });
  });

  it("evicts the oldest entry when the cache is full", async () => {
    const kept = cachedReads(settings);
    for (const key of ["a", "b", "c"]) await kept(key, read);
    expect(await kept("a", read)).toEqual({ reads: 4 });
  });
});
