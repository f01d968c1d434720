import pg from "pg";

/** The number of the lock; every advisory lock of the product has one of its own. */
const MIGRATION_LOCK = 7_042_026;

/**
 * Does the work while no other process changes the schema or who may do what in it: machines start
 * together, and PostgreSQL refuses two grants at once ("tuple concurrently updated"). The work is given
 * the connection that holds the lock, and may use others. Must not be called inside itself.
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
