import { execFileSync } from "node:child_process";
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

export type LockHolder = { pid: number; startTime: string | null; note: string };
type Lock = { ok: true; release(): void } | { ok: false; holder: LockHolder };

/**
 * Acquires a lock file for this process, waiting up to `waitMs` while a live process holds it. Ignores
 * the lock of a dead process. Other processes can read the note in `LockHolder`.
 */
export async function acquireProcessLock(file: string, note = "", waitMs = 0): Promise<Lock> {
  for (const deadline = Date.now() + waitMs; ; await sleep(100)) {
    if (tryToAcquire(file, note)) return { ok: true, release: () => releaseLock(file) };
    const holder = findLockHolder(file);
    if (holder && Date.now() >= deadline) return { ok: false, holder };
  }
}

/** Returns the live process that holds a lock file, or null. */
export function findLockHolder(file: string): LockHolder | null {
  const holder = readHolder(file);
  return holder && readStartTime(holder.pid) === holder.startTime && isAlive(holder.pid)
    ? holder
    : null;
}

/** Returns true for an existing process that is not a zombie. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  return !/^[ZX]$/.test(readProcessStat(pid)?.[0] ?? "");
}

function tryToAcquire(file: string, note: string): boolean {
  const temporaryFile = `${file}.${process.pid}`;
  const holder: LockHolder = { pid: process.pid, startTime: readStartTime(process.pid), note };
  writeFileSync(temporaryFile, JSON.stringify(holder), { mode: 0o644 });
  try {
    linkSync(temporaryFile, file); // atomic, and fails if the file exists
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(temporaryFile, { force: true });
  }
  const currentHolder = readHolder(file);
  if (currentHolder && !findLockHolder(file)) removeDeadLock(file, currentHolder);
  return false;
}

/**
 * Removes the lock of a dead holder, unless another process has just replaced it with a live one.
 */
function removeDeadLock(file: string, deadHolder: LockHolder): void {
  const movedFile = `${file}.${process.pid}.dead`;
  try {
    renameSync(file, movedFile);
    const movedHolder = readHolder(movedFile);
    if (movedHolder?.pid !== deadHolder.pid || movedHolder.startTime !== deadHolder.startTime)
      linkSync(movedFile, file);
  } catch {
    // Another process was faster; the next attempt reads its lock.
  } finally {
    rmSync(movedFile, { force: true });
  }
}

function releaseLock(file: string): void {
  const holder = readHolder(file);
  if (holder?.pid === process.pid && holder.startTime === readStartTime(process.pid)) rmSync(file);
}

function readHolder(file: string): LockHolder | null {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return null;
  }
}

/**
 * Returns the start time of a process, which distinguishes it from a later process with the same
 * id.
 */
function readStartTime(pid: number): string | null {
  if (process.platform === "linux") return readProcessStat(pid)?.[19] ?? null;
  if (process.platform === "win32") return null;
  try {
    return execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" }).trim();
  } catch {
    return null;
  }
}

/**
 * Returns the fields of Linux's /proc/<pid>/stat after the process name, which can contain spaces.
 */
function readProcessStat(pid: number): string[] | null {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
  } catch {
    return null;
  }
}
