import { execFileSync } from "node:child_process";
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

export type LockHolder = { pid: number; born: string | null; note: string };
type Lock = { ok: true; release(): void } | { ok: false; holder: LockHolder };

/**
 * Takes a lock file for this process, waiting up to `waitMs` while a live process holds it; a lock
 * left behind by a killed process counts for nothing. The note tells others who holds it.
 */
export async function takeProcessLock(file: string, note = "", waitMs = 0): Promise<Lock> {
  for (const until = Date.now() + waitMs; ; await sleep(100)) {
    if (claim(file, note)) return { ok: true, release: () => release(file) };
    const holder = lockHolder(file);
    if (holder && Date.now() >= until) return { ok: false, holder };
  }
}

/** The live process that holds a lock file, or null. */
export function lockHolder(file: string): LockHolder | null {
  const holder = read(file);
  return holder && bornAt(holder.pid) === holder.born && isAlive(holder.pid) ? holder : null;
}

/** Whether a process exists and is not merely waiting to be buried by its parent. */
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
  const holder: LockHolder = { pid: process.pid, born: bornAt(process.pid), note };
  writeFileSync(mine, JSON.stringify(holder), { mode: 0o644 });
  try {
    linkSync(mine, file); // whole or not at all, and only where there is none
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(mine, { force: true });
  }
  const found = read(file);
  if (found && !lockHolder(file)) bury(file, found);
  return false;
}

/** Takes a dead holder's lock away, unless someone else has just put a live one in its place. */
function bury(file: string, dead: LockHolder): void {
  const aside = `${file}.${process.pid}.dead`;
  try {
    renameSync(file, aside);
    const moved = read(aside);
    if (moved?.pid !== dead.pid || moved.born !== dead.born) linkSync(aside, file);
  } catch {
    // Another process was quicker; the next round sees what it left.
  } finally {
    rmSync(aside, { force: true });
  }
}

function release(file: string): void {
  const holder = read(file);
  if (holder?.pid === process.pid && holder.born === bornAt(process.pid)) rmSync(file);
}

function read(file: string): LockHolder | null {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return null;
  }
}

/** When a process was started, so that another one with the same number is not taken for it. */
function bornAt(pid: number): string | null {
  if (process.platform === "linux") return statOf(pid)?.[19] ?? null;
  if (process.platform === "win32") return null;
  try {
    return execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" }).trim();
  } catch {
    return null;
  }
}

/** The fields of Linux's /proc/<pid>/stat from the state on; the name before it may hold anything. */
function statOf(pid: number): string[] | null {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
  } catch {
    return null;
  }
}
