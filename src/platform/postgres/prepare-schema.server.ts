import type { Client } from "pg";
import { errorCode } from "#platform/database.server.ts";
import { EnvError } from "#platform/env.server.ts";
import { installQueue, type Job } from "#platform/queue.server.ts";
import { grantToApplication } from "./grant-to-application.server.ts";
import { migrate } from "./migrate.server.ts";
import { withMigrationLock } from "./migration-lock.server.ts";
import { renumberTransactions } from "./renumber-transactions.server.ts";

/** PostgreSQL error code insufficient_privilege. */
const INSUFFICIENT_PRIVILEGE = "42501";

type Options = {
  ownerUrl: string;
  applicationUrl: string;
  jobs: Job[];
  /**
   * Creates the tables that only the demo has. Runs after the migrations, on the owner's
   * connection.
   */
  createDemoTables?: (owner: Client) => Promise<void>;
  /** Called when the database is a dump of another server, before anything is written to its data. */
  onRestore?: () => Promise<void>;
};

/**
 * Migrates the schema, installs the queue and grants the application's role its privileges, one
 * process at a time. Calls `afterMigration` before it releases the migration lock. Throws an
 * EnvError when the owner's role may not change the schema.
 */
export async function prepareSchema(
  { ownerUrl, applicationUrl, jobs, createDemoTables, onRestore }: Options,
  log: (line: string) => void = () => {},
  afterMigration: () => Promise<void> = async () => {},
): Promise<void> {
  await withMigrationLock(ownerUrl, async (client) => {
    try {
      await migrate(client);
      await createDemoTables?.(client);
      await installQueue(ownerUrl, jobs);
      await grantToApplication(client, applicationUrl);
      if (await renumberTransactions(client, onRestore))
        log("Database restored from another server: rebuilding stored totals");
    } catch (error) {
      if (errorCode(error) !== INSUFFICIENT_PRIVILEGE) throw error;
      throw new EnvError([
        describeMissingPrivilege(ownerUrl === applicationUrl, new URL(ownerUrl).username),
      ]);
    }
    await afterMigration();
  });
}

function describeMissingPrivilege(isApplicationRole: boolean, role: string): string {
  return isApplicationRole
    ? `MIGRATION_DATABASE_URL is missing: the role of DATABASE_URL (${role}) may not change the schema; name the role that owns the database`
    : `MIGRATION_DATABASE_URL names a role (${role}) that may not change the schema; name the role that owns the database`;
}
