import {
  type CreatorSummary,
  SUMMARY_COLUMNS,
  type SummaryRow,
  toCreatorSummary,
} from "#creators/creators.server.ts";
import { addDays, type CalendarDate, dateAt } from "#domain/calendar.ts";
import type { TipType } from "#domain/tip.ts";
import {
  compareTrackRecords,
  computeWinRateInterval,
  isRanked,
  type WinRateInterval,
} from "#domain/track-record.ts";
import { queryPrepared } from "#platform/database.server.ts";
import { cachedReads } from "#platform/read-cache.server.ts";
import { createCurrentTalliesSql } from "../tallies.server.ts";

/** The numbers of settled and won tips that match the filter. */
export type Tally = { settled: number; won: number };

/** A creator's position in a ranking by record. */
export type Ranking = {
  /** Null when too few settled tips match for a comparison. */
  rank: number | null;
  creator: CreatorSummary;
  tally: Tally;
  /** In per cent. */
  winRate: number;
  winRateInterval: WinRateInterval;
  /** The current run of consecutive wins or losses. */
  streak: { result: "won" | "lost"; length: number };
  longestWinningStreak: number;
  /** The last 30 days up to today, for the same venue and tip type. */
  last30Days: Tally;
};

export type RankingFilter = {
  from?: CalendarDate | null;
  /** The last day that counts. */
  until?: CalendarDate | null;
  venueId?: string | null;
  tipType?: TipType | null;
};

const RECENT_DAYS = 30;
/** Bounds the staleness after changes without a notification, such as a suspension. */
const MAX_CACHE_AGE_MS = 30_000;
const readCached = cachedReads<Ranking[]>({
  invalidatedBy: ["race-cards"],
  ttlMs: MAX_CACHE_AGE_MS,
  max: 200,
});

/**
 * Returns every creator with a settled tip that matches the filter, best first. They are ranked by
 * the lower bound of their win rate's confidence interval; creators with too few settled tips
 * follow without a rank. Excludes late and void tips and suspended creators. Cached in this process
 * until results change.
 */
export async function readRankings(at: Date, filter: RankingFilter = {}): Promise<Ranking[]> {
  const values = [
    filter.from ?? null,
    filter.until ?? null,
    filter.venueId ?? null,
    filter.tipType ?? null,
    addDays(dateAt(at), 1 - RECENT_DAYS),
    dateAt(at),
  ];
  return await readCached(values.join(" "), () => computeRankings(values));
}

type Row = SummaryRow & {
  settled: number;
  won: number;
  streakResult: "won" | "lost";
  streakLength: number;
  longestWon: number;
  recentSettled: number;
  recentWon: number;
};

/** Counts the tips of a range of dates. */
async function readTalliesOfDates(values: unknown[]): Promise<Row[]> {
  return await queryPrepared<Row>(
    "rankings",
    `with counted as (
      select s.creator_id, s.race_date, s.result,
        s.race_date between coalesce($1, s.race_date) and coalesce($2, s.race_date) as is_asked,
        row_number() over (partition by s.creator_id order by s.race_date,
          coalesce(r.off_at, s.entered_off_at), s.race_number, s.id) as place
      from settled_tips s
      left join race_off_times r on r.venue_id = s.venue_id and r.race_date = s.race_date
        and r.race_number = s.race_number
      where ((s.race_date >= coalesce($1::date, s.race_date)
          and s.race_date <= coalesce($2::date, s.race_date)) or s.race_date between $5 and $6)
        and ($3::uuid is null or s.venue_id = $3) and ($4::text is null or s.tip_type = $4)
        and s.result in ('won', 'lost') and not s.is_late
    ), runs as (
      select creator_id, result, count(*) as length, max(place) as last_place
      from (
        select creator_id, result, place, place - row_number() over
          (partition by creator_id, result order by place) as run
        from counted where is_asked
      ) in_runs group by creator_id, result, run
    ), streaks as (
      select creator_id, coalesce(max(length) filter (where result = 'won'), 0) as longest_won,
        (array_agg(result order by last_place desc))[1] as newest_result,
        (array_agg(length order by last_place desc))[1] as newest_length
      from runs group by creator_id
    ), tallies as (
      select creator_id, count(*) filter (where is_asked) as settled,
        count(*) filter (where is_asked and result = 'won') as won,
        count(*) filter (where race_date between $5 and $6) as recent_settled,
        count(*) filter (where race_date between $5 and $6 and result = 'won') as recent_won
      from counted group by creator_id
    )
    select ${SUMMARY_COLUMNS}, a.settled, a.won, s.newest_result as "streakResult",
      s.newest_length as "streakLength", s.longest_won as "longestWon",
      a.recent_settled as "recentSettled", a.recent_won as "recentWon"
    from tallies a
    join streaks s on s.creator_id = a.creator_id
    join creators k on k.user_id = a.creator_id and k.suspended_at is null
    left join creator_records n on n.creator_id = k.user_id
    order by lower(k.display_name)`,
    values,
  );
}

/** Reads the stored all-time tallies, at a cost that does not depend on the number of tips. */
async function readAllTimeTallies([, , venueId, tipType, firstDate, today]: unknown[]): Promise<
  Row[]
> {
  return await queryPrepared<Row>(
    "rankings-of-all-time",
    `select ${SUMMARY_COLUMNS}, a.settled, a.won, a.streak_result as "streakResult",
      a.streak_length as "streakLength", a.longest_won as "longestWon",
      recent.settled as "recentSettled", recent.won as "recentWon"
    from (${createCurrentTalliesSql({ venue: "$1", tipType: "$2" })}) a
    join creators k on k.user_id = a.creator_id and k.suspended_at is null
    left join creator_records n on n.creator_id = k.user_id
    cross join lateral ( -- creator by creator, so that no plan reads all tips
      select count(*)::integer as settled, count(*) filter (where s.result = 'won')::integer as won
      from settled_tips s
      where s.creator_id = a.creator_id and s.race_date between $3 and $4
        and ($1::uuid is null or s.venue_id = $1) and ($2::text is null or s.tip_type = $2)
        and s.result in ('won', 'lost') and not s.is_late
    ) recent
    order by lower(k.display_name)`,
    [venueId, tipType, firstDate, today],
  );
}

async function computeRankings(values: unknown[]): Promise<Ranking[]> {
  const [from, until] = values;
  const hasDates = from !== null || until !== null;
  const rows = await (hasDates ? readTalliesOfDates(values) : readAllTimeTallies(values));
  // The sort is stable, so equal records remain sorted by name.
  return rows.sort(compareTrackRecords).map((row, index) => ({
    rank: isRanked(row) ? index + 1 : null,
    creator: toCreatorSummary(row),
    tally: { settled: row.settled, won: row.won },
    winRate: (row.won / row.settled) * 100,
    winRateInterval: computeWinRateInterval(row) as WinRateInterval,
    streak: { result: row.streakResult, length: row.streakLength },
    longestWinningStreak: row.longestWon,
    last30Days: { settled: row.recentSettled, won: row.recentWon },
  }));
}
