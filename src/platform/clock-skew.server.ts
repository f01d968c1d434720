import { log } from "./log.server.ts";

/** Clock skew above the first limit is logged; above the second, the machine is not ready. */
const WARN_ABOVE_MS = 1_000;
const UNREADY_ABOVE_MS = 5_000;
const WARN_INTERVAL_MS = 60_000;
const MEASUREMENTS_AT_START = 5;

const CLOCK_QUERY = "select extract(epoch from clock_timestamp()) * 1000 as ms";

type Query = (text: string) => Promise<{ rows: { ms: string }[] }>;

let skewMs: number | null = null;
let warnedAt = Number.NEGATIVE_INFINITY;

/**
 * Compares the clock of this machine with the database's, which every machine shares (decision record 0010). The
 * database reads its clock between request and response, so the duration of the query is the uncertainty of the
 * measurement and does not count as skew.
 */
export async function observeDatabaseClock(query: Query): Promise<void> {
  recordSkew(await measureClockSkew(query));
}

/** Returns the bounds by which this machine's clock is ahead of the database's, in milliseconds. */
export async function measureClockSkew(query: Query): Promise<{ minMs: number; maxMs: number }> {
  const startedAt = performance.now();
  const { rows } = await query(CLOCK_QUERY);
  const durationMs = performance.now() - startedAt;
  const receivedAt = Date.now();
  const databaseMs = Number(rows[0]?.ms);
  return { minMs: receivedAt - durationMs - databaseMs, maxMs: receivedAt - databaseMs };
}

/**
 * Compares the clocks several times, so that one slow query does not matter. Must run before requests
 * are served.
 */
export async function compareClocksAtStart(query: Query): Promise<void> {
  for (let count = 0; count < MEASUREMENTS_AT_START; count += 1) await observeDatabaseClock(query);
}

function recordSkew({ minMs, maxMs }: { minMs: number; maxMs: number }): void {
  skewMs = minMs > 0 ? minMs : maxMs < 0 ? maxMs : 0;
  if (Math.abs(skewMs) > WARN_ABOVE_MS && performance.now() - warnedAt >= WARN_INTERVAL_MS) {
    warnedAt = performance.now();
    log.warn(
      { skewSeconds: skewMs / 1000 },
      "the clock of this machine differs from the database's",
    );
  }
}

/**
 * Returns how far this machine's clock is ahead of the database's (negative: behind), or null if
 * unknown.
 */
export function getClockSkewMs(): number | null {
  return skewMs;
}

/**
 * Returns a sentence about the clock skew if it is too large to serve requests, otherwise null.
 */
export function describeClockProblem(): string | null {
  if (skewMs === null || Math.abs(skewMs) <= UNREADY_ABOVE_MS) return null;
  const seconds = (Math.abs(skewMs) / 1000).toFixed(1);
  return `The clock of this machine is ${seconds} s ${skewMs > 0 ? "ahead of" : "behind"} the database's.`;
}
