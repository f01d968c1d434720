import { randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { env } from "./env.server.ts";

const ID = /^[0-9a-f]{32}$/;
const FILE = /^[0-9]{1,4}\.webp$/;

const folder = () => join(env().dataDir, "uploads");

/** Stores the sizes of one image under an unguessable id and returns the id. */
export async function saveUpload(images: ReadonlyMap<number, Buffer>): Promise<string> {
  const id = randomBytes(16).toString("hex");
  const path = join(folder(), id);
  await mkdir(path, { recursive: true });
  for (const [size, bytes] of images) await writeFile(join(path, `${size}.webp`), bytes);
  return id;
}

/** Returns the URL path of one size of an upload. */
export function uploadPath(id: string, size: number): string {
  return `/uploads/${id}/${size}.webp`;
}

/** Returns the id in the URL path of an upload, or null for any other path. */
export function parseUploadId(path: string): string | null {
  const [, uploads, id = "", file = "", ...rest] = path.split("/");
  return uploads === "uploads" && ID.test(id) && FILE.test(file) && rest.length === 0 ? id : null;
}

/** Returns the bytes of one size of an upload, or null if it does not exist. */
export async function readUpload(id: string, file: string): Promise<Buffer | null> {
  if (!ID.test(id) || !FILE.test(file)) return null;
  try {
    return await readFile(join(folder(), id, file));
  } catch {
    return null;
  }
}

/**
 * Deletes uploads older than an age that are not in `keep`. Returns the number of deleted uploads.
 */
export async function deleteUnusedUploads(
  keep: ReadonlySet<string>,
  olderThanMs: number,
): Promise<number> {
  const names = await readdir(folder()).catch(() => []);
  let removed = 0;
  for (const name of names) {
    if (!ID.test(name) || keep.has(name)) continue;
    const path = join(folder(), name);
    const { mtimeMs } = await stat(path);
    if (Date.now() - mtimeMs < olderThanMs) continue;
    await rm(path, { recursive: true, force: true });
    removed += 1;
  }
  return removed;
}
