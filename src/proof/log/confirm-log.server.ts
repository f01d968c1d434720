import { sql } from "drizzle-orm";
import { writeAudit } from "#audit/audit.server.ts";
import { raiseAlert } from "#platform/alerts.server.ts";
import { now } from "#platform/clock.server.ts";
import { type Tx, transaction } from "#platform/database.server.ts";
import { resolveAlertAbout } from "#platform/list-alerts.server.ts";
import { type Log, readLog } from "./read-log.server.ts";
import { readCompactRange } from "./tree.server.ts";

const ALERT = { kind: "log-stopped", subject: "log" } as const;

/**
 * Stops the log after a restore. The restored copy may have fewer entries than others have seen, and a log that
 * went on from there would be another log under the same name. Does nothing in a database without a log.
 */
export async function stopLog(): Promise<void> {
  await transaction(async (tx) => {
    const { rows } = await tx.execute<{ exists: boolean }>(
      sql`select to_regclass('proof_logs') is not null as exists`,
    );
    if (!rows[0]?.exists) return;
    const { rowCount } = await tx.execute(sql`
      update proof_logs set unconfirmed_since = ${now().toISOString()} where unconfirmed_since is null`);
    if (rowCount)
      await raiseAlert(
        {
          ...ALERT,
          message:
            "A backup was restored. Tips are not recorded in the public log until you compare it: docs/proof.md, After a restore.",
        },
        tx,
      );
  });
}

export type ConfirmLogResult =
  | { ok: true; size: number }
  | {
      ok: false;
      refusal: "no-log" | "not-stopped" | "unreadable" | "other-log" | "behind" | "different";
      size: number;
    };

/**
 * Resumes a stopped log. `checkpoint` is the newest one that a third party holds, or null if nobody holds one.
 * Refused if the log has fewer entries than it, or other ones.
 */
export async function confirmLog(checkpoint: string | null): Promise<ConfirmLogResult> {
  return await transaction(async (tx): Promise<ConfirmLogResult> => {
    const log = await readLog(tx, { lock: true });
    if (!log) return { ok: false, refusal: "no-log", size: 0 };
    const { size } = log;
    if (!log.stoppedSince) return { ok: false, refusal: "not-stopped", size };
    if (checkpoint !== null) {
      const refusal = await compareCheckpoint(tx, checkpoint, log);
      if (refusal) return { ok: false, refusal, size };
    }
    await tx.execute(sql`update proof_logs set unconfirmed_since = null where id = ${log.id}`);
    await writeAudit(tx, {
      actorId: null,
      action: "confirm-log",
      subject: log.origin,
      details: { size, checkpoint },
    });
    await resolveAlertAbout(tx, ALERT);
    return { ok: true, size };
  });
}

/** Returns why the log does not continue the checkpoint, or null. */
async function compareCheckpoint(
  tx: Tx,
  checkpoint: string,
  log: Log,
): Promise<"unreadable" | "other-log" | "behind" | "different" | null> {
  const [origin, sizeText = "", root] = checkpoint.split(/\r?\n/);
  const size = Number(sizeText);
  if (!/^[1-9]\d{0,14}$/.test(sizeText) || !root) return "unreadable";
  if (origin !== log.origin) return "other-log";
  if (size > log.size) return "behind";
  return (await readCompactRange(tx, log, size)).root().toString("base64") === root
    ? null
    : "different";
}
