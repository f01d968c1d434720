import { randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { env } from "./env.server.ts";
import { runEach } from "./run-each.server.ts";

const ID = /^[0-9a-f]{32}$/;
const FILE_NAME = /^[0-9]{1,4}\.webp$/;

const uploadsFolder = () => join(env().dataDir, "uploads");

/** Stores the sizes of one image under an unguessable id and returns the id. */
export async function saveUpload(images: ReadonlyMap<number, Buffer>): Promise<string> {
  const id = randomBytes(16).toString("hex");
  const path = join(uploadsFolder(), id);
  await mkdir(path, { recursive: true });
  for (const [size, bytes] of images) await writeFile(join(path, `${size}.webp`), bytes);
  return id;
}

/** Returns the URL path of one size of an upload. */
export function buildUploadPath(id: string, size: number): string {
  return `/uploads/${id}/${size}.webp`;
}

/** Returns the id in the URL path of an upload, or null for any other path. */
export function parseUploadId(path: string): string | null {
  const [, uploads, id = "", file = "", ...rest] = path.split("/");
  return uploads === "uploads" && ID.test(id) && FILE_NAME.test(file) && rest.length === 0
    ? id
    : null;
}

/** Returns the bytes of one size of an upload, or null if it does not exist. */
export async function readUpload(id: string, file: string): Promise<Buffer | null> {
  if (!ID.test(id) || !FILE_NAME.test(file)) return null;
  try {
    return await readFile(join(uploadsFolder(), id, file));
  } catch {
    return null;
  }
}

/** Deletes uploads older than an age whose ids are not in `usedIds`, for a job. */
export async function deleteUnusedUploads(
  job: string,
  usedIds: ReadonlySet<string>,
  olderThanMs: number,
): Promise<void> {
  const names = await readdir(uploadsFolder()).catch(() => []);
  await runEach(
    job,
    names.filter((name) => ID.test(name) && !usedIds.has(name)),
    (name) => `upload ${name}`,
    async (name) => {
      const path = join(uploadsFolder(), name);
      const { mtimeMs } = await stat(path);
      if (Date.now() - mtimeMs >= olderThanMs) await rm(path, { recursive: true, force: true });
    },
  );
}
