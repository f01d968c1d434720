import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { log } from "./log.server.ts";
import { logFailure } from "./log-failure.server.ts";

const lines: [level: string, facts: unknown, words: unknown][] = [];
const refused = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });

beforeEach(() => {
  vi.useFakeTimers();
  lines.length = 0;
  for (const level of ["info", "warn", "error"] as const)
    vi.spyOn(log, level).mockImplementation((...said: unknown[]) => {
      lines.push([level, said[0], said[1]]);
    });
});
afterEach(() => {
  vi.runAllTimers();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it("logs 10,000 failures of one outage as a first line, a summary and a last line", () => {
  for (let each = 0; each < 9_000; each += 1)
    logFailure("error", { path: "/", error: refused }, "request failed");
  for (let each = 0; each < 1_000; each += 1)
    logFailure("warn", { job: "send-email", error: refused }, "job failed");
  expect(lines).toEqual([
    ["warn", { what: "request failed", reason: "ECONNREFUSED" }, "database unavailable"],
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
  logFailure("error", { error: refused }, "request failed");
  vi.advanceTimersByTime(20_000);
  logFailure("error", { error: refused }, "request failed");
  expect(lines.map(([, , words]) => words)).toEqual([
    "database unavailable",
    "database still unavailable",
    "database available again",
    "database unavailable",
  ]);
});

it("logs a failure that the database did not cause on its own line with its details", () => {
  const facts = { path: "/profile", error: new Error("a fault of ours") };
  logFailure("error", { error: refused }, "request failed");
  logFailure("error", facts, "request failed");
  logFailure("warn", facts, "request failed");
  expect(lines.slice(1)).toEqual([
    ["error", facts, "request failed"],
    ["warn", facts, "request failed"],
  ]);
});
