import { sql } from "drizzle-orm";
import { formatTilePath, recoveryPathOf, TILE_WIDTH, type Tile } from "#domain/proof/tile-paths.ts";
import { raiseAlertThrottled } from "#platform/alerts.server.ts";
import { database, isDatabaseUnavailable, transaction } from "#platform/database.server.ts";
import { env } from "#platform/env.server.ts";
import { resolveAlertAbout } from "#platform/list-alerts.server.ts";
import { readFileByHash } from "../files/files.server.ts";
import { formatVerifierKeys, readTile, readVerifierKeys } from "../files/log-files.route.ts";
import { compareCheckpoint, type Mismatch } from "../log/compare-checkpoint.server.ts";
import { isInLog, type Log, readLog } from "../log/read-log.server.ts";
import { stopLog } from "../log/stop-log.server.ts";
import {
  deleteOldPartials,
  mirrorFolderOf,
  readMirrorCheckpoint,
  setMirrorAside,
  writeMirrorCheckpoint,
  writeMirrorFile,
} from "./mirror-folder.server.ts";
import { readRecoveryRows } from "./recovery-rows.server.ts";

/** Bounds one update. A mirror that is further behind catches up in several. */
const MAX_ENTRIES = 64 * TILE_WIDTH;
const ALERT = { kind: "log-mirror-failed", subject: "mirror" } as const;
const ALERT_INTERVAL_MS = 60 * 60 * 1000;

/**
 * Compares the log with the mirror in DATA_DIR, which holds what was signed here before. Stops the log and returns
 * false if the mirror has more entries or other ones: the database is behind what others have seen.
 */
export async function checkMirror(): Promise<boolean> {
  const mismatch = await withMirrorAlert(compareMirror);
  const problem =
    mismatch === "behind"
      ? "has more entries than the database"
      : mismatch === "different"
        ? "has other entries than the database"
        : mismatch === "unreadable"
          ? "can't be read"
          : null;
  if (!problem) return true;
  await stopLog(
    `The copy of the public log in DATA_DIR/proof ${problem}. Tips are not recorded until you recover or confirm the log: docs/proof.md, After a restore.`,
  );
  return false;
}

/** Returns why the log does not continue its mirror. A mirror of another log is moved aside. */
async function compareMirror(): Promise<Mismatch | null> {
  const folder = mirrorFolderOf(env().dataDir);
  const mirror = await readMirrorCheckpoint(folder);
  if (mirror === "unreadable") return mirror;
  const log = mirror === "none" ? null : await readLog(database());
  if (mirror === "none" || !log) return null;
  const { rowCount } = await database().execute(sql`
    select from proof_checkpoints
    where size = ${log.firstIndex + mirror.size} and note = ${mirror.note}`);
  if (rowCount) return null;
  const mismatch = await transaction((tx) => compareCheckpoint(tx, log, mirror.note));
  if (mismatch !== "other-log") return mismatch;
  await setMirrorAside(folder);
  return null;
}

/**
 * Brings the mirror in DATA_DIR to the newest checkpoint: writes the tiles and entries that are new and what recovering
 * them needs, then the checkpoint. Must be called after `checkMirror` returned true. Raises an alert if it fails.
 */
export async function updateMirror(): Promise<void> {
  await withMirrorAlert(async () => {
    const log = await readLog(database());
    if (!log || log.stoppedSince || log.closedAt) return;
    const folder = mirrorFolderOf(env().dataDir);
    const mirror = await readMirrorCheckpoint(folder);
    const from = typeof mirror === "string" ? 0 : mirror.size;
    const next = await readNextCheckpoint(log, from);
    if (next) await writeMirror(folder, log, from, next);
  });
}

type NextCheckpoint = { size: number; note: string };

/** Returns the newest checkpoint within the entries of one update. */
async function readNextCheckpoint(log: Log, from: number): Promise<NextCheckpoint | null> {
  const newer = sql`${isInLog("size", log)} and size > ${log.firstIndex + from}`;
  const { rows } = await database().execute<{ size: string; note: string }>(sql`
    (select size, note from proof_checkpoints
     where ${newer} and size <= ${log.firstIndex + from + MAX_ENTRIES} order by size desc limit 1)
    union all
    (select size, note from proof_checkpoints where ${newer} order by size limit 1)
    order by size desc limit 1`);
  return rows[0] ? { size: Number(rows[0].size) - log.firstIndex, note: rows[0].note } : null;
}

async function writeMirror(
  folder: string,
  log: Log,
  from: number,
  { size, note }: NextCheckpoint,
): Promise<void> {
  const written: string[] = [];
  const write = async (path: string, content: string | Uint8Array) => {
    await writeMirrorFile(folder, path, content);
    written.push(path);
  };
  for (const tile of listNewTiles("entries", from, size)) {
    const first = tile.index * TILE_WIDTH;
    await write(`log/${formatTilePath(tile)}`, await requireTile(log, tile));
    await write(
      recoveryPathOf("rows", tile),
      await readRecoveryRows(database(), log, first, first + tile.width),
    );
    await write(
      recoveryPathOf("checkpoints", tile),
      await readCheckpoints(log, first, first + tile.width),
    );
  }
  for (let level = 0; TILE_WIDTH ** level <= size; level += 1)
    for (const tile of listNewTiles(level, from, size))
      await write(`log/${formatTilePath(tile)}`, await requireTile(log, tile));
  for (const hash of await listFiles(log, from, size)) {
    const file = await readFileByHash(hash);
    if (file) await writeMirrorFile(folder, `files/${hash}`, file.content);
  }
  await writeMirrorFile(folder, "keys", formatVerifierKeys(await readVerifierKeys(log)));
  await writeMirrorCheckpoint(folder, note);
  for (const path of written) await deleteOldPartials(folder, path);
}

/** Returns the tiles of a level that are new or wider in a log that grew from one size to another. */
function listNewTiles(level: Tile["level"], from: number, to: number): Tile[] {
  const leaves = level === "entries" ? 1 : TILE_WIDTH ** level;
  const [before, count] = [Math.floor(from / leaves), Math.floor(to / leaves)];
  if (count === before) return [];
  const first = Math.floor(before / TILE_WIDTH);
  return Array.from({ length: Math.ceil(count / TILE_WIDTH) - first }, (_, at) => ({
    level,
    index: first + at,
    width: Math.min(TILE_WIDTH, count - (first + at) * TILE_WIDTH),
  }));
}

async function requireTile(log: Log, tile: Tile): Promise<Buffer> {
  const content = await readTile(log, tile);
  if (!content) throw new Error(`The log has no ${formatTilePath(tile)}.`);
  return content;
}

/** The checkpoints of a bundle of entries, with a larger size than its first index: one JSON object a line. */
async function readCheckpoints(log: Log, first: number, end: number): Promise<string> {
  const { rows } = await database().execute<{ note: string; signedAt: string }>(sql`
    select note, signed_at as "signedAt" from proof_checkpoints
    where size > ${log.firstIndex + first} and size <= ${log.firstIndex + end} order by size`);
  return rows
    .map(({ note, signedAt }) => ({ note, signedAt: new Date(signedAt).toISOString() }))
    .map((line) => `${JSON.stringify(line)}\n`)
    .join("");
}

/** Returns the hashes of the files that entries name. */
async function listFiles(log: Log, from: number, to: number): Promise<string[]> {
  const { rows } = await database().execute<{ hash: string }>(sql`
    select encode(file_hash, 'hex') as hash from (
      select entry_index, file_hash from proof_file_entries
      union all select entry_index, file_hash from proof_manifests
    ) f where entry_index >= ${log.firstIndex + from} and entry_index < ${log.firstIndex + to}`);
  return rows.map((row) => row.hash);
}

let hasFailed = false;

/** Runs `work`. Raises an alert at most once an hour if the folder cannot be read or written. */
async function withMirrorAlert<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    const result = await work();
    if (hasFailed) await transaction((tx) => resolveAlertAbout(tx, ALERT));
    hasFailed = false;
    return result;
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error;
    hasFailed = true;
    const reason = (error as NodeJS.ErrnoException).code ?? (error as Error).message;
    await raiseAlertThrottled(ALERT_INTERVAL_MS, {
      ...ALERT,
      message: `The copy of the public log in DATA_DIR/proof can't be written or read (${reason}). Tips are recorded, but the copy is behind: docs/proof.md, Mirror.`,
    });
    return null;
  }
}
