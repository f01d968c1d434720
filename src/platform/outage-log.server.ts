import { log } from "./log.server.ts";

const SUMMARY_INTERVAL_MS = 10_000;

/**
 * Why a request could not use the database: `unavailable` if it does not answer, `overloaded` if it does but
 * every connection was in use or a statement took too long.
 */
export type DatabaseProblem = "unavailable" | "overloaded";

const MESSAGES = {
  unavailable: {
    start: "database unavailable",
    summary: "database still unavailable",
    end: "database available again",
  },
  overloaded: { start: "overloaded", summary: "still overloaded", end: "no longer overloaded" },
};

type Outage = { startedAt: number; failures: number; sinceSummary: Map<string, number> };

const outages = new Map<DatabaseProblem, Outage>();
const totals: Record<DatabaseProblem, number> = { unavailable: 0, overloaded: 0 };

/** Returns how many failures of each kind this process has logged. */
export function countDatabaseFailures(): Readonly<Record<DatabaseProblem, number>> {
  return totals;
}

/**
 * Logs failures caused by an unavailable or overloaded database: the first immediately, then a summary
 * every ten seconds, and a final entry when no more failures occur. One outage can make thousands of
 * requests fail.
 */
export function logOutage(
  description: string,
  reason: string,
  problem: DatabaseProblem = "unavailable",
): void {
  // During an outage, the requests that wait for a connection use up the pool too.
  const cause = outages.has("unavailable") ? "unavailable" : problem;
  totals[cause] += 1;
  let outage = outages.get(cause);
  if (!outage) {
    log.warn({ failure: description, reason }, MESSAGES[cause].start);
    outage = { startedAt: performance.now(), failures: 0, sinceSummary: new Map() };
    outages.set(cause, outage);
    scheduleSummary(cause, outage);
  }
  outage.failures += 1;
  outage.sinceSummary.set(description, (outage.sinceSummary.get(description) ?? 0) + 1);
}

function scheduleSummary(cause: DatabaseProblem, outage: Outage): void {
  setTimeout(() => {
    const { startedAt, failures, sinceSummary } = outage;
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    if (sinceSummary.size === 0) {
      log.info({ seconds, failures }, MESSAGES[cause].end);
      outages.delete(cause);
      return;
    }
    log.warn({ seconds, failures: Object.fromEntries(sinceSummary) }, MESSAGES[cause].summary);
    sinceSummary.clear();
    scheduleSummary(cause, outage);
  }, SUMMARY_INTERVAL_MS).unref();
}
