import { setClockAhead } from "#platform/clock.server.ts";

/**
 * The instant at which the clocks of tested servers and of the integration tests start: a Wednesday on which the demo
 * has eight race cards and no special occasion, two hours before its first race. So tests see the same day whenever
 * they run.
 */
export const RACE_DAY = "2026-12-09T10:00+02:00";

/** Starts the application's clock at `RACE_DAY`, or that much later. It runs on from there. */
export function startTestClock({ aheadMs = 0 } = {}): void {
  setClockAhead(Date.parse(RACE_DAY) + aheadMs - Date.now());
}

/** Follows the machine's clock, for tests that compare times with those of PostgreSQL or of another process. */
export const followMachineClock = (): void => setClockAhead(0);
