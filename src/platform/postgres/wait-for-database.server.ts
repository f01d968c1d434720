import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { errorCode, IS_READ_ONLY, isDatabaseUnavailable } from "#platform/database.server.ts";

const CONNECT_TIMEOUT_MS = 10_000;
const RETRY_MS = 500;
const REPORT_INTERVAL_MS = 30_000;

type Options = {
  giveUpAfterMs?: number;
  /** Accepts a read-only server such as a standby. */
  mayBeReadOnly?: boolean;
};

/**
 * Waits until a database accepts connections and writes, and reports what it waits for every thirty
 * seconds. Throws immediately for errors that waiting does not solve (wrong password, unknown
 * database), and after `giveUpAfterMs`.
 */
export async function waitForDatabase(
  url: string,
  tell: (line: string) => void,
  { giveUpAfterMs = Number.POSITIVE_INFINITY, mayBeReadOnly = false }: Options = {},
): Promise<void> {
  const beganAt = performance.now();
  let reportedAt = Number.NEGATIVE_INFINITY;
  for (;;) {
    const problem = await problemOf(url, mayBeReadOnly);
    if (problem === null) return;
    const at = performance.now();
    const { host } = new URL(url);
    if (at - beganAt >= giveUpAfterMs)
      throw new Error(`The database at ${host} is not available (${problem}).`);
    if (at - reportedAt >= REPORT_INTERVAL_MS) {
      tell(`Waiting for the database at ${host} (${problem})`);
      reportedAt = at;
    }
    await sleep(RETRY_MS);
  }
}

/** Returns why a database cannot be used yet, or null. */
async function problemOf(url: string, mayBeReadOnly: boolean): Promise<string | null> {
  const client = new pg.Client({
    connectionString: url,
    application_name: "furlong-wait",
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  client.on("error", () => {}); // a lost connection fails its query, which is handled
  try {
    await client.connect();
    const { rows } = await client.query<{ isReadOnly: boolean }>(IS_READ_ONLY);
    return rows[0]?.isReadOnly && !mayBeReadOnly ? "it is read-only" : null;
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error;
    return errorCode(error) ?? "no response";
  } finally {
    await client.end().catch(() => {});
  }
}
