import { sql } from "drizzle-orm";
import { formatCheckpoint, signCheckpoint } from "#domain/proof/signed-note.server.ts";
import { TILE_WIDTH } from "#domain/proof/tile-paths.ts";
import { now } from "#platform/clock.server.ts";
import { database, type Tx, transaction } from "#platform/database.server.ts";
import type { Job } from "#platform/queue.server.ts";
import { addCreators } from "./add-creators.server.ts";
import { addFiles } from "./add-files.server.ts";
import { addManifest } from "./add-manifest.server.ts";
import { addResults } from "./add-results.server.ts";
import { addTips } from "./add-tips.server.ts";
import { addWithdrawals } from "./add-withdrawals.server.ts";
import { CompactRange } from "./compact-range.ts";
import { CreatorChains } from "./creator-chains.server.ts";
import { EntryBatch } from "./entry-batch.server.ts";
import { readSigningKey } from "./signing-key.server.ts";

/**
 * Limits how far back from the newest entry a run searches for rows that are not in the log. Rows do not commit in
 * the order of their timestamps, and the clocks of machines differ.
 */
const LOOKBACK_WINDOW_MS = 7 * 24 * 60 * 60 * 1000;
/** The height of a tile of 256 hashes. */
const TILE_HEIGHT = 8;

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
      sql`select pg_try_advisory_xact_lock(hashtext('proof log')) as "isLocked"`,
    );
    if (!locks[0]?.isLocked) return 0;
    const { rows: logs } = await tx.execute<{
      origin: string;
      startedAt: string;
      size: string;
      newestAt: string | null;
    }>(sql`
      select origin, started_at as "startedAt", size,
        (select max(appended_at) from proof_entries) as "newestAt"
      from proof_logs where unconfirmed_since is null`);
    const [log] = logs;
    if (!log) return 0;
    const newestAt = new Date(log.newestAt ?? log.startedAt).getTime();
    const since = new Date(
      Math.max(new Date(log.startedAt).getTime(), newestAt - LOOKBACK_WINDOW_MS),
    );
    const batch = new EntryBatch(tx, Number(log.size), at);
    const chains = await CreatorChains.read(batch);
    await addFiles(batch);
    await addCreators(batch, chains);
    await addTips(batch, chains, since);
    await addWithdrawals(batch, chains);
    await addResults(batch, since);
    await addManifest(batch, chains);
    if (batch.bodies.length === 0) return 0;
    await append(batch);
    await chains.write();
    await batch.writeRows();
    await appendCheckpoint(batch, log.origin);
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

async function append(batch: EntryBatch): Promise<void> {
  const { rows } = await batch.tx.execute<{ first: string }>(sql`
    select append_to_proof_log(${sql.param(batch.bodies)}::bytea[], ${batch.at.toISOString()}) as first`);
  if (Number(rows[0]?.first) !== batch.firstIndex)
    throw new Error("another process appended to the log");
  await addNodes(batch.tx, batch.firstIndex, batch.nextIndex);
}

/** Stores the hash of each tile that the new entries complete, level by level. */
async function addNodes(tx: Tx, firstIndex: number, size: number): Promise<void> {
  let first = firstIndex;
  let count = size;
  for (let level = 1; count >= TILE_WIDTH; level += 1) {
    const firstTile = Math.floor(first / TILE_WIDTH);
    count = Math.floor(count / TILE_WIDTH);
    for (let tile = firstTile; tile < count; tile += 1) {
      const range = new CompactRange();
      for (const hash of await readHashes(
        tx,
        level - 1,
        tile * TILE_WIDTH,
        (tile + 1) * TILE_WIDTH,
      ))
        range.push(0, hash);
      await tx.execute(sql`
        insert into proof_nodes (level, node_index, hash) values (${level}, ${tile}, ${range.root()})`);
    }
    first = firstTile;
  }
}

async function appendCheckpoint(batch: EntryBatch, origin: string): Promise<void> {
  const size = batch.nextIndex;
  const root = (await readCompactRange(batch.tx, size)).root();
  const key = await readSigningKey(batch.tx, origin);
  const note = signCheckpoint(formatCheckpoint({ origin, size, root }), origin, key);
  await batch.tx.execute(sql`
    insert into proof_checkpoints (size, root, note, signed_at)
    values (${size}, ${root}, ${note}, ${batch.at.toISOString()})`);
}

/** Returns the compact range of the first entries of the log, read from at most 255 hashes of each level. */
export async function readCompactRange(tx: Tx, size: number): Promise<CompactRange> {
  const range = new CompactRange();
  let first = 0;
  let level = 0;
  while (TILE_WIDTH ** (level + 1) <= size) level += 1;
  for (; level >= 0; level -= 1) {
    const end = Math.floor(size / TILE_WIDTH ** level);
    for (const hash of await readHashes(tx, level, first, end))
      range.push(level * TILE_HEIGHT, hash);
    first = end * TILE_WIDTH;
  }
  return range;
}

/** Returns the hashes of a level of tiles from `first` up to, not including, `end`: the leaves at level 0. */
export async function readHashes(
  tx: Tx,
  level: number,
  first: number,
  end: number,
): Promise<Buffer[]> {
  const { rows } = await tx.execute<{ hash: Buffer }>(
    level === 0
      ? sql`select leaf_hash as hash from proof_entries
          where entry_index >= ${first} and entry_index < ${end} order by entry_index`
      : sql`select hash from proof_nodes
          where level = ${level} and node_index >= ${first} and node_index < ${end} order by node_index`,
  );
  return rows.map((row) => row.hash);
}
