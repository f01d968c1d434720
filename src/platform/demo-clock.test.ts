import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { now, setClockAhead } from "./clock.server.ts";
import { startDemoClock } from "./demo-clock.server.ts";

const demoNow = new Date("2028-02-29T10:00:00+02:00");
let dataDir = "";
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "furlong-clock-"));
  vi.useFakeTimers({ toFake: ["Date"] });
});
afterEach(() => {
  vi.useRealTimers();
  setClockAhead(0);
  rmSync(dataDir, { recursive: true });
});

/** Returns the time after a start with this DEMO_NOW in a new process. */
function startAt(at: Date | null): number {
  setClockAhead(0);
  startDemoClock({ demoNow: at, dataDir });
  return now().getTime();
}

it("starts at DEMO_NOW and runs on", () => {
  expect(startAt(demoNow)).toBe(demoNow.getTime());
  vi.setSystemTime(Date.now() + 90_000);
  expect(now().getTime()).toBe(demoNow.getTime() + 90_000);
});

it("continues for other processes and later starts with the same DEMO_NOW", () => {
  startAt(demoNow);
  vi.setSystemTime(Date.now() + 3_600_000);
  expect(startAt(demoNow)).toBe(demoNow.getTime() + 3_600_000);
});

it("starts again when DEMO_NOW changes, and does nothing without it", () => {
  startAt(demoNow);
  vi.setSystemTime(Date.now() + 3_600_000);
  const other = new Date("2026-12-26T12:00:00Z");
  expect(startAt(other)).toBe(other.getTime());
  expect(startAt(null)).toBe(Date.now());
});
