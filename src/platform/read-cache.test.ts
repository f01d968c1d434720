import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { publishUpdate } from "./notify.server.ts";
import { cachedReads } from "./read-cache.server.ts";

let readCount = 0;
const read = async () => {
  readCount += 1;
  return { readCount };
};

beforeEach(() => {
  readCount = 0;
  vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] });
});
afterEach(() => vi.useRealTimers());

describe("cachedReads", () => {
  const options = { invalidatedBy: ["race-cards"], ttlMs: 5_000, max: 2 } as const;

  it("reads once per key, even for concurrent calls", async () => {
    const cached = cachedReads(options);
    const [first, second] = await Promise.all([cached("a", read), cached("a", read)]);
    expect(first).toBe(second);
    expect(await cached("a", read)).toBe(first);
    expect(await cached("b", read)).toEqual({ readCount: 2 });
  });

  it("reads again after the time limit and after an update from this process", async () => {
    const cached = cachedReads(options);
    await cached("a", read);
    vi.advanceTimersByTime(4_990);
    expect(await cached("a", read)).toEqual({ readCount: 1 });
    vi.advanceTimersByTime(20);
    expect(await cached("a", read)).toEqual({ readCount: 2 });
    await publishUpdate("race-cards");
    expect(await cached("a", read)).toEqual({ readCount: 3 });
  });

  it("does not cache a value when an update arrives during the read", async () => {
    const cached = cachedReads(options);
    const pendingRead = Promise.withResolvers<{ readCount: number }>();
    const first = cached("a", () => pendingRead.promise);
    await publishUpdate("race-cards");
    pendingRead.resolve({ readCount: 0 });
    expect(await first).toEqual({ readCount: 0 });
    expect(await cached("a", read)).toEqual({ readCount: 1 });
  });

  it("does not cache an error", async () => {
    const cached = cachedReads(options);
    const rejectRead = () => Promise.reject(new Error("unavailable"));
    await expect(cached("a", rejectRead)).rejects.toThrow("unavailable");
    expect(await cached("a", read)).toEqual({ readCount: 1 });
  });

  it("evicts the oldest entry when the cache is full", async () => {
    const cached = cachedReads(options);
    for (const key of ["a", "b", "c"]) await cached(key, read);
    expect(await cached("a", read)).toEqual({ readCount: 4 });
  });
});
