import { readFile } from "node:fs/promises";
import { sql } from "drizzle-orm";
import { parseTilePath, TILE_WIDTH, type Tile } from "#domain/proof/tile-paths.ts";
import { database, transaction } from "#platform/database.server.ts";
import { type HttpContext, jsonError } from "#platform/http/http.server.ts";
import { VERIFIER_FILE } from "../log/add-files.server.ts";
import { isInLog, type Log, readLog } from "../log/read-log.server.ts";
import { readHashes } from "../log/tree.server.ts";
import { readFileByHash } from "./files.server.ts";

export const IMMUTABLE = "public, max-age=31536000, immutable";
export const TEXT = "text/plain; charset=utf-8";

/**
 * Returns the log of a request: the newest one, or a closed one below /proof/closed/:log. Returns null if there is no
 * such log.
 */
export async function readRequestedLog(c: HttpContext): Promise<Log | null> {
  const id = c.req.param("log");
  if (id === undefined) return await readLog(database());
  if (!/^[1-9]\d{0,3}$/.test(id)) return null;
  const log = await readLog(database(), { id: Number(id) });
  return log?.closedAt ? log : null;
}

/** GET /proof/log/checkpoint: the newest signed checkpoint, as C2SP tlog-tiles names it. */
export async function serveCheckpoint(c: HttpContext): Promise<Response> {
  const log = await readRequestedLog(c);
  if (!log) return notFound(c);
  const { rows } = await database().execute<{ note: string }>(sql`
    select note from proof_checkpoints where ${isInLog("size", log)} order by size desc limit 1`);
  if (!rows[0]) return notFound(c);
  return c.body(rows[0].note, 200, {
    "Content-Type": TEXT,
    "Cache-Control": "public, max-age=5",
  });
}

/** GET /proof/log/tile/…: a tile of hashes, or a bundle of entries, full or partial. */
export async function serveTile(c: HttpContext): Promise<Response> {
  const tile = parseTilePath(`tile/${c.req.param("path") ?? ""}`);
  const log = tile && (await readRequestedLog(c));
  const content = log && (await readTile(log, tile));
  if (!content) return notFound(c);
  return c.body(new Uint8Array(content), 200, {
    "Content-Type": "application/octet-stream",
    "Cache-Control": IMMUTABLE,
  });
}

/** Returns the bytes of a tile, or null while the log does not fill it. */
export async function readTile(
  { firstIndex, size }: Log,
  { level, index, width }: Tile,
): Promise<Buffer | null> {
  const height = level === "entries" ? 0 : level;
  const entries = TILE_WIDTH ** height;
  if ((index * TILE_WIDTH + width) * entries > size) return null;
  const first = firstIndex / entries + index * TILE_WIDTH;
  const end = first + width;
  const parts =
    level === "entries"
      ? (await readEntries(first, end)).flatMap((body) => {
          const length = Buffer.alloc(2);
          length.writeUInt16BE(body.length);
          return [length, body];
        })
      : await transaction((tx) => readHashes(tx, level, first, end));
  const count = level === "entries" ? parts.length / 2 : parts.length;
  return count === width ? Buffer.concat(parts) : null;
}

async function readEntries(first: number, end: number): Promise<Buffer[]> {
  const { rows } = await database().execute<{ body: Buffer }>(sql`
    select body from proof_entries
    where entry_index >= ${first} and entry_index < ${end} order by entry_index`);
  return rows.map((row) => row.body);
}

/** GET /proof/keys: the verifier keys, oldest first, each with the size of the first checkpoint that it signs. */
export async function serveVerifierKeys(c: HttpContext): Promise<Response> {
  const log = await readRequestedLog(c);
  const keys = log && (await readVerifierKeys(log));
  if (!keys) return notFound(c);
  return c.body(formatVerifierKeys(keys), 200, {
    "Content-Type": TEXT,
    "Cache-Control": "public, max-age=60",
  });
}

/** Returns the verifier keys of a log, oldest first. */
export async function readVerifierKeys(
  log: Log,
): Promise<{ verifierKey: string; fromSize: number }[]> {
  const { rows } = await database().execute<{ verifierKey: string; fromSize: string }>(sql`
    select verifier_key as "verifierKey", from_size as "fromSize" from proof_signing_keys
    where ${isInLog("from_size", log)} order by from_size`);
  return rows.map(({ verifierKey, fromSize }) => ({
    verifierKey,
    fromSize: Number(fromSize) - log.firstIndex,
  }));
}

/** Returns one line for each key: the verifier key, a space, and the size of the first checkpoint that it signs. */
export function formatVerifierKeys(
  keys: readonly { verifierKey: string; fromSize: number }[],
): string {
  return keys.map(({ verifierKey, fromSize }) => `${verifierKey} ${fromSize}\n`).join("");
}

/** GET /proof/files/:hash: a file that an entry names by its SHA-256. */
export async function serveProofFile(c: HttpContext): Promise<Response> {
  const file = await readFileByHash(c.req.param("hash") ?? "");
  if (!file) return notFound(c);
  return c.body(new Uint8Array(file.content), 200, {
    "Content-Type": `${file.mediaType}; charset=utf-8`,
    "Cache-Control": IMMUTABLE,
  });
}

/** GET /proof/verify.js: the program that checks the log, byte for byte as its entry in the log names it. */
export async function serveVerifier(c: HttpContext): Promise<Response> {
  return c.body(new Uint8Array(await readFile(VERIFIER_FILE)), 200, {
    "Content-Type": "text/javascript; charset=utf-8",
    "Cache-Control": "public, max-age=300",
  });
}

export function notFound(c: HttpContext): Response {
  return jsonError(c, 404, "Not in the log.");
}
