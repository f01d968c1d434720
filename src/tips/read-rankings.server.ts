import {
  type CreatorSummary,
  SUMMARY_COLUMNS,
  type SummaryRow,
  summaryOf,
} from "#creators/creators.server.ts";
import { addDays, type CalendarDate, dateAt } from "#domain/calendar.ts";
import type { TipType } from "#domain/tip.ts";
import { compareTrackRecords, isProven, type RateRange, rateRange } from "#domain/track-record.ts";
import { prepared } from "#platform/database.server.ts";
import { cachedReads } from "#platform/read-cache.server.ts";
import { currentTallies } from "./tallies.server.ts";

/** Settled tips and what came of them, within the days, venue and kind that were asked for. */
export type Tally = { settled: number; won: number };

/** A creator's place in a ranking by record. */
export type Ranking = {
  /** Null for who has too few settled tips in it to be compared. */
  rank: number | null;
  creator: CreatorSummary;
  tally: Tally;
  /** In per cent. */
  winRate: number;
  range: RateRange;
  /** How the newest results run: so many won, or lost, one after the other. */
  streak: { result: "won" | "lost"; length: number };
  longestWinningStreak: number;
  /** The last 30 days up to today, in the same venue and kind. */
  last30Days: Tally;
};

export type RankingFilter = {
  from?: CalendarDate | null;
  /** The last day that counts. */
  until?: CalendarDate | null;
  venueId?: string | null;
  tipType?: TipType | null;
};

const LAST_DAYS = 30;
/** What no notice tells of (a suspension, say) shows after so long at the latest. */
const KEEP_MS = 30_000;
const kept = cachedReads<Ranking[]>({ until: ["race-cards"], forMs: KEEP_MS, max: 200 });

/**
 * Everybody with a settled tip in the days, venue and kind asked for, best first: by the rate that is
 * proven, those with too few settled tips after the rest and without a rank. Late and void tips count
 * nowhere, and suspended creators are left out. Kept in this process until there is news.
 */
export async function readRankings(at: Date, filter: RankingFilter = {}): Promise<Ranking[]> {
  const values = [
    filter.from ?? null,
    filter.until ?? null,
    filter.venueId ?? null,
    filter.tipType ?? null,
    addDays(dateAt(at), 1 - LAST_DAYS),
    dateAt(at),
  ];
  return await kept(values.join(" "), () => rank(values));
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

/** Of some days: from the tips of those days. */
async function rankOfDays(values: unknown[]): Promise<Row[]> {
  return await prepared<Row>(
    "rankings",
    `with counted as (
      select c.creator_id, c.race_date, t.result,
        c.race_date between coalesce($1, c.race_date) and coalesce($2, c.race_date) as is_asked,
        row_number() over (partition by c.creator_id order by c.race_date,
          coalesce(r.off_at, t.given_off_at), t.race_number, t.id) as place
      from race_cards c
      join tips t on t.race_card_id = c.id and not t.is_late and t.result in ('won', 'lost')
      left join race_offs r on r.venue_id = c.venue_id and r.race_date = c.race_date
        and r.race_number = t.race_number
      where ((c.race_date >= coalesce($1::date, c.race_date)
          and c.race_date <= coalesce($2::date, c.race_date)) or c.race_date between $5 and $6)
        and ($3::uuid is null or c.venue_id = $3) and ($4::text is null or t.tip_type = $4)
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

/** Since the beginning: from the tallies that are kept, which cost the same however much there is. */
async function rankOfAllTime([, , venueId, tipType, since, today]: unknown[]): Promise<Row[]> {
  return await prepared<Row>(
    "rankings-of-all-time",
    `with recent as (
      select c.creator_id, sum(t.settled) as settled, sum(t.won) as won
      from race_cards c
      cross join lateral ( -- card by card, so that no plan reads all tips
        select count(*) as settled, count(*) filter (where t.result = 'won') as won
        from tips t where t.race_card_id = c.id and not t.is_late and t.result in ('won', 'lost')
          and ($2::text is null or t.tip_type = $2)
      ) t
      where c.race_date between $3 and $4 and ($1::uuid is null or c.venue_id = $1)
      group by c.creator_id
    )
    select ${SUMMARY_COLUMNS}, a.settled, a.won, a.streak_result as "streakResult",
      a.streak_length as "streakLength", a.longest_won as "longestWon",
      coalesce(recent.settled, 0)::integer as "recentSettled",
      coalesce(recent.won, 0)::integer as "recentWon"
    from (${currentTallies({ venue: "$1", kind: "$2" })}) a
    join creators k on k.user_id = a.creator_id and k.suspended_at is null
    left join creator_records n on n.creator_id = k.user_id
    left join recent on recent.creator_id = a.creator_id
    order by lower(k.display_name)`,
    [venueId, tipType, since, today],
  );
}

async function rank(values: unknown[]): Promise<Ranking[]> {
  const [from, until] = values;
  const isOfDays = from !== null || until !== null;
  const rows = await (isOfDays ? rankOfDays(values) : rankOfAllTime(values));
  // Equal records stay in the order of their names: the sort is stable.
  return rows.sort(compareTrackRecords).map((row, index) => ({
    rank: isProven(row) ? index + 1 : null,
    creator: summaryOf(row),
    tally: { settled: row.settled, won: row.won },
    winRate: (row.won / row.settled) * 100,
    range: rateRange(row) as RateRange,
    streak: { result: row.streakResult, length: row.streakLength },
    longestWinningStreak: row.longestWon,
    last30Days: { settled: row.recentSettled, won: row.recentWon },
  }));
}
