import { AsyncLocalStorage } from "node:async_hooks";

let frozenAt: Date | null = null;
let aheadMs = 0;
const instant = new AsyncLocalStorage<Date>();

/** The instant everything in the product takes for now: business time never comes from the database. */
export function now(): Date {
  const at = instant.getStore() ?? frozenAt;
  return at ? new Date(at) : new Date(Date.now() + aheadMs);
}

/** Stops the clock at an instant, or lets it run again with null; for tests. */
export function freezeClock(at: Date | null): void {
  frozenAt = at;
}

/** Sets a running clock so far ahead of the real one, or back to it with 0; for tests. */
export function setClockAhead(milliseconds: number): void {
  aheadMs = milliseconds;
}

/**
 * Does the work as if it were that instant, while the clock runs on for everything else in this
 * process: how the demo makes its history while others are being served.
 */
export function runAt<T>(at: Date, work: () => T): T {
  return instant.run(at, work);
}
