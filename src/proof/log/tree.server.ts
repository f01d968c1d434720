import { sql } from "drizzle-orm";
import { TILE_WIDTH } from "#domain/proof/tile-paths.ts";
import type { Tx } from "#platform/database.server.ts";
import { CompactRange } from "./compact-range.ts";
import type { Log } from "./read-log.server.ts";

/** The height of a tile of 256 hashes. */
const TILE_HEIGHT = 8;

/** Stores the hash of each tile that the entries from `firstIndex` up to `end` complete, level by level. */
export async function addNodes(tx: Tx, firstIndex: number, end: number): Promise<void> {
  let first = firstIndex;
  let count = end;
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

/** Returns the compact range of the first entries of a log, read from at most 256 hashes of each level. */
export async function readCompactRange(
  tx: Tx,
  { firstIndex }: Pick<Log, "firstIndex">,
  size: number,
): Promise<CompactRange> {
  const range = new CompactRange();
  let level = 0;
  while (TILE_WIDTH ** (level + 1) <= size) level += 1;
  let first = 0;
  for (; level >= 0; level -= 1) {
    const end = Math.floor(size / TILE_WIDTH ** level);
    const offset = firstIndex / TILE_WIDTH ** level;
    for (const hash of await readHashes(tx, level, offset + first, offset + end))
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
