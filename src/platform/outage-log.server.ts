import { log } from "./log.server.ts";

const SUMMARY_MS = 10_000;

type Outage = { beganAt: number; failures: number; sinceSummary: Map<string, number> };

let outage: Outage | null = null;

/**
 * Logs failures caused by an unavailable database: the first immediately, then a summary every ten
 * seconds, and a final entry when no more failures occur. An outage fails thousands of requests
 * alike.
 */
export function logOutage(what: string, reason: string): void {
  if (!outage) {
    log.warn({ what, reason }, "database unavailable");
    outage = { beganAt: performance.now(), failures: 0, sinceSummary: new Map() };
    summariseLater();
  }
  outage.failures += 1;
  outage.sinceSummary.set(what, (outage.sinceSummary.get(what) ?? 0) + 1);
}

function summariseLater(): void {
  setTimeout(() => {
    if (!outage) return;
    const { beganAt, failures, sinceSummary } = outage;
    const seconds = Math.round((performance.now() - beganAt) / 1000);
    if (sinceSummary.size === 0) {
      log.info({ seconds, failures }, "database available again");
      outage = null;
      return;
    }
    log.warn({ seconds, failures: Object.fromEntries(sinceSummary) }, "database still unavailable");
    sinceSummary.clear();
    summariseLater();
  }, SUMMARY_MS).unref();
}
