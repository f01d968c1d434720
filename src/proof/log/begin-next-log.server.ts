import { sql } from "drizzle-orm";
import { writeAudit } from "#audit/audit.server.ts";
import { type Checkpoint, parseCheckpoint } from "#domain/proof/signed-note.server.ts";
import { now } from "#platform/clock.server.ts";
import { type Tx, transaction } from "#platform/database.server.ts";
import { env } from "#platform/env.server.ts";
import { resolveAlertAbout } from "#platform/list-alerts.server.ts";
import { mirrorFolderOf, readMirrorCheckpoint } from "../mirror/mirror-folder.server.ts";
import { appendBatch, lockLog } from "./append-batch.server.ts";
import { EntryBatch } from "./entry-batch.server.ts";
import { isInLog, type Log, readLog } from "./read-log.server.ts";
import { createSigningKey, readSigningKeys, SigningKeyError } from "./signing-key.server.ts";
import { SIGNING_KEY_ALERT } from "./start-log.server.ts";
import { LOG_STOPPED_ALERT } from "./stop-log.server.ts";

export type BeginNextLogResult =
  | { ok: true; origin: string; closedOrigin: string; lastKnownSize: number }
  | { ok: false; refusal: "no-log" | "healthy" | "unreadable" | "other-log" };

/**
 * Closes a log that cannot be continued and begins the next one, with an entry that names the newest checkpoint of the
 * closed log that is known: in the database, in the mirror of this machine, or `checkpoint`. Refused while the log
 * can be continued. Must be called with the owner's role.
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
  const mirror = await readMirrorCheckpoint(mirrorFolderOf(env().dataDir));
  return await transaction(async (tx): Promise<BeginNextLogResult> => {
    await lockLog(tx);
    const log = await readLog(tx, { lock: true });
    if (!log) return { ok: false, refusal: "no-log" };
    if (!log.stoppedSince && (await isSigningKeyReadable(tx, log)))
      return { ok: false, refusal: "healthy" };
    if (given && given.origin !== log.origin) return { ok: false, refusal: "other-log" };
    const known = [await readNewestCheckpoint(tx, log), given];
    if (typeof mirror !== "string" && mirror.origin === log.origin) known.push(mirror);
    const lastKnown = known.reduce((a, b) => ((b?.size ?? 0) > (a?.size ?? 0) ? b : a), null);

    const at = now();
    await tx.execute(sql`
      update proof_logs set closed_at = ${at.toISOString()}, closed_why = ${reason}
      where id = ${log.id}`);
    const next = await insertNextLog(tx, log, at);
    const batch = new EntryBatch(tx, next, at);
    batch.add("incident", {
      text: `The log ${log.origin} could not be continued and was closed: ${reason}`,
      previous: log.origin,
      size: lastKnown?.size ?? 0,
      root: lastKnown ? Buffer.from(lastKnown.root).toString("base64") : null,
    });
    await appendBatch(batch);
    const details = { closed: log.origin, lastKnownSize: lastKnown?.size ?? 0, reason };
    await writeAudit(tx, { actorId: null, action: "begin-log", subject: next.origin, details });
    for (const alert of [LOG_STOPPED_ALERT, SIGNING_KEY_ALERT]) await resolveAlertAbout(tx, alert);
    return {
      ok: true,
      origin: next.origin,
      closedOrigin: log.origin,
      lastKnownSize: details.lastKnownSize,
    };
  });
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

/** Inserts the log after `log` with its first key. Its origin is that of the first log and its number. */
async function insertNextLog(tx: Tx, log: Log, at: Date): Promise<Log> {
  const id = log.id + 1;
  await tx.execute(sql`
    insert into proof_logs (id, origin, started_at)
    select ${id}, origin || '/' || ${String(id)}, ${at.toISOString()} from proof_logs where id = 1`);
  const next = await readLog(tx, { id });
  if (!next) throw new Error("the next log was not inserted");
  await createSigningKey(tx, next, { fromSize: 0, at });
  return next;
}
