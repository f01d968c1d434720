import { ensureFirstAdmin } from "#accounts/accounts.server.ts";
import { updateDemo } from "#demo/demo.server.ts";
import { jobs } from "#jobs.server.ts";
import { createFakeTables } from "#payments/payments.server.ts";
import { compareClocksAtStart } from "#platform/clock-skew.server.ts";
import { closeDatabase, pool, setOperatorConnectTimeout } from "#platform/database.server.ts";
import { startDemoClock } from "#platform/demo-clock.server.ts";
import { EnvError, env } from "#platform/env.server.ts";
import { prepareSchema } from "#platform/postgres/prepare-schema.server.ts";
import { waitForDatabase } from "#platform/postgres/wait-for-database.server.ts";
import { stopQueue } from "#platform/queue.server.ts";
import { checkKeptCheckpoint, startLog, stopLog } from "#proof/proof.server.ts";
import { ensureVenues } from "#racing/racing.server.ts";

const LOG_IS_STOPPED = "The public log is stopped: docs/proof.md, After a restore";

/**
 * Prepares the database before requests are served: the schema, the queue, the venues, the first
 * admin and, in demo mode, the demo data. Waits until the database is available and reports
 * progress through `log`. Machines that start together run this one at a time.
 */
export async function prepare(log: (line: string) => void = () => {}): Promise<void> {
  const { databaseUrl, migrationDatabaseUrl } = env();
  if (!databaseUrl) throw new EnvError(["DATABASE_URL is missing"]);
  const ownerUrl = migrationDatabaseUrl ?? databaseUrl;
  startDemoClock(env());
  setOperatorConnectTimeout();
  for (const url of new Set([ownerUrl, databaseUrl])) await waitForDatabase(url, log);
  try {
    await compareClocksAtStart((text) => pool().query(text));
    log("Applying database migrations");
    const schema = {
      ownerUrl,
      applicationUrl: databaseUrl,
      jobs: jobs(),
      createDemoTables: createFakeTables,
      onRestore: async () => {
        await stopLog();
        log(LOG_IS_STOPPED);
      },
    };
    await prepareSchema(schema, log, async () => {
      await ensureVenues();
      if ((await ensureFirstAdmin()) === "missing")
        throw new EnvError([
          "ADMIN_EMAIL is missing: needed until an admin exists",
          "ADMIN_PASSWORD is missing: needed until an admin exists",
        ]);
    });
    if (env().mode === "demo") {
      log("Updating the demo data to today");
      await updateDemo();
    } else {
      await startLog();
    }
    if (!(await checkKeptCheckpoint())) log(LOG_IS_STOPPED);
  } finally {
    await stopQueue();
    await closeDatabase();
  }
}
