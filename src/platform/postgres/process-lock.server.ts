import { execFileSync } from "node:child_process";
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

export type LockHolder = { pid: number; born: string | null; note: string };
type Lock = { ok: true; release(): void } | { ok: false; holder: LockHolder };

/**
 * Acquires a lock file for this process, waiting up to `waitMs` while a live process holds it. The
 * lock of a dead process is ignored. The note describes the holder to others.
 */
export async function acquireProcessLock(file: string, note = "", waitMs = 0): Promise<Lock> {
  for (const until = Date.now() + waitMs; ; await sleep(100)) {
    if (claim(file, note)) return { ok: true, release: () => release(file) };
    const holder = findLockHolder(file);
    if (holder && Date.now() >= until) return { ok: false, holder };
  }
}

/** Returns the live process that holds a lock file, or null. */
export function findLockHolder(file: string): LockHolder | null {
  const holder = read(file);
  return holder && startTimeOf(holder.pid) === holder.born && isAlive(holder.pid) ? holder : null;
}

/** Returns true for an existing process that is not a zombie. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  return !/^[ZX]$/.test(statOf(pid)?.[0] ?? "");
}

function claim(file: string, note: string): boolean {
  const mine = `${file}.${process.pid}`;
  const holder: LockHolder = { pid: process.pid, born: startTimeOf(process.pid), note };
  writeFileSync(mine, JSON.stringify(holder), { mode: 0o644 });
  try {
    linkSync(mine, file); // atomic, and fails if the file exists
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(mine, { force: true });
  }
  const found = read(file);
  if (found && !findLockHolder(file)) removeDeadLock(file, found);
  return false;
}

/**
 * Removes the lock of a dead holder, unless another process has just replaced it with a live one.
 */
function removeDeadLock(file: string, dead: LockHolder): void {
  const aside = `${file}.${process.pid}.dead`;
  try {
    renameSync(file, aside);
    const moved = read(aside);
    if (moved?.pid !== dead.pid || moved.born !== dead.born) linkSync(aside, file);
  } catch {
    // Another process was faster; the next attempt reads its lock.
  } finally {
    rmSync(aside, { force: true });
  }
}

function release(file: string): void {
  const holder = read(file);
  if (holder?.pid === process.pid && holder.born === startTimeOf(process.pid)) rmSync(file);
}

function read(file: string): LockHolder | null {
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
function startTimeOf(pid: number): string | null {
  if (process.platform === "linux") return statOf(pid)?.[19] ?? null;
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
function statOf(pid: number): string[] | null {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
  } catch {
    return null;
  }
}
