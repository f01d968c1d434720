import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { sql } from "drizzle-orm";
import { type Checkpoint, parseCheckpoint } from "#domain/proof/signed-note.server.ts";
import { raiseAlertThrottled } from "#platform/alerts.server.ts";
import { database, isDatabaseUnavailable, transaction } from "#platform/database.server.ts";
import { env } from "#platform/env.server.ts";
import { resolveAlertAbout } from "#platform/list-alerts.server.ts";
import { compareCheckpoint, type Mismatch } from "./compare-checkpoint.server.ts";
import { isInLog, type Log, readLog } from "./read-log.server.ts";
import { stopLog } from "./stop-log.server.ts";

const ALERT = { kind: "log-checkpoint-failed", subject: "checkpoint" } as const;
const ALERT_INTERVAL_MS = 60 * 60 * 1000;
const PROBLEMS: Partial<Record<Mismatch, string>> = {
  behind: "has more entries than the database",
  different: "has other entries than the database",
  unreadable: "can't be read",
};

/** The newest checkpoint that was signed on this machine: "none" without a file, "unreadable" if it is no checkpoint. */
export type KeptCheckpoint = (Checkpoint & { note: string }) | "none" | "unreadable";

/** Returns the file with the newest checkpoint that was signed on this machine. */
function fileOf(): string {
  return join(env().dataDir, "proof", "log", "checkpoint");
}

export async function readKeptCheckpoint(): Promise<KeptCheckpoint> {
  try {
    const note = await readFile(fileOf(), "utf8");
    const checkpoint = parseCheckpoint(note);
    return checkpoint ? { ...checkpoint, note } : "unreadable";
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "none";
    throw error;
  }
}

export async function deleteKeptCheckpoint(): Promise<void> {
  await rm(fileOf(), { force: true });
}

/**
 * Compares the log with the newest checkpoint that was signed here. Stops the log and returns false if that has more
 * entries or other ones: the database is behind what others have seen.
 */
export async function checkKeptCheckpoint(): Promise<boolean> {
  const problem = await withAlert(async () => {
    const kept = await readKeptCheckpoint();
    if (kept === "none") return null;
    if (kept === "unreadable") return PROBLEMS.unreadable;
    const log = await readLog(database());
    if (!log || (await readNewestNote(log)) === kept.note) return null;
    // The checkpoint of another log, such as the one before, is replaced by the next one.
    return PROBLEMS[
      (await transaction((tx) => compareCheckpoint(tx, log, kept.note))) ?? "other-log"
    ];
  });
  if (!problem) return true;
  await stopLog(
    `The newest checkpoint in DATA_DIR/proof/log ${problem}. Tips are not recorded until you confirm the log or begin the next one: docs/proof.md, After a restore.`,
  );
  return false;
}

/**
 * Keeps the newest checkpoint in DATA_DIR. Must be called after `checkKeptCheckpoint` returned true. Raises an alert if
 * the file cannot be written.
 */
export async function keepCheckpoint(): Promise<void> {
  await withAlert(async () => {
    const log = await readLog(database());
    if (!log || log.stoppedSince) return;
    const note = await readNewestNote(log);
    const kept = await readKeptCheckpoint();
    if (note === null || (typeof kept !== "string" && kept.note === note)) return;
    // A process that is killed leaves the old file or the new one.
    const file = fileOf();
    await mkdir(dirname(file), { recursive: true });
    await writeFile(`${file}.tmp`, note, { flush: true });
    await rename(`${file}.tmp`, file);
  });
}

async function readNewestNote(log: Log): Promise<string | null> {
  const { rows } = await database().execute<{ note: string }>(sql`
    select note from proof_checkpoints where ${isInLog("size", log)} order by size desc limit 1`);
  return rows[0]?.note ?? null;
}

let hasFailed = false;

/** Runs `work`. Raises an alert at most once an hour if the file cannot be read or written. */
async function withAlert<T>(work: () => Promise<T>): Promise<T | null> {
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
      message: `DATA_DIR/proof/log/checkpoint can't be written or read (${reason}). Tips are recorded, but a database that lost some of them would not be noticed: docs/proof.md, The newest checkpoint.`,
    });
    return null;
  }
}
