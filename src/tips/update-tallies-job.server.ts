import { sql } from "drizzle-orm";
import { transaction } from "#platform/database.server.ts";
import type { Job } from "#platform/queue.server.ts";
import { tallies } from "./tallies.server.ts";

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
