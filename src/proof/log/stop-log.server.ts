import { sql } from "drizzle-orm";
import { raiseAlert } from "#platform/alerts.server.ts";
import { now } from "#platform/clock.server.ts";
import { transaction } from "#platform/database.server.ts";

/** The alert about a log that waits for the operator. */
export const LOG_STOPPED_ALERT = { kind: "log-stopped", subject: "log" } as const;

/**
 * Stops the log until the operator confirms it, because the database may have fewer entries than others have seen. A
 * log that went on from there would be another log under the same name. Does nothing in a database without a log, or
 * if it is stopped already.
 */
export async function stopLog(
  reason = "A backup was restored. Tips are not recorded in the public log until you compare it: docs/proof.md, After a restore.",
): Promise<void> {
  await transaction(async (tx) => {
    const { rows } = await tx.execute<{ exists: boolean }>(
      sql`select to_regclass('proof_logs') is not null as exists`,
    );
    if (!rows[0]?.exists) return;
    const { rows: stopped } = await tx.execute<{ isStopped: boolean }>(
      sql`select stop_proof_log(${now().toISOString()}) as "isStopped"`,
    );
    if (stopped[0]?.isStopped) await raiseAlert({ ...LOG_STOPPED_ALERT, message: reason }, tx);
  });
}
