import { log } from "./log.server.ts";

const SUMMARY_INTERVAL_MS = 10_000;

type Outage = { startedAt: number; failures: number; sinceSummary: Map<string, number> };

let outage: Outage | null = null;

/**
 * Logs failures caused by an unavailable database: the first immediately, then a summary every ten
 * seconds, and a final entry when no more failures occur. One outage can make
 * thousands of requests fail.
 */
export function logOutage(description: string, reason: string): void {
  if (!outage) {
    log.warn({ failure: description, reason }, "database unavailable");
    outage = { startedAt: performance.now(), failures: 0, sinceSummary: new Map() };
    scheduleSummary();
  }
  outage.failures += 1;
  outage.sinceSummary.set(description, (outage.sinceSummary.get(description) ?? 0) + 1);
}

function scheduleSummary(): void {
  setTimeout(() => {
    if (!outage) return;
    const { startedAt, failures, sinceSummary } = outage;
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    if (sinceSummary.size === 0) {
      log.info({ seconds, failures }, "database available again");
      outage = null;
      return;
    }
    log.warn({ seconds, failures: Object.fromEntries(sinceSummary) }, "database still unavailable");
    sinceSummary.clear();
    scheduleSummary();
  }, SUMMARY_INTERVAL_MS).unref();
}
