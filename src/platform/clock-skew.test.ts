import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { followMachineClock } from "#test/test-clock.ts";
import { now } from "./clock.server.ts";
import { describeClockProblem, getClockSkewMs, observeDatabaseClock } from "./clock-skew.server.ts";
import { log } from "./log.server.ts";

followMachineClock();

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
});

describe("a clock skew against the database", () => {
  it.each([300_000, -300_000, 1, 0])("of %d ms is measured and not corrected", async (aheadMs) => {
    await observeSkew(aheadMs);
    expect(getClockSkewMs()).toBe(aheadMs);
    expect(now().getTime()).toBe(TRUE_TIME + aheadMs);
  });

  it("excludes the uncertainty of a slow response", async () => {
    await observeSkew(0, 8_000);
    expect([getClockSkewMs(), describeClockProblem()]).toEqual([0, null]);
    await observeSkew(300_000, 8_000);
    expect(getClockSkewMs()).toBe(296_000);
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
});
