import { AsyncLocalStorage } from "node:async_hooks";

let frozenAt: Date | null = null;
let offsetMs = 0;
const fixedInstant = new AsyncLocalStorage<Date>();

/** Returns the application's current time: the machine's clock, unless a test or the demo has set it. */
export function now(): Date {
  const at = fixedInstant.getStore() ?? frozenAt;
  return at ? new Date(at) : new Date(Date.now() + offsetMs);
}

/**
 * Freezes the clock at an instant, or releases it with null. For tests.
 * @internal
 */
export function freezeClock(at: Date | null): void {
  frozenAt = at;
}

/** Sets a running clock ahead of the real one (negative: behind); 0 resets it. For tests and the demo. */
export function setClockAhead(milliseconds: number): void {
  offsetMs = milliseconds;
}

/**
 * Runs the work with `now()` fixed at an instant, without affecting the rest of the process. The
 * demo uses it to create its history while requests are served.
 */
export function withClockAt<T>(at: Date, work: () => T): T {
  return fixedInstant.run(at, work);
}
