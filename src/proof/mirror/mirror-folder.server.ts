import { cp, mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Checkpoint, parseCheckpoint } from "#domain/proof/signed-note.server.ts";
import { now } from "#platform/clock.server.ts";

const CHECKPOINT = "log/checkpoint";
const MAX_COPIES = 5;

/** Returns the folder of the mirror in a data folder. */
export function mirrorFolderOf(dataDir: string): string {
  return join(dataDir, "proof");
}

/** The checkpoint of a mirror: "none" without a mirror, "unreadable" if the file is not a checkpoint. */
export type MirrorCheckpoint = (Checkpoint & { note: string }) | "none" | "unreadable";

/** Reads the checkpoint of a mirror: all that it says is in the mirror. */
export async function readMirrorCheckpoint(folder: string): Promise<MirrorCheckpoint> {
  const note = await readIfPresent(join(folder, CHECKPOINT));
  if (note === null) return "none";
  const checkpoint = parseCheckpoint(note);
  return checkpoint ? { ...checkpoint, note } : "unreadable";
}

/** Writes the checkpoint of a mirror. Must be called after everything that it says is written. */
export async function writeMirrorCheckpoint(folder: string, note: string): Promise<void> {
  await writeMirrorFile(folder, CHECKPOINT, note);
}

/** Writes a file of a mirror so that a process that is killed leaves the old file or the new one. */
export async function writeMirrorFile(
  folder: string,
  path: string,
  content: string | Uint8Array,
): Promise<void> {
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(`${file}.tmp`, content, { flush: true });
  await rename(`${file}.tmp`, file);
}

/** Deletes the partial tiles beside a tile, given by its path: all of them, or all but the newest one. */
export async function deleteOldPartials(folder: string, tilePath: string): Promise<void> {
  const [, full = tilePath, width = null] = /^(.+)\.p\/(\d+)$/.exec(tilePath) ?? [];
  const partials = join(folder, `${full}.p`);
  if (width === null) return await rm(partials, { recursive: true, force: true });
  for (const name of await readdir(partials))
    if (name !== width) await rm(join(partials, name), { force: true });
}

/** Moves a mirror aside and returns its new path, or null if there is none. */
export async function setMirrorAside(folder: string): Promise<string | null> {
  const path = `${folder}.before-${now().getTime()}`;
  try {
    await rename(folder, path);
    return path;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/**
 * Copies a mirror to a folder that does not exist, also while it is written. Returns false if there is none. Throws if
 * it changes faster than it can be copied.
 */
export async function copyMirror(folder: string, target: string): Promise<boolean> {
  for (let attempt = 0; attempt < MAX_COPIES; attempt += 1) {
    const before = await readIfPresent(join(folder, CHECKPOINT));
    if (before === null) return false;
    try {
      await cp(folder, target, { recursive: true, filter: needsCopy });
      if ((await readIfPresent(join(folder, CHECKPOINT))) === before) return true;
    } catch (error) {
      // A partial tile was replaced by a larger one.
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
  }
  await rm(target, { recursive: true, force: true });
  throw new Error(`The copy of the public log in ${folder} changes too fast to be copied.`);
}

/** Full tiles never change, so an attempt copies only those that the one before did not. */
async function needsCopy(path: string, copy: string): Promise<boolean> {
  if (path.endsWith(".tmp")) return false;
  if (/\.p[\\/]\d+$|[\\/](checkpoint|keys)$/.test(path)) return true;
  return !(await stat(copy).catch(() => null))?.isFile();
}

/**
 * Installs the mirror of a backup, unless the one in place is at least as new: it proves what the restored database
 * lacks. A mirror that is replaced is moved aside. Returns what happened.
 */
export async function restoreMirror(
  backup: string,
  folder: string,
): Promise<"none" | "kept" | "restored"> {
  const restored = await readMirrorCheckpoint(backup);
  if (typeof restored === "string") return "none";
  const present = await readMirrorCheckpoint(folder);
  if (
    typeof present !== "string" &&
    present.origin === restored.origin &&
    present.size >= restored.size
  )
    return "kept";
  await setMirrorAside(folder);
  await cp(backup, folder, { recursive: true });
  return "restored";
}

async function readIfPresent(file: string): Promise<string | null> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    throw error;
  }
}
