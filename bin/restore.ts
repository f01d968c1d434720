import { cpSync, existsSync, mkdirSync, readFileSync, renameSync } from "node:fs";
import { join, resolve } from "node:path";
import { Client } from "pg";
import type { Env } from "#platform/env.server.ts";
import {
  installEmbeddedPostgresCopy,
  serverLockFile,
} from "#platform/postgres/embedded-postgres.server.ts";
import { acquireProcessLock } from "#platform/postgres/process-lock.server.ts";
import { stopLog } from "#proof/proof.server.ts";
import { readEnvOrExit } from "./command-environment.ts";
import { runPostgresTool } from "./postgres-tool.ts";
import { printError } from "./print-error.ts";
import { runAllIntegrityChecks } from "./run-integrity-checks.ts";
import { waitForDatabaseWithMessage, withDatabase } from "./with-database.ts";

/**
 * Restores a backup, stops the public log and runs the integrity checks. Renames existing data instead of
 * overwriting it. Returns true if all checks pass.
 */
async function restore(env: Env, folder: string): Promise<boolean> {
  const metadata = readMetadata(folder);
  if ((metadata.kind === "dump") !== (env.databaseUrl !== null))
    throw new Error(
      metadata.kind === "dump"
        ? "This backup is from an external server. Set DATABASE_URL to an empty database."
        : "This backup is from the embedded database. Unset DATABASE_URL.",
    );
  mkdirSync(env.dataDir, { recursive: true });
  const lock = await acquireProcessLock(serverLockFile(env.dataDir), "a restore", 3_000);
  if (!lock.ok) throw new Error(`Furlong is running in ${env.dataDir}. Stop it first.`);
  try {
    if (env.migrationDatabaseUrl) await restoreDump(env.migrationDatabaseUrl, folder);
    else restoreFiles(env.dataDir, folder);
    restoreUploads(env.dataDir, folder);
  } finally {
    lock.release();
  }
  // Uses the owner, because a separate application role gets its privileges at the next start.
  if (env.migrationDatabaseUrl) process.env.DATABASE_URL = env.migrationDatabaseUrl;
  const { invariants, failures } = await withDatabase(async () => {
    await stopLog();
    return await runAllIntegrityChecks();
  });
  console.log(`${invariants} integrity checks run, ${failures.length} failed.`);
  return failures.length === 0;
}

function readMetadata(folder: string): { kind: "dump" | "files"; createdAt: string } {
  const file = join(folder, "backup.json");
  if (!existsSync(file))
    throw new Error(`${folder} is not a complete backup: backup.json is missing.`);
  return JSON.parse(readFileSync(file, "utf8"));
}

/** Restores as the schema owner, because the application's role cannot create tables. */
async function restoreDump(ownerUrl: string, folder: string): Promise<void> {
  await waitForDatabaseWithMessage(ownerUrl, { acceptsReadOnly: false });
  const client = new Client({ connectionString: ownerUrl });
  await client.connect();
  const { rowCount } = await client
    .query("select from information_schema.tables where table_schema = 'public' limit 1")
    .finally(() => client.end());
  if (rowCount) throw new Error("The database is not empty. Set DATABASE_URL to an empty one.");
  await runPostgresTool("pg_restore", [
    "--no-owner",
    "--no-privileges",
    "--exit-on-error",
    "--single-transaction",
    `--dbname=${ownerUrl}`,
    join(folder, "database.dump"),
  ]);
}

function restoreFiles(dataDir: string, folder: string): void {
  const previousPath = installEmbeddedPostgresCopy(dataDir, {
    cluster: join(folder, "postgres"),
    record: join(folder, "postgres.json"),
  });
  if (previousPath) console.log(`The previous database was moved to ${previousPath}.`);
  const secret = join(folder, "auth-secret");
  if (existsSync(secret)) cpSync(secret, join(dataDir, "auth-secret"));
}

function restoreUploads(dataDir: string, folder: string): void {
  const uploads = join(dataDir, "uploads");
  if (existsSync(uploads)) renameSync(uploads, `${uploads}.before-${Date.now()}`);
  if (existsSync(join(folder, "uploads")))
    cpSync(join(folder, "uploads"), uploads, { recursive: true });
}

try {
  const folder = process.argv[2];
  if (!folder)
    throw new Error("Usage: npm run restore -- FOLDER (for example backups/2026-11-21T22-00-00)");
  const allPassed = await restore(readEnvOrExit(), resolve(folder));
  console.log(
    allPassed
      ? "Restore complete."
      : "Restore complete, but integrity checks failed. Run npm run books.",
  );
  process.exitCode = allPassed ? 0 : 1;
} catch (error) {
  printError(error);
  process.exitCode = 1;
}
