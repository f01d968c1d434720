import { startEmbeddedPostgres } from "#platform/embedded-postgres.server.ts";
import { environmentOrExit } from "./operator.ts";

/**
 * Calls the work with the address of the product's database: the one of DATABASE_URL, or the
 * embedded one of DATA_DIR, started for the occasion where it is not running.
 */
export async function withDatabase<T>(work: (databaseUrl: string) => Promise<T>): Promise<T> {
  const env = environmentOrExit();
  if (env.databaseUrl) return work(env.databaseUrl);
  const postgres = await startEmbeddedPostgres({ dataDir: env.dataDir });
  process.env.DATABASE_URL = postgres.url;
  try {
    return await work(postgres.url);
  } finally {
    await postgres.stopUnlessInUse();
  }
}
