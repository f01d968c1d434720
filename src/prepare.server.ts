import { bringDemoUpToDate } from "#demo/demo.server.ts";
import { ensureFirstAdmin } from "#identity/identity.server.ts";
import { closeDatabase } from "#platform/database.server.ts";
import { EnvError, env } from "#platform/env.server.ts";
import { grantToApplication } from "#platform/grant-to-application.server.ts";
import { migrate } from "#platform/migrate.server.ts";
import { installQueue, stopQueue } from "#platform/queue.server.ts";
import { renumberTransactions } from "#platform/renumber-transactions.server.ts";
import { ensureVenues } from "#racing/racing.server.ts";
import { jobs } from "./jobs.server.ts";

/**
 * What has to be done before anyone is served: the schema, the queue, the venues, the first admin, and
 * in demo mode the demo's world. Tells how far it is through `tell`.
 */
export async function prepare(tell: (line: string) => void = () => {}): Promise<void> {
  const { databaseUrl, migrationDatabaseUrl } = env();
  if (!databaseUrl) throw new EnvError(["DATABASE_URL is missing"]);
  const ownerUrl = migrationDatabaseUrl ?? databaseUrl;
  tell("Bringing the database up to date");
  await migrate(ownerUrl);
  if (await renumberTransactions(ownerUrl)) tell("The database came from another server");
  await installQueue(ownerUrl, jobs());
  await grantToApplication(ownerUrl, databaseUrl);
  try {
    await ensureVenues();
    if ((await ensureFirstAdmin()) === "missing")
      throw new EnvError([
        "ADMIN_EMAIL is missing: needed until an admin exists",
        "ADMIN_PASSWORD is missing: needed until an admin exists",
      ]);
    if (env().mode === "demo") {
      tell("Bringing the demo up to the day");
      await bringDemoUpToDate();
    }
  } finally {
    await stopQueue();
    await closeDatabase();
  }
}
