import { queryPrepared } from "#platform/database.server.ts";
import { ALL_VENUES, createStaleTalliesSql } from "./tallies.server.ts";

/** The numbers of settled and won tips of one creator at one venue. */
export type VenueTally = { creatorId: string; venueId: string; settled: number; won: number };

const LAST_RESULT_COUNT = 10;

/**
 * Returns the results of the newest ten settled tips of these creators by id: W or L for each tip,
 * oldest first. Late and void tips and claims are not counted.
 */
export async function readLastResults(creatorIds: readonly string[]): Promise<Map<string, string>> {
  if (creatorIds.length === 0) return new Map();
  const rows = await queryPrepared<{ creatorId: string; results: string }>(
    "last-results",
    // The lateral join reads each creator's newest race cards first, so that no plan reads a whole record.
    `select k.id as "creatorId", string_agg(case l.result when 'won' then 'W' else 'L' end, ''
        order by l.race_date, l.off_at, l.race_number, l.id) as results
    from unnest($1::uuid[]) k (id)
    cross join lateral (
      select s.result, s.race_date, coalesce(r.off_at, s.entered_off_at) as off_at, s.race_number, s.id
      from settled_tips s
      left join lateral (
        select o.off_at from race_off_times o where o.venue_id = s.venue_id and o.race_date = s.race_date
          and o.race_number = s.race_number limit 1
      ) r on true
      where s.creator_id = k.id and s.result in ('won', 'lost') and not s.is_late
      order by s.race_date desc, coalesce(r.off_at, s.entered_off_at) desc, s.race_number desc,
        s.id desc limit ${LAST_RESULT_COUNT}
    ) l
    group by k.id`,
    [creatorIds],
  );
  return new Map(rows.map(({ creatorId, results }) => [creatorId, results]));
}

/** Returns the all-time tallies of these creators at each venue where they have a settled tip. */
export async function readVenueTallies(creatorIds: readonly string[]): Promise<VenueTally[]> {
  if (creatorIds.length === 0) return [];
  return await queryPrepared<VenueTally>(
    "venue-tallies",
    `select y.creator_id as "creatorId", y.venue_id as "venueId", y.settled, y.won
    from creator_tallies y
    join creator_records n on n.creator_id = y.creator_id and n.is_tallied
    where y.creator_id = any($1::uuid[]) and y.tip_type = '' and y.venue_id <> '${ALL_VENUES}'
    union all
    select y.creator_id, y.venue_id, y.settled, y.won
    from (${createStaleTalliesSql("n.creator_id = any($1::uuid[])")}) y
    where y.tip_type = '' and y.venue_id <> '${ALL_VENUES}'`,
    [creatorIds],
  );
}
