import { randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { env } from "./env.server.ts";

const ID = /^[0-9a-f]{32}$/;
const FILE = /^[0-9]{1,4}\.webp$/;

const folder = () => join(env().dataDir, "uploads");

/** Keeps the sizes of one picture under a name nobody can guess, and answers it. */
export async function saveUpload(images: ReadonlyMap<number, Buffer>): Promise<string> {
  const id = randomBytes(16).toString("hex");
  const place = join(folder(), id);
  await mkdir(place, { recursive: true });
  for (const [size, bytes] of images) await writeFile(join(place, `${size}.webp`), bytes);
  return id;
}

/** The address at which one size of an upload is shown. */
export function uploadAddress(id: string, size: number): string {
  return `/uploads/${id}/${size}.webp`;
}

/** The id of the upload behind an address, or null for any other address. */
export function uploadOf(address: string): string | null {
  const [, uploads, id = "", file = "", ...rest] = address.split("/");
  return uploads === "uploads" && ID.test(id) && FILE.test(file) && rest.length === 0 ? id : null;
}

/** The bytes of one size of an upload; null for whatever is not there. */
export async function readUpload(id: string, file: string): Promise<Buffer | null> {
  if (!ID.test(id) || !FILE.test(file)) return null;
  try {
    return await readFile(join(folder(), id, file));
  } catch {
    return null;
  }
}

/** Removes the uploads older than an age that are none of those to keep. Answers how many went. */
export async function deleteUnusedUploads(
  keep: ReadonlySet<string>,
  olderThanMs: number,
): Promise<number> {
  const names = await readdir(folder()).catch(() => []);
  let removed = 0;
  for (const name of names) {
    if (!ID.test(name) || keep.has(name)) continue;
    const place = join(folder(), name);
    const { mtimeMs } = await stat(place);
    if (Date.now() - mtimeMs < olderThanMs) continue;
    await rm(place, { recursive: true, force: true });
    removed += 1;
  }
  return removed;
}
