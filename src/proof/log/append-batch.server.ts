import { sql } from "drizzle-orm";
import { formatCheckpoint, signCheckpoint } from "#domain/proof/signed-note.server.ts";
import type { Tx } from "#platform/database.server.ts";
import type { CreatorChains } from "./creator-chains.server.ts";
import type { EntryBatch } from "./entry-batch.server.ts";
import type { Log } from "./read-log.server.ts";
import { readSigningKeys } from "./signing-key.server.ts";
import { addNodes, readCompactRange } from "./tree.server.ts";

/** The advisory lock of a transaction that writes to the log. */
export const APPEND_LOCK = sql`hashtext('proof log')`;

/** Waits until no other transaction writes to the log. */
export async function lockLog(tx: Tx): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${APPEND_LOCK})`);
}

/** Appends the entries of a batch with the rows that refer to them, and signs a checkpoint. */
export async function appendBatch(batch: EntryBatch, chains?: CreatorChains): Promise<void> {
  const { tx, log, at, bodies } = batch;
  const { rows } = await tx.execute<{ first: string }>(sql`
    select append_to_proof_log(${sql.param(bodies)}::bytea[], ${at.toISOString()}) as first`);
  const first = log.firstIndex + log.size;
  if (Number(rows[0]?.first) !== first) throw new Error("another process appended to the log");
  await addNodes(tx, first, first + bodies.length);
  await chains?.write();
  await batch.writeRows();
  await appendCheckpoint(tx, log, { size: batch.nextIndex, at });
}

async function appendCheckpoint(
  tx: Tx,
  log: Log,
  { size, at }: { size: number; at: Date },
): Promise<void> {
  const root = (await readCompactRange(tx, log, size)).root();
  const keys = await readSigningKeys(tx, log, at);
  const text = formatCheckpoint({ origin: log.origin, size, root });
  const note = signCheckpoint(text, log.origin, ...keys);
  await tx.execute(sql`
    insert into proof_checkpoints (size, root, note, signed_at)
    values (${log.firstIndex + size}, ${root}, ${note}, ${at.toISOString()})`);
}
