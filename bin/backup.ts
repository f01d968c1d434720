import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import type { Env } from "#platform/env.server.ts";
import { takeBaseBackup } from "#platform/postgres/base-backup.server.ts";
import { startEmbeddedPostgres } from "#platform/postgres/embedded-postgres.server.ts";
import { readEnvOrExit } from "./command-environment.ts";
import { runPostgresTool } from "./postgres-tool.ts";
import { printError } from "./print-error.ts";
import { waitForDatabaseWithMessage } from "./with-database.ts";

/**
 * Writes a consistent copy of the database and the uploaded images to a new folder, from which another machine can be
 * restored. The application may keep running. Removes a failed backup.
 */
async function backup(env: Env, folder: string): Promise<void> {
  if (existsSync(folder)) throw new Error(`${folder} already exists. Choose another folder.`);
  const partial = `${folder}.part`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { recursive: true, mode: 0o700 });
  try {
    const kind = env.migrationDatabaseUrl
      ? await dumpExternal(env.migrationDatabaseUrl, partial)
      : await copyEmbedded(env.dataDir, partial);
    // Copied after the database, so that every image the database refers to exists; replaced
    // images are kept for a day.
    const uploads = join(env.dataDir, "uploads");
    if (existsSync(uploads)) cpSync(uploads, join(partial, "uploads"), { recursive: true });
    const metadata = { product: "furlong", kind, createdAt: new Date().toISOString() };
    writeFileSync(join(partial, "backup.json"), `${JSON.stringify(metadata, null, 2)}\n`);
    renameSync(partial, folder);
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    throw error;
  }
}

/** Dumps as the schema owner, whose URL bypasses a connection pooler in DATABASE_URL. */
async function dumpExternal(ownerUrl: string, partial: string): Promise<"dump"> {
  await waitForDatabaseWithMessage(ownerUrl, { acceptsReadOnly: true });
  await runPostgresTool("pg_dump", [
    "--format=custom",
    "--no-owner",
    "--no-privileges",
    `--file=${join(partial, "database.dump")}`,
    `--dbname=${ownerUrl}`,
  ]);
  return "dump";
}

async function copyEmbedded(dataDir: string, partial: string): Promise<"files"> {
  const postgres = await startEmbeddedPostgres({ dataDir });
  try {
    await takeBaseBackup(postgres.superuserUrl, postgres.cluster, join(partial, "postgres"));
  } finally {
    await postgres.stopUnlessInUse();
  }
  for (const name of ["postgres.json", "auth-secret"])
    if (existsSync(join(dataDir, name))) {
      cpSync(join(dataDir, name), join(partial, name));
      chmodSync(join(partial, name), 0o600);
    }
  return "files";
}

const timestamp = new Date().toISOString().slice(0, 19).replaceAll(":", "-");
const folder = resolve(process.argv[2] ?? join("backups", timestamp));
try {
  await backup(readEnvOrExit(), folder);
  console.log(
    `Backup written to ${folder}. It contains secrets and personal data: store it securely.`,
  );
} catch (error) {
  printError(error);
  process.exitCode = 1;
}
