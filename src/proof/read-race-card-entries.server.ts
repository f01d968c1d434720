import { sql } from "drizzle-orm";
import { database } from "#platform/database.server.ts";

/** The entries of a race card's tips. */
export type RaceCardEntries = {
  /** The tips that were published since the log began. */
  tips: number;
  /** Those of them that are in the log. */
  entries: number;
  /** The creator's numbers of the first and the last entry, and when the last one was appended. */
  recorded: { firstSeq: number; lastSeq: number; at: Date } | null;
  /** The first timestamp authority that saw all entries, and when by its own time. Null if none has. */
  firstSeen: { authority: string; at: Date } | null;
  /** The first off of its races. Null unless all of them are known; a time that the tipster entered is not known. */
  firstOffAt: Date | null;
};

/** Returns the entries of a race card, or null if there was no log when it was published. */
export async function readRaceCardEntries(raceCardId: string): Promise<RaceCardEntries | null> {
  const { rows } = await database().execute<{
    tips: number;
    entries: number;
    firstSeq: number | null;
    lastSeq: number | null;
    at: string | null;
    lastIndex: string | null;
    firstOffAt: string | null;
  }>(sql`
    select count(*)::integer as tips, count(k.tip_id)::integer as entries, min(n.seq) as "firstSeq",
      max(n.seq) as "lastSeq", max(e.appended_at) as at,
      max(k.entry_index) as "lastIndex",
      case when bool_and(r.off_at is not null) then min(r.off_at) end as "firstOffAt"
    from tips t
    join race_cards c on c.id = t.race_card_id
    left join race_off_times r on r.venue_id = c.venue_id and r.race_date = c.race_date
      and r.race_number = t.race_number
    left join tip_commitments k on k.tip_id = t.id
    left join proof_creator_entries n on n.entry_index = k.entry_index
    left join proof_entries e on e.entry_index = k.entry_index
    where t.race_card_id = ${raceCardId}
      and t.published_at >= (select started_at from proof_logs where id = 1)`);
  const [
    { tips, entries, firstSeq, lastSeq, at, lastIndex, firstOffAt } = { tips: 0, entries: 0 },
  ] = rows;
  if (tips === 0) return null;
  const recorded =
    firstSeq != null && lastSeq != null && at != null
      ? { firstSeq, lastSeq, at: new Date(at) }
      : null;
  const firstSeen = lastIndex == null ? null : await readFirstSeen(lastIndex);
  return {
    tips,
    entries,
    recorded,
    firstSeen,
    firstOffAt: firstOffAt == null ? null : new Date(firstOffAt),
  };
}

/** Returns the earliest timestamp of the first checkpoint with this entry that a timestamp authority has seen. */
async function readFirstSeen(entryIndex: string): Promise<RaceCardEntries["firstSeen"]> {
  const { rows } = await database().execute<{ authority: string; at: string }>(sql`
    select authority, claimed_at as at from proof_timestamps
    where size = (select min(size) from proof_timestamps where size > ${entryIndex}
      -- Of the same log: each has 2^40 indexes.
      and (size - 1) >> 40 = ${entryIndex}::bigint >> 40)
    order by claimed_at, authority limit 1`);
  return rows[0] ? { authority: rows[0].authority, at: new Date(rows[0].at) } : null;
}
