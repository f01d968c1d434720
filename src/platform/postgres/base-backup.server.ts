import { copyFile, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "pg";

/** Directories that must be empty in a copy because they belong to the running process. */
const EMPTY_DIRECTORIES = new Set([
  "pg_wal",
  "pg_replslot",
  "pg_dynshmem",
  "pg_notify",
  "pg_serial",
  "pg_snapshots",
  "pg_stat_tmp",
  "pg_subtrans",
]);
const EXCLUDED_FILES =
  /^(postmaster\.(pid|opts)|server\.log.*|pgsql_tmp.*|backup_label.*|tablespace_map.*)$/;
const WAL_SEGMENT_NAME = /^[0-9A-F]{24}$/;

/**
 * Copies the data directory of a running PostgreSQL server, including the WAL of changes made
 * during the copy. A server started on the copy has the state at the end of the copy.
 */
export async function takeBaseBackup(
  superuserUrl: string,
  dataDirectory: string,
  target: string,
): Promise<void> {
  const client = new Client({ connectionString: superuserUrl, application_name: "furlong-backup" });
  await client.connect();
  try {
    // A temporary replication slot prevents WAL segments from being recycled during the copy.
    await client.query(
      "select pg_create_physical_replication_slot('furlong_backup_' || pg_backend_pid(), true, true)",
    );
    const firstSegment = await queryValue(
      client,
      "select pg_walfile_name(pg_backup_start('furlong', fast => true))",
    );
    await copyDirectory(dataDirectory, target);
    const { rows } = await client.query<{ label: string; lastSegment: string }>(
      `select labelfile as label, pg_walfile_name(lsn) as "lastSegment"
       from pg_backup_stop(wait_for_archive => false)`,
    );
    const { label = "", lastSegment = "" } = rows[0] ?? {};
    await writeFile(join(target, "backup_label"), label, { mode: 0o600 });
    await copyWal(join(dataDirectory, "pg_wal"), join(target, "pg_wal"), firstSegment, lastSegment);
  } catch (error) {
    await rm(target, { recursive: true, force: true });
    throw error;
  } finally {
    await client.end();
  }
}

async function queryValue(client: Client, text: string): Promise<string> {
  const { rows } = await client.query<Record<string, string>>(text);
  return Object.values(rows[0] ?? {})[0] ?? "";
}

async function copyDirectory(source: string, target: string, isTop = true): Promise<void> {
  await mkdir(target, { recursive: true, mode: 0o700 });
  for (const entry of await readdir(source, { withFileTypes: true })) {
    if (EXCLUDED_FILES.test(entry.name)) continue;
    const [entrySource, entryTarget] = [join(source, entry.name), join(target, entry.name)];
    if (entry.isDirectory() && isTop && EMPTY_DIRECTORIES.has(entry.name))
      await mkdir(entryTarget, { recursive: true, mode: 0o700 });
    else if (entry.isDirectory()) await copyDirectory(entrySource, entryTarget, false);
    else await copyFile(entrySource, entryTarget).catch(ignoreMissing);
  }
}

/** Ignores the missing file of a table that was dropped during the copy. The WAL has the drop. */
function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOENT") throw error;
}

async function copyWal(
  source: string,
  target: string,
  firstSegment: string,
  lastSegment: string,
): Promise<void> {
  const names = (await readdir(source)).filter((name) => WAL_SEGMENT_NAME.test(name));
  const segments = names.filter((name) => name >= firstSegment && name <= lastSegment);
  if (!segments.includes(firstSegment) || !segments.includes(lastSegment))
    throw new Error(
      "The backup took too long: PostgreSQL removed WAL segments that it still needed. Try again.",
    );
  for (const name of segments) await copyFile(join(source, name), join(target, name));
  await mkdir(join(target, "archive_status"), { recursive: true, mode: 0o700 });
  await mkdir(join(target, "summaries"), { recursive: true, mode: 0o700 });
}
