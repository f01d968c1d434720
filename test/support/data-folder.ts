import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeEmbeddedPostgres } from "#platform/postgres/embedded-postgres.server.ts";
import { acquireProcessLock, findLockHolder } from "#platform/postgres/process-lock.server.ts";

const PREFIX = "furlong-test-";
const LOCK_FILE = "owner.lock";

/** Creates a data folder for one test run; `remove` deletes it with its database. */
export async function makeDataFolder(): Promise<{ dataDir: string; remove(): Promise<void> }> {
  await removeAbandonedFolders();
  const dataDir = mkdtempSync(join(tmpdir(), PREFIX));
  chmodSync(dataDir, 0o755); // the database may have to run as another user
  await acquireProcessLock(join(dataDir, LOCK_FILE));
  return { dataDir, remove: () => remove(dataDir) };
}

/** Deletes folders of killed runs; a folder younger than a minute may not be locked yet. */
async function removeAbandonedFolders(): Promise<void> {
  for (const name of readdirSync(tmpdir())) {
    const dataDir = join(tmpdir(), name);
    if (!name.startsWith(PREFIX) || findLockHolder(join(dataDir, LOCK_FILE))) continue;
    if (Date.now() - statSync(dataDir).mtimeMs < 60_000) continue;
    await remove(dataDir).catch(() => {}); // owned by another user
  }
}

async function remove(dataDir: string): Promise<void> {
  await removeEmbeddedPostgres(dataDir);
  rmSync(dataDir, { recursive: true, force: true });
}
