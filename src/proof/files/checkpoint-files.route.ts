import { sql } from "drizzle-orm";
import { database } from "#platform/database.server.ts";
import type { HttpContext } from "#platform/http/http.server.ts";
import { readLog } from "../log/read-log.server.ts";
import { IMMUTABLE, notFound, TEXT } from "./log-files.route.ts";

/** GET /proof/checkpoints/:size/:file: a checkpoint as it was first signed, or a timestamp of it. */
export async function serveCheckpointFile(c: HttpContext): Promise<Response> {
  const sizeText = c.req.param("size") ?? "";
  const file = c.req.param("file") ?? "";
  const log = /^[1-9]\d{0,11}$/.test(sizeText) ? await readLog(database()) : null;
  if (!log || Number(sizeText) > log.size) return notFound(c);
  const size = log.firstIndex + Number(sizeText);
  if (file === "checkpoint") {
    const { rows } = await database().execute<{ note: string }>(
      sql`select note from proof_checkpoints where size = ${size}`,
    );
    if (!rows[0]) return notFound(c);
    return c.body(rows[0].note, 200, { "Content-Type": TEXT, "Cache-Control": IMMUTABLE });
  }
  const [, authority] = /^([a-z0-9.-]{1,253})\.tsr$/.exec(file) ?? [];
  if (!authority) return notFound(c);
  const { rows } = await database().execute<{ evidence: Buffer }>(sql`
    select evidence from proof_timestamps
    where size = ${size} and authority = ${authority}`);
  if (!rows[0]) return notFound(c);
  return c.body(new Uint8Array(rows[0].evidence), 200, {
    "Content-Type": "application/timestamp-reply",
    "Cache-Control": IMMUTABLE,
  });
}
