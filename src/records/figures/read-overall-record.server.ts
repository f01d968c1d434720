import type { TrackRecord } from "#domain/track-record.ts";
import { queryPrepared } from "#platform/database.server.ts";
import { cachedReads } from "#platform/read-cache.server.ts";

const MAX_CACHE_AGE_MS = 60_000;
const readCached = cachedReads<OverallRecord>({
  invalidatedBy: [],
  ttlMs: MAX_CACHE_AGE_MS,
  max: 1,
});

/** The counted tips of all creators, suspended ones included. */
export type OverallRecord = Pick<TrackRecord, "settled" | "won">;

/** Returns the counted tips of all creators, to compare a single one with. Cached for a minute. */
export async function readOverallRecord(): Promise<OverallRecord> {
  return await readCached("all", async () => {
    const [record] = await queryPrepared<OverallRecord>(
      "overall-record",
      `select coalesce(sum(settled), 0)::integer as settled, coalesce(sum(won), 0)::integer as won
       from creator_figures`,
      [],
    );
    return record ?? { settled: 0, won: 0 };
  });
}
