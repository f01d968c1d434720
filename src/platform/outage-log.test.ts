import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { log } from "./log.server.ts";
import { logFailure } from "./log-failure.server.ts";
import { countDatabaseFailures } from "./outage-log.server.ts";

const lines: [level: string, details: unknown, message: unknown][] = [];
const connectionError = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
/** The error of pg when every connection of its pool is in use. */
const fullPool = new Error("timeout exceeded when trying to connect");

beforeEach(() => {
  vi.useFakeTimers();
  lines.length = 0;
  for (const level of ["info", "warn", "error"] as const)
    vi.spyOn(log, level).mockImplementation((...args: unknown[]) => {
      lines.push([level, args[0], args[1]]);
    });
});
afterEach(() => {
  vi.runAllTimers();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it("logs 10,000 failures of one outage as a first line, a summary and a last line", () => {
  for (let count = 0; count < 9_000; count += 1)
    logFailure("error", { path: "/", error: connectionError }, "request failed");
  for (let count = 0; count < 1_000; count += 1)
    logFailure("warn", { job: "send-email", error: connectionError }, "job failed");
  expect(lines).toEqual([
    ["warn", { failure: "request failed", reason: "ECONNREFUSED" }, "database unavailable"],
  ]);
  vi.advanceTimersByTime(10_000);
  expect(lines[1]).toEqual([
    "warn",
    { seconds: 10, failures: { "request failed": 9_000, "job failed": 1_000 } },
    "database still unavailable",
  ]);
  vi.advanceTimersByTime(60_000);
  expect(lines.slice(2)).toEqual([
    ["info", { seconds: 20, failures: 10_000 }, "database available again"],
  ]);
});

it("logs a new outage when a failure follows the end of the previous one", () => {
  logFailure("error", { error: connectionError }, "request failed");
  vi.advanceTimersByTime(20_000);
  logFailure("error", { error: connectionError }, "request failed");
  expect(lines.map(([, , message]) => message)).toEqual([
    "database unavailable",
    "database still unavailable",
    "database available again",
    "database unavailable",
  ]);
});

it("logs a failure that the database did not cause on its own line with its details", () => {
  const details = { path: "/profile", error: new Error("programming error") };
  logFailure("error", { error: connectionError }, "request failed");
  logFailure("error", details, "request failed");
  logFailure("warn", details, "request failed");
  expect(lines.slice(1)).toEqual([
    ["error", details, "request failed"],
    ["warn", details, "request failed"],
  ]);
});

it("logs an overload by its own name", () => {
  logFailure("error", { error: fullPool }, "request failed");
  vi.advanceTimersByTime(20_000);
  expect(lines.map(([, , message]) => message)).toEqual([
    "overloaded",
    "still overloaded",
    "no longer overloaded",
  ]);
});

it("counts requests that wait for a connection during an outage as a part of it", () => {
  const before = { ...countDatabaseFailures() };
  logFailure("error", { error: connectionError }, "request failed");
  logFailure("error", { error: fullPool }, "request failed");
  expect(lines.map(([, , message]) => message)).toEqual(["database unavailable"]);
  expect(countDatabaseFailures()).toEqual({ ...before, unavailable: before.unavailable + 2 });
});
