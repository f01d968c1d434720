import { sql } from "drizzle-orm";
import { database, transaction } from "#platform/database.server.ts";
import type { Job } from "#platform/queue.server.ts";
import { runEach } from "#platform/run-each.server.ts";

/**
 * Returns SQL for the all-time tallies of settled tips per creator, venue and tip type. The nil id
 * represents all venues and the empty type all tip types. Late and void tips and claims are not counted.
 * `creators` is a list or subquery of creator ids.
 */
export function createTalliesSql(creators: string): string {
  return `
    with counted as (
      select s.creator_id, v.venue_id, k.tip_type, s.result,
        row_number() over (partition by s.creator_id, v.venue_id, k.tip_type order by s.race_date,
          coalesce(r.off_at, s.entered_off_at), s.race_number, s.id) as place
      from settled_tips s
      left join lateral ( -- race by race, so that no plan reads all races
        select o.off_at from race_off_times o where o.venue_id = s.venue_id and o.race_date = s.race_date
          and o.race_number = s.race_number limit 1
      ) r on true
      cross join lateral (values (s.venue_id), ('${ALL_VENUES}'::uuid)) v (venue_id)
      cross join lateral (values (s.tip_type), ('')) k (tip_type)
      where s.creator_id in (${creators}) and s.result in ('won', 'lost') and not s.is_late
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

export const ALL_VENUES = "00000000-0000-0000-0000-000000000000";

/**
 * Returns SQL for the tallies of one venue and tip type. The parameters are placeholders such as $1; a null
 * value matches all. Reads stored tallies, and the tips of creators whose tallies are stale.
 */
export function createCurrentTalliesSql({
  venue,
  tipType,
}: {
  venue: string;
  tipType: string;
}): string {
  const matches = `y.venue_id = coalesce(${venue}::uuid, '${ALL_VENUES}')
    and y.tip_type = coalesce(${tipType}::text, '')`;
  return `
    select y.* from creator_tallies y
    join creator_records n on n.creator_id = y.creator_id and n.is_tallied
    where ${matches}
    union all
    ${createStaleTalliesSql("true")} where ${matches}`;
}

/**
 * Returns SQL that calculates, from the tips, the tallies of the records (n) whose stored tallies
 * are stale. The lateral join works creator by creator and reads no tip if none is stale.
 */
export function createStaleTalliesSql(records: string): string {
  return `select y.* from (select creator_id from creator_records n
      where not n.is_tallied and ${records}) n
    cross join lateral (${createTalliesSql("n.creator_id")}) y`;
}

/**
 * Recalculates stale tallies. Each creator has a transaction, to keep the lock short that blocks entering their
 * results. Returns the number of creators updated.
 */
export async function updateStaleTallies(): Promise<number> {
  const { rows } = await database().execute<{ id: string }>(
    sql`select creator_id as id from creator_records where not is_tallied order by creator_id`,
  );
  let count = 0;
  await runEach(
    updateTalliesJob.name,
    rows.map((row) => row.id),
    (creatorId) => `creator ${creatorId}`,
    async (creatorId) => {
      if (await updateTallies(creatorId)) count += 1;
    },
  );
  return count;
}

/** Returns false if the tallies of the creator are not stale, or another process updates them. */
async function updateTallies(creatorId: string): Promise<boolean> {
  return await transaction(async (tx) => {
    // A creator can have hundreds of thousands of tips after ten years.
    await tx.execute(sql`set local statement_timeout = '120s'`);
    const { rows } = await tx.execute<{ id: string }>(sql`
      select creator_id as id from creator_records where not is_tallied and creator_id = ${creatorId}
      for no key update skip locked`);
    if (rows.length === 0) return false;
    await tx.execute(sql`delete from creator_tallies where creator_id = ${creatorId}`);
    // Settling a tip updates the record last, so while the record is locked, every settled tip is committed
    // and visible.
    await tx.execute(sql`
      insert into creator_tallies (creator_id, venue_id, tip_type, settled, won, streak_result,
        streak_length, longest_won)
      ${sql.raw(createTalliesSql(`'${creatorId}'`))}`);
    await tx.execute(
      sql`update creator_records set is_tallied = true where creator_id = ${creatorId}`,
    );
    return true;
  });
}

/** Updates the tallies that all-time rankings read. */
export const updateTalliesJob: Job = {
  name: "update-tallies",
  everySeconds: 5,
  async run() {
    await updateStaleTallies();
  },
};
