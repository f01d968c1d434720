import pRetry from "p-retry";
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
  const { host } = new URL(url);
  let reportedAt = Number.NEGATIVE_INFINITY;
  await pRetry(
    async () => {
      const problem = await findProblem(url, acceptsReadOnly);
      if (problem !== null) throw new DatabaseNotReadyError(host, problem);
    },
    {
      retries: Number.POSITIVE_INFINITY,
      minTimeout: RETRY_MS,
      factor: 1,
      maxRetryTime: timeoutMs,
      shouldRetry: ({ error }) => {
        if (!(error instanceof DatabaseNotReadyError)) return false;
        if (performance.now() - reportedAt >= REPORT_INTERVAL_MS) {
          log(`Waiting for the database at ${host} (${error.problem})`);
          reportedAt = performance.now();
        }
        return true;
      },
    },
  );
}

class DatabaseNotReadyError extends Error {
  readonly problem: string;

  constructor(host: string, problem: string) {
    super(`The database at ${host} is not available (${problem}).`);
    this.problem = problem;
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
