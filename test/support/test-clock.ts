import { setClockAhead } from "#platform/clock.server.ts";

/**
 * The instant at which the clocks of tested servers and of the integration tests start: a Wednesday on which the demo
 * has eight race cards and no special occasion, two hours before its first race. So tests see the same day whenever
 * they run.
 */
export const RACE_DAY = "2026-12-09T10:00+02:00";

const startedAt = Date.now();

/** Sets the application's clock to one that started at `RACE_DAY` with this test file, or to one that much later. */
export function startTestClock({ aheadMs = 0 } = {}): void {
  setClockAhead(Date.parse(RACE_DAY) + aheadMs - startedAt);
}

/** Follows the machine's clock, for tests that compare times with those of PostgreSQL or of another process. */
export const followMachineClock = (): void => setClockAhead(0);
