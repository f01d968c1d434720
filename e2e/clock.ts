import { readFileSync } from "node:fs";
import { join } from "node:path";
import { addDays, type CalendarDate, dateAt } from "#domain/calendar.ts";

/**
 * Returns the time of the tested servers in milliseconds. They start at a stated instant, so their clock differs from
 * this machine's by an offset. Servers in production mode use this machine's clock.
 */
export function currentTime(): number {
  return Date.now() + Number(process.env.E2E_CLOCK_OFFSET_MS ?? 0);
}

/** Returns the server's South African date, a number of days ahead. */
export function daysFromToday(days: number): CalendarDate {
  return addDays(dateAt(new Date(currentTime())), days);
}

/** Stores by how much the clock of the server with this data folder is ahead of this machine's. */
export function setClockOffset(dataDir: string): void {
  const clock = JSON.parse(readFileSync(join(dataDir, "demo-clock.json"), "utf8"));
  process.env.E2E_CLOCK_OFFSET_MS = String(Date.parse(clock.demoNow) - clock.startedAtMs);
}
