import { sql } from "drizzle-orm";
import { computeFigures } from "#domain/figures/figures.ts";
import { now } from "#platform/clock.server.ts";
import { database, transaction } from "#platform/database.server.ts";
import type { Job } from "#platform/queue.server.ts";
import { runEach } from "#platform/run-each.server.ts";
import { readSettledTips } from "./read-settled-tips.server.ts";
import { createReturnsSql } from "./returns-sql.server.ts";

/**
 * Computes stale figures again, those of the creator who has waited longest first. Returns the number of creators
 * updated. Leaves out those whose figures another process computes meanwhile.
 */
export async function updateStaleFigures(): Promise<number> {
  const { rows } = await database().execute<{ creatorId: string }>(sql`
    select creator_id as "creatorId" from stale_figures group by creator_id order by min(id)`);
  let count = 0;
  await runEach(
    updateFiguresJob.name,
    rows.map((row) => row.creatorId),
    (creatorId) => `creator ${creatorId}`,
    async (creatorId) => {
      if (await updateFigures(creatorId)) count += 1;
    },
  );
  return count;
}

/**
 * Returns false if the figures of the creator are not stale, or another process computes some. Locks nothing that
 * settling tips waits for.
 */
async function updateFigures(creatorId: string): Promise<boolean> {
  return await transaction(async (tx) => {
    // A creator can have hundreds of thousands of tips after ten years.
    await tx.execute(sql`set local statement_timeout = '120s'`);
    // One process at a time: of two, the one that read earlier could write later.
    const { rows: locks } = await tx.execute<{ isLocked: boolean }>(
      sql`select pg_try_advisory_xact_lock(hashtext('creator figures')) as "isLocked"`,
    );
    if (!locks[0]?.isLocked) return false;
    // The tips are read after their marks, so that each change that is marked is read.
    const { rows: marks } = await tx.execute<{ id: string }>(
      sql`select id from stale_figures where creator_id = ${creatorId}`,
    );
    if (marks.length === 0) return false;
    const { counted, voidTips, lateTips } = await readSettledTips(tx, creatorId);
    const figures = computeFigures(counted);
    const { settled, won, startingPrice } = figures;
    await tx.execute(sql`
      insert into creator_figures (creator_id, computed_at, settled, won, void_tips, late_tips,
        starting_price_tips, staked_cents, profit_cents, yield_low_percent, figures)
      values (${creatorId}, ${now().toISOString()}, ${settled}, ${won}, ${voidTips}, ${lateTips},
        ${startingPrice.tips}, ${startingPrice.stakedCents}, ${startingPrice.profitCents},
        ${startingPrice.yieldRange?.lowPercent ?? null}, ${JSON.stringify(figures)})
      on conflict (creator_id) do update set computed_at = excluded.computed_at,
        settled = excluded.settled, won = excluded.won, void_tips = excluded.void_tips,
        late_tips = excluded.late_tips, starting_price_tips = excluded.starting_price_tips,
        staked_cents = excluded.staked_cents, profit_cents = excluded.profit_cents,
        yield_low_percent = excluded.yield_low_percent, figures = excluded.figures`);
    await tx.execute(sql`delete from creator_returns where creator_id = ${creatorId}`);
    await tx.execute(sql`
      insert into creator_returns (creator_id, venue_id, tip_type, tips, staked_cents, profit_cents,
        profit_squares, profit_by_stake, stake_squares)
      ${sql.raw(createReturnsSql(`s.creator_id = '${creatorId}'`))}`);
    const ids = marks.map((mark) => mark.id);
    await tx.execute(sql`delete from stale_figures where id = any (${sql.param(ids)}::bigint[])`);
    return true;
  });
}

/** Computes figures again after each change of an officially settled tip. */
export const updateFiguresJob: Job = {
  name: "update-figures",
  everySeconds: 5,
  async run() {
    await updateStaleFigures();
  },
};
