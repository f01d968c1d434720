import { setOperatorConnectTimeout } from "#platform/database.server.ts";
import { startDemoClock } from "#platform/demo-clock.server.ts";
import { startEmbeddedPostgres } from "#platform/postgres/embedded-postgres.server.ts";
import { waitForDatabase } from "#platform/postgres/wait-for-database.server.ts";
import { readEnvOrExit } from "./command-environment.ts";

const MAX_WAIT_MS = 60_000;

/** Waits up to a minute for a database. Prints a message to stderr while it waits. */
export function waitForDatabaseWithMessage(
  databaseUrl: string,
  { acceptsReadOnly }: { acceptsReadOnly: boolean },
): Promise<void> {
  const options = { timeoutMs: MAX_WAIT_MS, acceptsReadOnly };
  return waitForDatabase(databaseUrl, console.error, options);
}

/**
 * Calls `work` with the URL of the database: DATABASE_URL, for which it waits up to a minute, or
 * the embedded database of DATA_DIR, which is started if necessary and stopped again unless in use.
 */
export async function withDatabase<T>(work: (databaseUrl: string) => Promise<T>): Promise<T> {
  const env = readEnvOrExit();
  startDemoClock(env);
  setOperatorConnectTimeout();
  if (env.databaseUrl) {
    await waitForDatabaseWithMessage(env.databaseUrl, { acceptsReadOnly: true });
    return work(env.databaseUrl);
  }
  const postgres = await startEmbeddedPostgres({ dataDir: env.dataDir });
  process.env.DATABASE_URL = postgres.url;
  try {
    return await work(postgres.url);
  } finally {
    await postgres.stopUnlessInUse();
  }
}
