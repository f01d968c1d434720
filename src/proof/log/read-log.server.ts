import { sql } from "drizzle-orm";
import type { Database, Tx } from "#platform/database.server.ts";

/** A log of this installation. There is one open log; logs that could not be continued are closed. */
export type Log = {
  id: number;
  origin: string;
  startedAt: Date;
  /** Where the log begins in the tables: what they call an index or a size counts on from here. */
  firstIndex: number;
  /** The number of entries. */
  size: number;
  stoppedSince: Date | null;
  closedAt: Date | null;
};

/** A checkpoint of a log, where that log begins in the tables, and the note as we signed it. */
export type SignedCheckpoint = { firstIndex: number; size: number; note: string };

/** Returns the newest log, or null if there is none. Locks it against appending if `lock` is true. */
export async function readLog(
  db: Database | Tx,
  { id = null, lock = false }: { id?: number | null; lock?: boolean } = {},
): Promise<Log | null> {
  const { rows } = await db.execute<{
    id: number;
    origin: string;
    startedAt: string;
    firstIndex: string;
    size: string;
    stoppedSince: string | null;
    closedAt: string | null;
  }>(sql`
    select id, origin, started_at as "startedAt", first_index as "firstIndex", size,
      unconfirmed_since as "stoppedSince", closed_at as "closedAt"
    from proof_logs where ${id === null ? sql`true` : sql`id = ${id}`}
    order by id desc limit 1 ${lock ? sql`for update` : sql``}`);
  const [log] = rows;
  if (!log) return null;
  const toDate = (text: string | null) => (text === null ? null : new Date(text));
  return {
    id: log.id,
    origin: log.origin,
    startedAt: new Date(log.startedAt),
    firstIndex: Number(log.firstIndex),
    size: Number(log.size),
    stoppedSince: toDate(log.stoppedSince),
    closedAt: toDate(log.closedAt),
  };
}

/** Returns which log of the same installation has the origin, or null if it is not one of them. */
export function logNumberOf(origin: string, { id, origin: own }: Log): number | null {
  const first = id === 1 ? own : own.slice(0, own.lastIndexOf("/"));
  if (origin === first) return 1;
  const [, number] = /^\/(\d{1,4})$/.exec(origin.slice(first.length)) ?? [];
  return number !== undefined && origin.startsWith(first) ? Number(number) : null;
}

/** The entries that a log can have. */
const CAPACITY = 2 ** 40;

/** Returns the condition that an index or a size in the tables is one of the log's. */
export function isInLog(
  column: "entry_index" | "size" | "from_size",
  { firstIndex }: Pick<Log, "firstIndex">,
) {
  // A checkpoint's size is one more than the index of its last entry.
  const first = column === "size" ? firstIndex + 1 : firstIndex;
  return sql`${sql.identifier(column)} between ${first} and ${first + CAPACITY - 1}`;
}
