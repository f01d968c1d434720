import { sql } from "drizzle-orm";
import { type Checkpoint, parseCheckpoint } from "#domain/proof/signed-note.server.ts";
import { writeAudit } from "#platform/audit/audit.server.ts";
import { now } from "#platform/clock.server.ts";
import { type Tx, transaction } from "#platform/database.server.ts";
import { resolveAlertAbout } from "#platform/list-alerts.server.ts";
import { appendBatch, lockLog } from "./append-batch.server.ts";
import { EntryBatch } from "./entry-batch.server.ts";
import { deleteKeptCheckpoint, readKeptCheckpoint } from "./kept-checkpoint.server.ts";
import { isInLog, type Log, logNumberOf, readLog } from "./read-log.server.ts";
import { createSigningKey, readSigningKeys, SigningKeyError } from "./signing-key.server.ts";
import { SIGNING_KEY_ALERT } from "./start-log.server.ts";
import { LOG_STOPPED_ALERT } from "./stop-log.server.ts";

export type BeginNextLogResult =
  | { ok: true; origin: string; closedOrigin: string; lastKnownSize: number; lostEntries: number }
  | { ok: false; refusal: "no-log" | "healthy" | "unreadable" | "other-log" };

/**
 * Closes a log that cannot be continued and begins the next one. Its first entry names the newest checkpoint that is
 * known (in the database, in DATA_DIR, or `checkpoint`) and the entries that are lost. If that is of a later log, which
 * the database does not have, the next one is numbered after it. Refused while the log can be continued. Must be called
 * with the owner's role.
 */
export async function beginNextLog({
  reason,
  checkpoint,
}: {
  reason: string;
  checkpoint: string | null;
}): Promise<BeginNextLogResult> {
  const given = checkpoint === null ? null : parseCheckpoint(checkpoint);
  if (checkpoint !== null && !given) return { ok: false, refusal: "unreadable" };
  const kept = await readKeptCheckpoint();
  const result = await transaction(async (tx): Promise<BeginNextLogResult> => {
    await lockLog(tx);
    const log = await readLog(tx, { lock: true });
    if (!log) return { ok: false, refusal: "no-log" };
    if (!log.stoppedSince && (await isSigningKeyReadable(tx, log)))
      return { ok: false, refusal: "healthy" };
    const isOfOtherLog = (of: Checkpoint) => (logNumberOf(of.origin, log) ?? 0) < log.id;
    if (given && isOfOtherLog(given)) return { ok: false, refusal: "other-log" };
    const known = [await readNewestCheckpoint(tx, log), given];
    if (typeof kept !== "string" && !isOfOtherLog(kept)) known.push(kept);
    const [newest = { number: log.id, origin: log.origin, size: 0, root: null }] = known
      .filter((checkpoint) => checkpoint !== null)
      .map((checkpoint) => ({ ...checkpoint, number: logNumberOf(checkpoint.origin, log) ?? 0 }))
      .sort((a, b) => b.number - a.number || b.size - a.size);

    const at = now();
    await tx.execute(sql`
      update proof_logs set closed_at = ${at.toISOString()}
      where id = ${log.id}`);
    const next = await insertNextLog(tx, newest.number + 1, at);
    const batch = new EntryBatch(tx, next, at);
    const { size, origin: previous } = newest;
    const from = newest.number === log.id ? log.size : 0;
    const lost = size > from ? { from, to: size - 1 } : null;
    const loss = lost ? ` Its entries from ${lost.from} to ${lost.to} are lost.` : "";
    batch.add("incident", {
      text: `The log ${previous} could not be continued and was closed: ${reason}.${loss}`,
      ...lost,
      previous,
      size,
      root: newest.root ? Buffer.from(newest.root).toString("base64") : null,
    });
    await appendBatch(batch);
    const details = {
      closed: log.origin,
      lastKnownSize: size,
      lostEntries: lost ? size - from : 0,
      reason,
    };
    await writeAudit(tx, { actorId: null, action: "begin-log", subject: next.origin, details });
    for (const alert of [LOG_STOPPED_ALERT, SIGNING_KEY_ALERT]) await resolveAlertAbout(tx, alert);
    return {
      ok: true,
      origin: next.origin,
      closedOrigin: log.origin,
      lastKnownSize: details.lastKnownSize,
      lostEntries: details.lostEntries,
    };
  });
  // Otherwise it would stop the next log.
  if (result.ok && kept === "unreadable") await deleteKeptCheckpoint();
  return result;
}

async function isSigningKeyReadable(tx: Tx, log: Log): Promise<boolean> {
  try {
    await readSigningKeys(tx, log, now());
    return true;
  } catch (error) {
    if (error instanceof SigningKeyError) return false;
    throw error;
  }
}

async function readNewestCheckpoint(tx: Tx, log: Log): Promise<Checkpoint | null> {
  const { rows } = await tx.execute<{ note: string }>(sql`
    select note from proof_checkpoints where ${isInLog("size", log)} order by size desc limit 1`);
  return rows[0] ? parseCheckpoint(rows[0].note) : null;
}

/** Inserts a log with its first key. Its origin is that of the first log and its number. */
async function insertNextLog(tx: Tx, id: number, at: Date): Promise<Log> {
  await tx.execute(sql`
    insert into proof_logs (id, origin, started_at)
    select ${id}, origin || '/' || ${String(id)}, ${at.toISOString()} from proof_logs where id = 1`);
  const next = await readLog(tx, { id });
  if (!next) throw new Error("the next log was not inserted");
  await createSigningKey(tx, next, { fromSize: 0, at });
  return next;
}
