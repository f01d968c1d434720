import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { correctClock, freezeClock, now, withClockAt } from "./clock.server.ts";
import { describeClockProblem, getClockSkewMs, observeDatabaseClock } from "./clock-skew.server.ts";
import { log } from "./log.server.ts";

const TRUE_TIME = Date.parse("2026-11-21T12:00:00Z");

/** Compares a clock that is `aheadMs` ahead with a database that responds within `responseMs`. */
async function observeSkew(aheadMs: number, responseMs = 0): Promise<void> {
  vi.setSystemTime(TRUE_TIME + aheadMs);
  await observeDatabaseClock(async () => {
    vi.advanceTimersByTime(responseMs / 2);
    const rows = [{ ms: String(TRUE_TIME + responseMs / 2) }];
    vi.advanceTimersByTime(responseMs / 2);
    return { rows };
  });
}

/** Increases with each test, so that the previous test's warning does not suppress the next. */
let elapsedMs = 0;
let warnings: ReturnType<typeof vi.spyOn>;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date", "performance"] });
  elapsedMs += 600_000;
  vi.advanceTimersByTime(elapsedMs);
  warnings = vi.spyOn(log, "warn").mockImplementation(() => {});
});
afterEach(async () => {
  await observeSkew(0);
  vi.useRealTimers();
  vi.restoreAllMocks();
  correctClock(0);
});

describe("a clock skew against the database", () => {
  it.each([300_000, -300_000, 5_001, -101])("of %d ms is corrected", async (aheadMs) => {
    await observeSkew(aheadMs);
    expect(getClockSkewMs()).toBe(aheadMs);
    expect(now().getTime()).toBe(TRUE_TIME);
    vi.advanceTimersByTime(1_234);
    expect(now().getTime()).toBe(TRUE_TIME + 1_234);
  });

  it.each([100, -100, 0])("of %d ms is not corrected", async (aheadMs) => {
    await observeSkew(aheadMs);
    expect(now().getTime()).toBe(TRUE_TIME + aheadMs);
  });

  it("is corrected until the clock is right, and again if the skew returns", async () => {
    await observeSkew(300_000);
    await observeSkew(0);
    expect(now().getTime()).toBe(TRUE_TIME);
    await observeSkew(-300_000);
    expect(now().getTime()).toBe(TRUE_TIME);
  });

  it("keeps its correction after a small change, so that the clock does not jitter", async () => {
    await observeSkew(300_000);
    await observeSkew(300_080);
    expect(now().getTime()).toBe(TRUE_TIME + 80);
    await observeSkew(300_101);
    expect(now().getTime()).toBe(TRUE_TIME);
  });

  it("excludes the uncertainty of a slow response", async () => {
    await observeSkew(0, 8_000);
    expect([getClockSkewMs(), describeClockProblem()]).toEqual([0, null]);
    expect(now().getTime()).toBe(Date.now());
    await observeSkew(300_000, 8_000);
    expect(getClockSkewMs()).toBe(296_000);
    expect(now().getTime()).toBe(TRUE_TIME + 8_000);
  });

  it.each([
    [1_000, 0],
    [-1_000, 0],
    [1_001, 1],
    [-1_001, 1],
  ])("of %d ms logs %d warnings", async (aheadMs, count) => {
    await observeSkew(aheadMs);
    expect(warnings).toHaveBeenCalledTimes(count);
  });

  it("logs one warning per minute", async () => {
    await observeSkew(2_000);
    vi.advanceTimersByTime(59_999);
    await observeSkew(2_000);
    expect(warnings).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(1);
    await observeSkew(2_000);
    expect(warnings).toHaveBeenCalledTimes(2);
  });

  it.each([
    [5_000, null],
    [-5_000, null],
    [5_001, "The clock of this machine is 5.0 s ahead of the database's."],
    [-300_000, "The clock of this machine is 300.0 s behind the database's."],
  ])("of %d ms results in the clock problem: %s", async (aheadMs, problem) => {
    await observeSkew(aheadMs);
    expect(describeClockProblem()).toBe(problem);
  });

  it("does not affect a clock set by a test or the demo", async () => {
    await observeSkew(300_000);
    const at = new Date("2026-01-01T10:00:00Z");
    expect(withClockAt(at, () => now())).toEqual(at);
    freezeClock(at);
    expect(now()).toEqual(at);
    freezeClock(null);
  });
});
