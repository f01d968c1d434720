import { AsyncLocalStorage } from "node:async_hooks";

let frozenAt: Date | null = null;
let aheadMs = 0;
let correctionMs = 0;
const instant = new AsyncLocalStorage<Date>();

/**
 * The current instant of the product. It is the machine's clock, corrected where that differs from the
 * clock that all machines share, unless a test or the demo has set it (decision record 0010).
 */
export function now(): Date {
  const at = instant.getStore() ?? frozenAt;
  return at ? new Date(at) : new Date(Date.now() + correctionMs + aheadMs);
}

/** Sets by how much the machine's clock is corrected. */
export function correctClock(byMs: number): void {
  correctionMs = byMs;
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
export function withClockAt<T>(at: Date, work: () => T): T {
  return instant.run(at, work);
}
