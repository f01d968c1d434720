import pg from "pg";

/** The key of the advisory lock. Every advisory lock of the application has its own key. */
const MIGRATION_LOCK = 7_042_026;

/**
 * Runs the work while no other process changes the schema or its grants: machines start together,
 * and PostgreSQL refuses concurrent grants ("tuple concurrently updated"). The work receives the
 * connection that holds the lock and may use others. Must not be nested.
 */
export async function withMigrationLock<T>(
  ownerUrl: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: ownerUrl, application_name: "furlong-migrate" });
  await client.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [MIGRATION_LOCK]);
    return await work(client);
  } finally {
    await client.end();
  }
}
