import { sql } from "drizzle-orm";
import { transaction } from "#platform/database.server.ts";
import type { Job } from "#platform/queue.server.ts";

/**
 * What settled tips come to, since the beginning and creator by creator: in all, at each venue and of
 * each kind, "all" being the nil id and the empty kind. Late and void tips count nowhere. The creators
 * are those in this list or query.
 */
export function tallies(creators: string): string {
  return `
    with counted as (
      select c.creator_id, v.venue_id, k.tip_type, t.result,
        row_number() over (partition by c.creator_id, v.venue_id, k.tip_type order by c.race_date,
          coalesce(r.off_at, t.given_off_at), t.race_number, t.id) as place
      from race_cards c
      join tips t on t.race_card_id = c.id and not t.is_late and t.result in ('won', 'lost')
      left join lateral ( -- race by race, so that no plan reads all races
        select o.off_at from race_offs o where o.venue_id = c.venue_id and o.race_date = c.race_date
          and o.race_number = t.race_number limit 1
      ) r on true
      cross join lateral (values (c.venue_id), ('${EVERY_VENUE}'::uuid)) v (venue_id)
      cross join lateral (values (t.tip_type), ('')) k (tip_type)
      where c.creator_id in (${creators})
    ), runs as (
      select creator_id, venue_id, tip_type, result, count(*) as length, max(place) as last_place
      from (
        select *, place - row_number() over
          (partition by creator_id, venue_id, tip_type, result order by place) as run
        from counted
      ) in_runs group by creator_id, venue_id, tip_type, result, run
    )
    select creator_id, venue_id, tip_type, sum(length)::integer as settled,
      coalesce(sum(length) filter (where result = 'won'), 0)::integer as won,
      (array_agg(result order by last_place desc))[1] as streak_result,
      (array_agg(length order by last_place desc))[1]::integer as streak_length,
      coalesce(max(length) filter (where result = 'won'), 0)::integer as longest_won
    from runs group by creator_id, venue_id, tip_type`;
}

export const EVERY_VENUE = "00000000-0000-0000-0000-000000000000";

/**
 * The tallies that the values at these places ask for ($1 and so on: a venue and a kind, null for all),
 * kept ones and, of creators whose results have changed since, those read from their tips.
 */
export function currentTallies({ venue, kind }: { venue: string; kind: string }): string {
  const asked = `y.venue_id = coalesce(${venue}::uuid, '${EVERY_VENUE}')
    and y.tip_type = coalesce(${kind}::text, '')`;
  return `
    select y.* from creator_tallies y
    join creator_records n on n.creator_id = y.creator_id and n.is_tallied
    where ${asked}
    union all
    ${talliesOfStaleRecords("true")} where ${asked}`;
}

/**
 * The tallies of those records (n) whose results have changed since theirs were kept, from their tips.
 * One creator after the other: where there are none, no tip is looked at.
 */
export function talliesOfStaleRecords(records: string): string {
  return `select y.* from (select creator_id from creator_records n
      where not n.is_tallied and ${records}) n
    cross join lateral (${tallies("n.creator_id")}) y`;
}

/** One at a time: whoever marks a result of theirs meanwhile waits for no more than that. */
const AT_ONCE = 1;

/** Makes the tallies anew of some whose results have changed, and answers how many that were. */
export async function updateStaleTallies(): Promise<number> {
  return await transaction(async (tx) => {
    // A star of ten years has hundreds of thousands of tips.
    await tx.execute(sql`set local statement_timeout = '120s'`);
    const { rows } = await tx.execute<{ id: string }>(sql`
      select creator_id as id from creator_records where not is_tallied
      order by creator_id limit ${AT_ONCE} for no key update skip locked`);
    if (rows.length === 0) return 0;
    const list = `'{${rows.map((row) => row.id).join(",")}}'::uuid[]`;
    const ids = sql.raw(`any(${list})`);
    await tx.execute(sql`delete from creator_tallies where creator_id = ${ids}`);
    // Whoever settles a tip writes the record last: what is committed of theirs is seen from here on.
    await tx.execute(sql`
      insert into creator_tallies (creator_id, venue_id, tip_type, settled, won, streak_result,
        streak_length, longest_won)
      ${sql.raw(tallies(`select unnest(${list})`))}`);
    await tx.execute(sql`update creator_records set is_tallied = true where creator_id = ${ids}`);
    return rows.length;
  });
}

/** Keeps the tallies that the rankings of all time are read from. */
export const updateTalliesJob: Job = {
  name: "keep-tallies",
  everySeconds: 5,
  async run() {
    while ((await updateStaleTallies()) > 0);
  },
};
