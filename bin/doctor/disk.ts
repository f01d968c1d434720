import { accessSync, constants, existsSync, readdirSync, readFileSync, statfsSync } from "node:fs";
import { join } from "node:path";
import type { Env } from "#platform/env.server.ts";
import { describeError, type Finding } from "./finding.ts";

const MIN_FREE_RATIO = 0.1;
const MIN_FREE_BYTES = 1024 ** 3;
const MAX_BACKUP_AGE_HOURS = 26;
const HOUR_MS = 60 * 60 * 1000;

type DiskStats = { bavail: number; blocks: number; bsize: number };

/** Checks that the data folder is writable and that enough disk space is free. */
export function checkDisk(
  { dataDir }: Pick<Env, "dataDir">,
  readDiskStats: (folder: string) => DiskStats = statfsSync,
): Finding[] {
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    return [
      {
        problem: `DATA_DIR (${dataDir}) is not writable by this user (${describeError(error)})`,
        fix: "Create the folder and make the service user its owner",
      },
    ];
  }
  const { bavail, blocks, bsize } = readDiskStats(dataDir);
  const freeBytes = bavail * bsize;
  if (bavail / blocks >= MIN_FREE_RATIO && freeBytes >= MIN_FREE_BYTES) return [];
  return [
    {
      problem: `The disk of DATA_DIR has ${(freeBytes / 1024 ** 3).toFixed(1)} GB free, ${Math.floor((bavail / blocks) * 100)}% of it`,
      fix: "Delete old backups and logs there, or enlarge the disk",
    },
  ];
}

/** Checks the age of the newest complete backup in a folder, in production only. */
export function checkBackups(
  { mode }: Pick<Env, "mode">,
  folder: string,
  currentTime = new Date(),
): Finding[] {
  if (mode !== "production") return [];
  const newest = readNewestBackupTime(folder);
  const hours = newest === null ? null : Math.floor((currentTime.getTime() - newest) / HOUR_MS);
  if (hours !== null && hours <= MAX_BACKUP_AGE_HOURS) return [];
  return [
    {
      problem:
        hours === null
          ? `There is no backup in ${folder}`
          : `The newest backup in ${folder} is ${hours} hours old`,
      fix: "Run npm run backup every day, or pass the backup folder: npm run doctor -- FOLDER",
    },
  ];
}

function readNewestBackupTime(folder: string): number | null {
  if (!existsSync(folder)) return null;
  const times = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.endsWith(".part"))
    .map((entry) => join(folder, entry.name, "backup.json"))
    .filter((file) => existsSync(file))
    .map((file) => Date.parse(JSON.parse(readFileSync(file, "utf8")).createdAt))
    .filter((time) => Number.isFinite(time));
  return times.length === 0 ? null : Math.max(...times);
}
