import { sql } from "drizzle-orm";
import { now } from "#platform/clock.server.ts";
import { database, type Tx, transaction } from "#platform/database.server.ts";
import { addCreators } from "./add-creators.server.ts";
import { addFiles } from "./add-files.server.ts";
import { addManifest } from "./add-manifest.server.ts";
import { addResults } from "./add-results.server.ts";
import { addTips } from "./add-tips.server.ts";
import { addWithdrawals } from "./add-withdrawals.server.ts";
import { APPEND_LOCK, appendBatch } from "./append-batch.server.ts";
import { CreatorChains } from "./creator-chains.server.ts";
import { EntryBatch } from "./entry-batch.server.ts";
import { readLog } from "./read-log.server.ts";

/**
 * Limits how far back from the newest tip and the newest result in the log a run searches for others. Rows do not
 * commit in the order of their timestamps, and the clocks of machines differ.
 */
const LOOKBACK_WINDOW_MS = 7 * 24 * 60 * 60 * 1000;

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
    const since = await readLookback(tx);
    const batch = new EntryBatch(tx, log, at);
    const chains = await CreatorChains.read(batch);
    await addFiles(batch);
    await addCreators(batch, chains);
    await addTips(batch, chains, since.tips);
    await addWithdrawals(batch, chains);
    await addResults(batch, since.results);
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

/**
 * Returns from when on tips and results may be in no log. The limits follow what is in the log, not the time, so
 * that all that happened while the log was stopped is still found.
 */
async function readLookback(tx: Tx): Promise<{ tips: Date; results: Date }> {
  const { rows } = await tx.execute<{
    tipAt: string | null;
    resultAt: string | null;
    startedAt: string;
  }>(sql`
    select (
      select t.published_at from tip_commitments k join tips t on t.id = k.tip_id
      order by k.entry_index desc limit 1
    ) as "tipAt", (
      select r.confirmed_at from proof_results q
      join race_results r on r.race_day_id = q.race_day_id and r.race_number = q.race_number
        and r.version = q.version
      order by q.entry_index desc limit 1
    ) as "resultAt", (select started_at from proof_logs where id = 1) as "startedAt"`);
  const startedAt = new Date(rows[0]?.startedAt ?? 0).getTime();
  const toLimit = (newest: string | null | undefined) =>
    new Date(
      newest ? Math.max(startedAt, new Date(newest).getTime() - LOOKBACK_WINDOW_MS) : startedAt,
    );
  return { tips: toLimit(rows[0]?.tipAt), results: toLimit(rows[0]?.resultAt) };
}
