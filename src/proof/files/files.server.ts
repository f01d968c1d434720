import { createHash } from "node:crypto";
import { sql } from "drizzle-orm";
import { database, type Tx } from "#platform/database.server.ts";

/** Stores a file that an entry names and returns its SHA-256. Idempotent. */
export async function storeFile(tx: Tx, content: string, mediaType: string): Promise<Buffer> {
  const hash = createHash("sha256").update(content, "utf8").digest();
  await tx.execute(sql`
    insert into proof_files (content, media_type)
    select ${Buffer.from(content, "utf8")}, ${mediaType}
    where not exists (select from proof_files where hash = ${hash})
    on conflict do nothing`);
  return hash;
}

/** Returns a file by its SHA-256 in hexadecimal, or null. */
export async function readFileByHash(
  hash: string,
): Promise<{ content: Buffer; mediaType: string } | null> {
  if (!/^[0-9a-f]{64}$/.test(hash)) return null;
  const { rows } = await database().execute<{ content: Buffer; mediaType: string }>(sql`
    select content, media_type as "mediaType" from proof_files
    where hash = ${Buffer.from(hash, "hex")}`);
  return rows[0] ?? null;
}
