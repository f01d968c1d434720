import { sql } from "drizzle-orm";
import { writeAudit } from "#platform/audit/audit.server.ts";
import { transaction } from "#platform/database.server.ts";
import { resolveAlertAbout } from "#platform/list-alerts.server.ts";
import { compareCheckpoint, type Mismatch } from "./compare-checkpoint.server.ts";
import { deleteKeptCheckpoint, readKeptCheckpoint } from "./kept-checkpoint.server.ts";
import { readLog } from "./read-log.server.ts";
import { LOG_STOPPED_ALERT } from "./stop-log.server.ts";

export type ConfirmLogResult =
  | { ok: true; size: number }
  | {
      ok: false;
      refusal: "no-log" | "not-stopped" | "kept" | Mismatch;
      size: number;
    };

/**
 * Resumes a stopped log. `checkpoint` is the newest one that a third party holds, or null if nobody holds one.
 * Refused if the log has fewer entries than it or than the newest checkpoint in DATA_DIR, or other ones.
 */
export async function confirmLog(checkpoint: string | null): Promise<ConfirmLogResult> {
  const kept = await readKeptCheckpoint();
  const result = await transaction(async (tx): Promise<ConfirmLogResult> => {
    const log = await readLog(tx, { lock: true });
    if (!log) return { ok: false, refusal: "no-log", size: 0 };
    const { size } = log;
    if (!log.stoppedSince) return { ok: false, refusal: "not-stopped", size };
    const refusal = checkpoint === null ? null : await compareCheckpoint(tx, log, checkpoint);
    if (refusal) return { ok: false, refusal, size };
    const mismatch = typeof kept === "string" ? null : await compareCheckpoint(tx, log, kept.note);
    if (mismatch === "behind" || mismatch === "different")
      return { ok: false, refusal: "kept", size };
    await tx.execute(sql`update proof_logs set unconfirmed_since = null where id = ${log.id}`);
    await writeAudit(tx, {
      actorId: null,
      action: "confirm-log",
      subject: log.origin,
      details: { size, checkpoint },
    });
    await resolveAlertAbout(tx, LOG_STOPPED_ALERT);
    return { ok: true, size };
  });
  // Otherwise it would stop the log again.
  if (result.ok && kept === "unreadable") await deleteKeptCheckpoint();
  return result;
}
