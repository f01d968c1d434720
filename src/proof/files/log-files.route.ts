import { readFile } from "node:fs/promises";
import { sql } from "drizzle-orm";
import { parseTilePath, TILE_WIDTH, type Tile } from "#domain/proof/tile-paths.ts";
import { database, transaction } from "#platform/database.server.ts";
import { type HttpContext, jsonError } from "#platform/http/http.server.ts";
import { VERIFIER_FILE } from "../log/add-files.server.ts";
import { readHashes } from "../log/append-to-log.server.ts";
import { readFileByHash } from "./files.server.ts";

export const IMMUTABLE = "public, max-age=31536000, immutable";
export const TEXT = "text/plain; charset=utf-8";

/** GET /proof/log/checkpoint: the newest signed checkpoint, as C2SP tlog-tiles names it. */
export async function serveCheckpoint(c: HttpContext): Promise<Response> {
  const { rows } = await database().execute<{ note: string }>(
    sql`select note from proof_checkpoints order by size desc limit 1`,
  );
  if (!rows[0]) return notFound(c);
  return c.body(rows[0].note, 200, {
    "Content-Type": TEXT,
    "Cache-Control": "public, max-age=5",
  });
}

/** GET /proof/log/tile/…: a tile of hashes, or a bundle of entries, full or partial. */
export async function serveTile(c: HttpContext): Promise<Response> {
  const tile = parseTilePath(`tile/${c.req.param("path") ?? ""}`);
  const content = tile && (await readTile(tile));
  if (!content) return notFound(c);
  return c.body(new Uint8Array(content), 200, {
    "Content-Type": "application/octet-stream",
    "Cache-Control": IMMUTABLE,
  });
}

/** Returns the bytes of a tile, or null while the log does not fill it. */
async function readTile({ level, index, width }: Tile): Promise<Buffer | null> {
  const first = index * TILE_WIDTH;
  const end = first + width;
  if (!Number.isSafeInteger(end)) return null;
  const parts =
    level === "entries"
      ? (await readEntries(first, end)).flatMap((body) => {
          const length = Buffer.alloc(2);
          length.writeUInt16BE(body.length);
          return [length, body];
        })
      : level <= MAX_LEVEL
        ? await transaction((tx) => readHashes(tx, level, first, end))
        : [];
  const count = level === "entries" ? parts.length / 2 : parts.length;
  return count === width ? Buffer.concat(parts) : null;
}

/** The levels that proof_nodes has: enough for 2^64 entries. */
const MAX_LEVEL = 7;

async function readEntries(first: number, end: number): Promise<Buffer[]> {
  const { rows } = await database().execute<{ body: Buffer }>(sql`
    select body from proof_entries
    where entry_index >= ${first} and entry_index < ${end} order by entry_index`);
  return rows.map((row) => row.body);
}

/** GET /proof/keys: the verifier keys, oldest first, one a line. */
export async function serveVerifierKeys(c: HttpContext): Promise<Response> {
  const { rows } = await database().execute<{ verifierKey: string }>(
    sql`select verifier_key as "verifierKey" from proof_signing_keys order by from_size`,
  );
  if (rows.length === 0) return notFound(c);
  return c.body(rows.map((row) => `${row.verifierKey}\n`).join(""), 200, {
    "Content-Type": TEXT,
    "Cache-Control": "public, max-age=60",
  });
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
