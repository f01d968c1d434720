import { copyFile, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "pg";

/** Folders that must be empty in a copy because they belong to the running process. */
const EMPTY_FOLDERS = new Set([
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
const WAL_FILE = /^[0-9A-F]{24}$/;

/**
 * Copies the data directory of a running PostgreSQL server, including the WAL of changes made
 * during the copy. A server started on the copy has the state at the end of the copy.
 */
export async function takeBaseBackup(
  adminUrl: string,
  cluster: string,
  target: string,
): Promise<void> {
  const client = new Client({ connectionString: adminUrl, application_name: "furlong-backup" });
  await client.connect();
  try {
    // A temporary replication slot prevents WAL segments from being recycled during the copy.
    await client.query(
      "select pg_create_physical_replication_slot('furlong_backup_' || pg_backend_pid(), true, true)",
    );
    const first = await one(
      client,
      "select pg_walfile_name(pg_backup_start('furlong', fast => true))",
    );
    await copyFolder(cluster, target);
    const { rows } = await client.query<{ label: string; last: string }>(
      `select labelfile as label, pg_walfile_name(lsn) as last
       from pg_backup_stop(wait_for_archive => false)`,
    );
    const { label = "", last = "" } = rows[0] ?? {};
    await writeFile(join(target, "backup_label"), label, { mode: 0o600 });
    await copyLog(join(cluster, "pg_wal"), join(target, "pg_wal"), first, last);
  } catch (error) {
    await rm(target, { recursive: true, force: true });
    throw error;
  } finally {
    await client.end();
  }
}

async function one(client: Client, text: string): Promise<string> {
  const { rows } = await client.query<Record<string, string>>(text);
  return Object.values(rows[0] ?? {})[0] ?? "";
}

async function copyFolder(from: string, to: string, isTop = true): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (EXCLUDED_FILES.test(entry.name)) continue;
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory() && isTop && EMPTY_FOLDERS.has(entry.name))
      await mkdir(target, { recursive: true, mode: 0o700 });
    else if (entry.isDirectory()) await copyFolder(source, target, false);
    else await copyFile(source, target).catch(ignoreMissing);
  }
}

/** Ignores the missing file of a table that was dropped during the copy. The WAL has the drop. */
function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOENT") throw error;
}

async function copyLog(from: string, to: string, first: string, last: string): Promise<void> {
  const names = (await readdir(from)).filter((name) => WAL_FILE.test(name));
  const needed = names.filter((name) => name >= first && name <= last);
  if (!needed.includes(first) || !needed.includes(last))
    throw new Error(
      "The backup took too long: PostgreSQL removed log files it still needed. Try again.",
    );
  for (const name of needed) await copyFile(join(from, name), join(to, name));
  await mkdir(join(to, "archive_status"), { recursive: true, mode: 0o700 });
  await mkdir(join(to, "summaries"), { recursive: true, mode: 0o700 });
}
