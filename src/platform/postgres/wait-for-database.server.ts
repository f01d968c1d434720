import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { errorCode, IS_READ_ONLY, isDatabaseUnavailable } from "#platform/database.server.ts";

const CONNECT_TIMEOUT_MS = 10_000;
const RETRY_MS = 500;
const REPORT_INTERVAL_MS = 30_000;

type Options = {
  timeoutMs?: number;
  /** Accepts a read-only server such as a standby. */
  acceptsReadOnly?: boolean;
};

/**
 * Waits until a database accepts connections and writes, and reports what it waits for every thirty
 * seconds. Throws immediately for errors that waiting does not solve (wrong password, unknown
 * database), and after `timeoutMs`.
 */
export async function waitForDatabase(
  url: string,
  log: (line: string) => void,
  { timeoutMs = Number.POSITIVE_INFINITY, acceptsReadOnly = false }: Options = {},
): Promise<void> {
  const startedAt = performance.now();
  let reportedAt = Number.NEGATIVE_INFINITY;
  for (;;) {
    const problem = await findProblem(url, acceptsReadOnly);
    if (problem === null) return;
    const at = performance.now();
    const { host } = new URL(url);
    if (at - startedAt >= timeoutMs)
      throw new Error(`The database at ${host} is not available (${problem}).`);
    if (at - reportedAt >= REPORT_INTERVAL_MS) {
      log(`Waiting for the database at ${host} (${problem})`);
      reportedAt = at;
    }
    await sleep(RETRY_MS);
  }
}

/** Returns why a database cannot be used yet, or null. */
async function findProblem(url: string, acceptsReadOnly: boolean): Promise<string | null> {
  const client = new pg.Client({
    connectionString: url,
    application_name: "furlong-wait",
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  client.on("error", () => {}); // a lost connection fails its query, which is handled
  try {
    await client.connect();
    const { rows } = await client.query<{ isReadOnly: boolean }>(IS_READ_ONLY);
    return rows[0]?.isReadOnly && !acceptsReadOnly ? "it is read-only" : null;
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error;
    return errorCode(error) ?? "no response";
  } finally {
    await client.end().catch(() => {});
  }
}
