import { setOperatorConnectTimeout } from "#platform/database.server.ts";
import { startEmbeddedPostgres } from "#platform/postgres/embedded-postgres.server.ts";
import { waitForDatabase } from "#platform/postgres/wait-for-database.server.ts";
import { environmentOrExit } from "./operator.ts";

/** A command of the operator waits so long for a database that is slow to come. */
const GIVE_UP_AFTER_MS = 60_000;

/** Waits up to a minute for a database, and says so. */
export function waitForOperator(
  databaseUrl: string,
  { mayBeReadOnly }: { mayBeReadOnly: boolean },
): Promise<void> {
  const options = { giveUpAfterMs: GIVE_UP_AFTER_MS, mayBeReadOnly };
  return waitForDatabase(databaseUrl, console.error, options);
}

/**
 * Calls the work with the address of the product's database: the one of DATABASE_URL, for which it waits a
 * minute at most, or the embedded one of DATA_DIR, started for the occasion where it is not running.
 */
export async function withDatabase<T>(work: (databaseUrl: string) => Promise<T>): Promise<T> {
  const env = environmentOrExit();
  setOperatorConnectTimeout();
  if (env.databaseUrl) {
    await waitForOperator(env.databaseUrl, { mayBeReadOnly: true });
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
