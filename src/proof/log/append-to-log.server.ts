import { sql } from "drizzle-orm";
import { now } from "#platform/clock.server.ts";
import { database, type Tx, transaction } from "#platform/database.server.ts";
import type { Job } from "#platform/queue.server.ts";
import { addCreators } from "./add-creators.server.ts";
import { addFiles } from "./add-files.server.ts";
import { addManifest } from "./add-manifest.server.ts";
import { addResults } from "./add-results.server.ts";
import { addTips } from "./add-tips.server.ts";
import { addWithdrawals } from "./add-withdrawals.server.ts";
import { APPEND_LOCK, appendBatch } from "./append-batch.server.ts";
import { CreatorChains } from "./creator-chains.server.ts";
import { EntryBatch } from "./entry-batch.server.ts";
import { type Log, readLog } from "./read-log.server.ts";

/**
 * Limits how far back from the newest entry a run searches for rows that are not in the log. Rows do not commit in
 * the order of their timestamps, and the clocks of machines differ.
 */
const LOOKBACK_WINDOW_MS = 7 * 24 * 60 * 60 * 1000;

/** Enters new tips, withdrawals and results in the log within seconds. */
export const appendToLogJob: Job = {
  name: "append-to-log",
  everySeconds: 2,
  async run() {
    while ((await appendToLog()) > 0);
  },
};

/**
 * Appends the events up to `at` that are not in the log yet, and signs a checkpoint, in one transaction.
 * Returns the number of new entries: 0 without a log, while it is stopped, or while another process appends. Its locks
 * block neither publishing nor sales.
 */
export async function appendToLog(at = now()): Promise<number> {
  return await transaction(async (tx) => {
    const { rows: locks } = await tx.execute<{ isLocked: boolean }>(
      sql`select pg_try_advisory_xact_lock(${APPEND_LOCK}) as "isLocked"`,
    );
    if (!locks[0]?.isLocked) return 0;
    const log = await readLog(tx);
    if (!log || log.stoppedSince || log.closedAt) return 0;
    const newestAt = (await readNewestAt(tx, log)) ?? log.startedAt;
    const since = new Date(
      Math.max(log.startedAt.getTime(), newestAt.getTime() - LOOKBACK_WINDOW_MS),
    );
    const batch = new EntryBatch(tx, log, at);
    const chains = await CreatorChains.read(batch);
    await addFiles(batch);
    await addCreators(batch, chains);
    await addTips(batch, chains, since);
    await addWithdrawals(batch, chains);
    await addResults(batch, since);
    await addManifest(batch, chains);
    if (batch.bodies.length > 0) await appendBatch(batch, chains);
    return batch.bodies.length;
  });
}

/** Returns when the newest entry was appended, or null for an empty log. */
export async function readLastAppendedAt(): Promise<Date | null> {
  const { rows } = await database().execute<{ at: string | null }>(
    sql`select max(appended_at) as at from proof_entries`,
  );
  return rows[0]?.at ? new Date(rows[0].at) : null;
}

async function readNewestAt(tx: Tx, { firstIndex, size }: Log): Promise<Date | null> {
  const { rows } = await tx.execute<{ at: string }>(sql`
    select appended_at as at from proof_entries where entry_index = ${firstIndex + size - 1}
      and ${size} > 0`);
  return rows[0] ? new Date(rows[0].at) : null;
}
