import { cpSync, existsSync, mkdirSync, readFileSync, renameSync } from "node:fs";
import { join, resolve } from "node:path";
import { Client } from "pg";
import { now } from "#platform/clock.server.ts";
import { closeDatabase, pool } from "#platform/database.server.ts";
import { placeEmbeddedPostgres, serverLockOf } from "#platform/embedded-postgres.server.ts";
import type { Env } from "#platform/env.server.ts";
import { takeProcessLock } from "#platform/process-lock.server.ts";
import { readBooks } from "../src/books/books.server.ts";
import { environmentOrExit } from "./operator.ts";
import { postgresTool } from "./postgres-tool.ts";
import { tell } from "./tell.ts";
import { withDatabase } from "./with-database.ts";

/** Puts a backup in the place of what is here, which is kept aside, and reads its books. */
async function restore(env: Env, folder: string): Promise<boolean> {
  const about = readAbout(folder);
  if ((about.kind === "dump") !== (env.databaseUrl !== null))
    throw new Error(
      about.kind === "dump"
        ? "This backup is of a server of its own: name an empty database in DATABASE_URL."
        : "This backup is of the embedded database: start without DATABASE_URL.",
    );
  mkdirSync(env.dataDir, { recursive: true });
  const lock = await takeProcessLock(serverLockOf(env.dataDir), "a restore", 3_000);
  if (!lock.ok) throw new Error(`Furlong is running on ${env.dataDir}: stop it first.`);
  try {
    if (env.databaseUrl) await restoreDump(env.databaseUrl, folder);
    else restoreFiles(env.dataDir, folder);
    restoreUploads(env.dataDir, folder);
  } finally {
    lock.release();
  }
  return await withDatabase(booksHold);
}

function readAbout(folder: string): { kind: "dump" | "files"; madeAt: string } {
  const file = join(folder, "backup.json");
  if (!existsSync(file)) throw new Error(`${folder} is no whole backup: there is no backup.json.`);
  return JSON.parse(readFileSync(file, "utf8"));
}

async function restoreDump(databaseUrl: string, folder: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const { rowCount } = await client
    .query("select from information_schema.tables where table_schema = 'public' limit 1")
    .finally(() => client.end());
  if (rowCount) throw new Error("The database is not empty: name an empty one in DATABASE_URL.");
  await postgresTool("pg_restore", [
    "--no-owner",
    "--no-privileges",
    "--exit-on-error",
    "--single-transaction",
    `--dbname=${databaseUrl}`,
    join(folder, "database.dump"),
  ]);
}

function restoreFiles(dataDir: string, folder: string): void {
  const aside = placeEmbeddedPostgres(dataDir, {
    cluster: join(folder, "postgres"),
    record: join(folder, "postgres.json"),
  });
  if (aside) console.log(`The database that was here is kept in ${aside}.`);
  const secret = join(folder, "auth-secret");
  if (existsSync(secret)) cpSync(secret, join(dataDir, "auth-secret"));
}

function restoreUploads(dataDir: string, folder: string): void {
  const uploads = join(dataDir, "uploads");
  if (existsSync(uploads)) renameSync(uploads, `${uploads}.before-${Date.now()}`);
  if (existsSync(join(folder, "uploads")))
    cpSync(join(folder, "uploads"), uploads, { recursive: true });
}

async function booksHold(): Promise<boolean> {
  const client = await pool().connect();
  try {
    const { invariants, failures } = await readBooks(client, { at: now() });
    console.log(`${invariants} invariants read, ${failures.length} do not hold.`);
    return failures.length === 0;
  } finally {
    client.release();
    await closeDatabase();
  }
}

try {
  const folder = process.argv[2];
  if (!folder) throw new Error("Name the backup: npm run restore -- backups/2026-11-21T22-00-00");
  const holds = await restore(environmentOrExit(), resolve(folder));
  console.log(holds ? "The backup is in place." : "The backup is in place, but see npm run books.");
  process.exitCode = holds ? 0 : 1;
} catch (error) {
  tell(error);
  process.exitCode = 1;
}
