import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { removeEmbeddedPostgres } from "#platform/postgres/embedded-postgres.server.ts";
import { acquireProcessLock, findLockHolder } from "#platform/postgres/process-lock.server.ts";

const PREFIX = "furlong-test-";
const LOCK_FILE = "owner.lock";
const MEMORY_FOLDER = "/dev/shm";
const REQUIRED_BYTES = 4 * 1024 ** 3;

/** Creates a data folder for one test run; `remove` deletes it with its database. */
export async function makeDataFolder(): Promise<{ dataDir: string; remove(): Promise<void> }> {
  await removeAbandonedFolders();
  // Locked before it gets its name, because other runs delete folders that are not locked.
  const unnamed = mkdtempSync(join(findParentFolder(), `new-${PREFIX}`));
  chmodSync(unnamed, 0o755); // the database may have to run as another user
  await acquireProcessLock(join(unnamed, LOCK_FILE));
  const dataDir = join(dirname(unnamed), basename(unnamed).slice("new-".length));
  renameSync(unnamed, dataDir);
  return { dataDir, remove: () => remove(dataDir) };
}

/**
 * Returns the folder for data folders: in memory if 4 GB are free, otherwise on disk. The database of a test file
 * has 940 files, and creating them can take 0.7 s of CPU time on a disk, but 0.02 s in memory.
 */
function findParentFolder(): string {
  if (!existsSync(MEMORY_FOLDER)) return tmpdir();
  const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
  const availableBytes = Math.min(bavail * bsize, process.availableMemory());
  return availableBytes < REQUIRED_BYTES ? tmpdir() : MEMORY_FOLDER;
}

/** Deletes the folders of killed runs. */
async function removeAbandonedFolders(): Promise<void> {
  for (const parent of [tmpdir(), MEMORY_FOLDER].filter(existsSync))
    for (const name of readdirSync(parent)) {
      const dataDir = join(parent, name);
      if (!name.startsWith(PREFIX) || findLockHolder(join(dataDir, LOCK_FILE))) continue;
      await remove(dataDir).catch(() => {}); // owned by another user, or deleted by another run
    }
}

async function remove(dataDir: string): Promise<void> {
  await removeEmbeddedPostgres(dataDir);
  rmSync(dataDir, { recursive: true, force: true });
}
