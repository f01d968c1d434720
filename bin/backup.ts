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
import { copyCluster } from "#platform/postgres/copy-cluster.server.ts";
import { startEmbeddedPostgres } from "#platform/postgres/embedded-postgres.server.ts";
import { environmentOrExit } from "./operator.ts";
import { postgresTool } from "./postgres-tool.ts";
import { tell } from "./tell.ts";
import { waitForOperator } from "./with-database.ts";

/**
 * Writes a consistent copy of the database and the uploaded images to a new folder, which is enough
 * to restore on another machine. The application may keep running. A failed backup is removed.
 */
async function backup(env: Env, folder: string): Promise<void> {
  if (existsSync(folder)) throw new Error(`${folder} already exists. Choose another folder.`);
  const half = `${folder}.part`;
  rmSync(half, { recursive: true, force: true });
  mkdirSync(half, { recursive: true, mode: 0o700 });
  try {
    const kind = env.migrationDatabaseUrl
      ? await dump(env.migrationDatabaseUrl, half)
      : await copyEmbedded(env.dataDir, half);
    // Copied after the database, because replaced images are kept for a day.
    const uploads = join(env.dataDir, "uploads");
    if (existsSync(uploads)) cpSync(uploads, join(half, "uploads"), { recursive: true });
    const about = { product: "furlong", kind, madeAt: new Date().toISOString() };
    writeFileSync(join(half, "backup.json"), `${JSON.stringify(about, null, 2)}\n`);
    renameSync(half, folder);
  } catch (error) {
    rmSync(half, { recursive: true, force: true });
    throw error;
  }
}

/** Dumps as the schema owner, whose URL bypasses a connection pooler in DATABASE_URL. */
async function dump(ownerUrl: string, half: string): Promise<"dump"> {
  await waitForOperator(ownerUrl, { mayBeReadOnly: true });
  await postgresTool("pg_dump", [
    "--format=custom",
    "--no-owner",
    "--no-privileges",
    `--file=${join(half, "database.dump")}`,
    `--dbname=${ownerUrl}`,
  ]);
  return "dump";
}

async function copyEmbedded(dataDir: string, half: string): Promise<"files"> {
  const postgres = await startEmbeddedPostgres({ dataDir });
  try {
    await copyCluster(postgres.adminUrl, postgres.cluster, join(half, "postgres"));
  } finally {
    await postgres.stopUnlessInUse();
  }
  for (const name of ["postgres.json", "auth-secret"])
    if (existsSync(join(dataDir, name))) {
      cpSync(join(dataDir, name), join(half, name));
      chmodSync(join(half, name), 0o600);
    }
  return "files";
}

const stamp = new Date().toISOString().slice(0, 19).replaceAll(":", "-");
const folder = resolve(process.argv[2] ?? join("backups", stamp));
try {
  await backup(environmentOrExit(), folder);
  console.log(
    `Backup written to ${folder}. It contains secrets and personal data: store it securely.`,
  );
} catch (error) {
  tell(error);
  process.exitCode = 1;
}
