import { addDays, dateAt } from "#domain/calendar.ts";
import { isRevealed } from "#domain/is-revealed.ts";
import { queryPrepared } from "#platform/database.server.ts";
import { cachedReads } from "#platform/read-cache.server.ts";

/** The entries of a creator in the newest public log after #0, which enters the creator. */
export type CreatorEntries = {
  /** The number of the newest entry; 0 without a tip. */
  lastSeq: number;
  /** Tips whose selection is not public yet. */
  beforeRace: number;
  /** Everything else that is in the log. */
  revealed: number;
  /** Numbers without an entry, and tips of the last days that should have been entered and are not. */
  missing: number;
};

/** The job that appends entries runs every two seconds; a tip that waits longer than this is reported. */
const ENTRY_DELAY_MS = 5 * 60_000;
/** The job looks back as many days (append-to-log.server.ts). */
const LOOK_BACK_DAYS = 7;

const MAX_CACHE_AGE_MS = 60_000;
const MAX_CACHED_CREATORS = 500;
const readCached = cachedReads<{ numbered: number }>({
  invalidatedBy: [],
  ttlMs: MAX_CACHE_AGE_MS,
  max: MAX_CACHED_CREATORS,
});

/**
 * Returns the state of a creator's entries, or null if the creator is not in the log. Reads the race cards of the
 * last days and of those to come. The entries before are only counted, once a minute and for each last number.
 */
export async function readCreatorEntries(
  creatorId: string,
  at: Date,
): Promise<CreatorEntries | null> {
  const today = dateAt(at);
  const [row] = await queryPrepared<{
    proofId: string;
    lastSeq: number;
    beforeRace: number;
    notEntered: number;
  }>(
    "creator-entries",
    `select p.proof_id as "proofId", p.next_seq - 1 as "lastSeq", recent.before_race as "beforeRace",
      recent.not_entered as "notEntered"
    from proof_creators p
    cross join lateral (
      select
        count(*) filter (where k.tip_id is not null and not (${isRevealed("$2::date")}))::integer
          as before_race,
        count(*) filter (where k.tip_id is null and t.published_at < $4::timestamptz
          and t.published_at >= (select started_at from proof_logs where id = 1))::integer as not_entered
      from race_cards c
      join tips t on t.race_card_id = c.id
      left join tip_commitments k on k.tip_id = t.id
      where c.creator_id = p.creator_id and c.race_date >= $3::date
    ) recent
    where p.creator_id = $1 order by p.log_id desc limit 1`,
    [creatorId, today, addDays(today, -LOOK_BACK_DAYS), new Date(at.getTime() - ENTRY_DELAY_MS)],
  );
  if (!row) return null;
  const { proofId, lastSeq, beforeRace, notEntered } = row;
  const { numbered } = await readCached(
    `${proofId}:${lastSeq}`,
    async () => await countNumbered(proofId, lastSeq),
  );
  return {
    lastSeq,
    beforeRace,
    revealed: numbered - beforeRace,
    missing: lastSeq - numbered + notEntered,
  };
}

async function countNumbered(proofId: string, lastSeq: number): Promise<{ numbered: number }> {
  const [row] = await queryPrepared<{ numbered: number }>(
    "creator-entries-numbered",
    `select count(*)::integer as numbered from proof_creator_entries
     where proof_id = $1 and seq between 1 and $2`,
    [proofId, lastSeq],
  );
  return row ?? { numbered: 0 };
}
