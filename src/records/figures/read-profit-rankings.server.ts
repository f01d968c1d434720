import {
  type CreatorSummary,
  SUMMARY_COLUMNS,
  type SummaryRow,
  toCreatorSummary,
} from "#creators/creators.server.ts";
import { computeYieldRange, type ReturnSums, type YieldRange } from "#domain/figures/returns.ts";
import { queryPrepared } from "#platform/database.server.ts";
import { cachedReads } from "#platform/read-cache.server.ts";
import type { RankingFilter } from "../rankings/read-rankings.server.ts";
import { ALL_VENUES } from "../tallies.server.ts";
import { createReturnsSql } from "./returns-sql.server.ts";

/** A creator's position in a ranking by profit at the starting price, before tax. */
export type ProfitRanking = {
  /** Null with fewer than 50 priced tips. */
  rank: number | null;
  creator: CreatorSummary;
  /** The counted win bets with a known starting price that match the filter. */
  tips: number;
  stakedCents: number;
  profitCents: number;
  yieldPercent: number;
  /** Null with fewer than 50 priced tips. */
  yieldRange: YieldRange | null;
};

/** Figures are computed in the background, without a notification. */
const MAX_CACHE_AGE_MS = 30_000;
const readCached = cachedReads<ProfitRanking[]>({
  invalidatedBy: ["race-cards"],
  ttlMs: MAX_CACHE_AGE_MS,
  max: 200,
});

/**
 * Returns every creator with a counted win bet that matches the filter, best first: ranked by the lower end of the
 * range of their yield at the starting price, so that a few outsiders do not suffice. Creators with fewer than 50
 * bets follow without a rank. Excludes suspended creators. Cached in this process for half a minute.
 */
export async function readProfitRankings(filter: RankingFilter = {}): Promise<ProfitRanking[]> {
  const { from = null, until = null, venueId = null, tipType = null } = filter;
  const values = [venueId ?? ALL_VENUES, tipType ?? "", from, until];
  return await readCached(values.join(" "), async () => {
    const rows = await (from || until ? readReturnsOfDates(values) : readAllReturns(values));
    return rows
      .map((row) => ({ row, yieldRange: computeYieldRange(row) }))
      .sort(
        (a, b) =>
          (b.yieldRange?.lowPercent ?? Number.NEGATIVE_INFINITY) -
            (a.yieldRange?.lowPercent ?? Number.NEGATIVE_INFINITY) || b.row.tips - a.row.tips,
      )
      .map(({ row, yieldRange }, index) => ({
        rank: yieldRange ? index + 1 : null,
        creator: toCreatorSummary(row),
        tips: row.tips,
        stakedCents: row.stakedCents,
        profitCents: row.profitCents,
        yieldPercent: (row.profitCents / row.stakedCents) * 100,
        yieldRange,
      }));
  });
}

type Row = SummaryRow & ReturnSums;

const COLUMNS = `${SUMMARY_COLUMNS}, a.tips, a.staked_cents::double precision as "stakedCents",
  a.profit_cents::double precision as "profitCents", a.profit_squares as "profitSquares",
  a.profit_by_stake as "profitByStake", a.stake_squares as "stakeSquares"`;
const CREATORS = `join creators k on k.user_id = a.creator_id and k.suspended_at is null
  left join creator_records n on n.creator_id = k.user_id
  where a.venue_id = $1 and a.tip_type = $2
  order by lower(k.display_name)`;

/** Ranks all time from the stored sums, at a cost that does not depend on the number of tips. */
async function readAllReturns([venueId, tipType]: unknown[]): Promise<Row[]> {
  return await queryPrepared<Row>(
    "profit-rankings-of-all-time",
    `select ${COLUMNS} from creator_returns a ${CREATORS}`,
    [venueId, tipType],
  );
}

/** Ranks a range of dates from the tips of those dates. */
async function readReturnsOfDates(values: unknown[]): Promise<Row[]> {
  const dates =
    "s.race_date >= coalesce($3::date, s.race_date) and s.race_date <= coalesce($4::date, s.race_date)";
  return await queryPrepared<Row>(
    "profit-rankings",
    `select ${COLUMNS} from (${createReturnsSql(dates)}) a ${CREATORS}`,
    values,
  );
}
