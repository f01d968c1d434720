import { sql } from "drizzle-orm";
import { database, transaction } from "#platform/database.server.ts";
import type { Job } from "#platform/queue.server.ts";
import { earningDaysPosition } from "./tables.server.ts";

/**
 * Adds earnings, reversals and reductions since the last run to the creators' days and totals, each exactly once.
 * Only this job writes these rows, so purchases never wait for a lock on them. Rows do not commit in the order of
 * their ids, so the position is a transaction id, and a run stops before the oldest transaction still running.
 */
export async function rollUpEarnings(): Promise<void> {
  await transaction(async (tx) => {
    // After a long downtime a run takes long, and the position advances only when it finishes.
    await tx.execute(sql`set local statement_timeout = '600s'`);
    const [position] = await tx.select().from(earningDaysPosition).for("update");
    if (!position) throw new Error("the roll-up position of earnings is missing");
    await tx.execute(sql`
      with bound as (select pg_snapshot_xmin(pg_current_snapshot()) as before_xid),
      moved as (
        select s.creator_id, s.created_at, 1 as sales, s.earning_cents as earned,
          0 as reversed_sales, 0 as reversed
        from sales s, bound
        where s.created_xid >= ${position.beforeXid}::xid8 and s.created_xid < before_xid
        union all
        select s.creator_id, s.created_at, 0, 0, 1, r.amount_cents
        from earning_reversals r join sales s on s.id = r.sale_id, bound
        where r.created_xid >= ${position.beforeXid}::xid8 and r.created_xid < before_xid
        union all
        -- A reversal that was undone: it counts when it was made, and is subtracted when it was undone.
        select s.creator_id, s.created_at, 0, 0, 1, r.amount_cents
        from earning_restorations r join sales s on s.id = r.sale_id, bound
        where r.reversed_xid >= ${position.beforeXid}::xid8 and r.reversed_xid < before_xid
        union all
        select s.creator_id, s.created_at, 0, 0, -1, -r.amount_cents
        from earning_restorations r join sales s on s.id = r.sale_id, bound
        where r.created_xid >= ${position.beforeXid}::xid8 and r.created_xid < before_xid
        union all
        -- Reductions for void races: the sale itself is not reversed.
        select s.creator_id, s.created_at, 0, 0, 0, r.reduced_cents
        from coin_returns r join sales s on s.id = r.sale_id, bound
        where r.created_xid >= ${position.beforeXid}::xid8 and r.created_xid < before_xid
      ), added as (
        insert into earning_days as d
          (creator_id, day, sales, earned_cents, reversed_sales, reversed_cents)
        select creator_id, (created_at at time zone 'Africa/Johannesburg')::date,
          sum(sales), sum(earned), sum(reversed_sales), sum(reversed)
        from moved group by 1, 2
        on conflict (creator_id, day) do update set
          sales = d.sales + excluded.sales,
          earned_cents = d.earned_cents + excluded.earned_cents,
          reversed_sales = d.reversed_sales + excluded.reversed_sales,
          reversed_cents = d.reversed_cents + excluded.reversed_cents
      ), totalled as (
        insert into earning_totals as t
          (creator_id, sales, earned_cents, reversed_sales, reversed_cents)
        select creator_id, sum(sales), sum(earned), sum(reversed_sales), sum(reversed)
        from moved group by 1
        on conflict (creator_id) do update set
          sales = t.sales + excluded.sales,
          earned_cents = t.earned_cents + excluded.earned_cents,
          reversed_sales = t.reversed_sales + excluded.reversed_sales,
          reversed_cents = t.reversed_cents + excluded.reversed_cents
      )
      update earning_days_position set before_xid = (select before_xid from bound)`);
  });
}

/** Updates the creators' days. Queries add the sales since the last run themselves. */
export const rollUpEarningsJob: Job = {
  name: "roll-up-earnings",
  everySeconds: 5,
  run: rollUpEarnings,
};

/**
 * Selects the sales, reversals and reductions of a creator that are not rolled up yet, one row each. Added to the
 * rolled-up rows, they make a query exact to the cent. $1 is the creator, $2 the result of readRollUpCheckpoint.
 */
const RECENT_SALES_SQL = `
  select (s.created_at at time zone 'Africa/Johannesburg')::date as day, 1 as sales,
    s.earning_cents::bigint as earned_cents, 0 as reversed_sales, 0::bigint as reversed_cents
  from sales s, earning_days_position p
  where s.created_xid >= $2::xid8 and s.created_xid >= p.before_xid and s.creator_id = $1
  union all
  select (s.created_at at time zone 'Africa/Johannesburg')::date, 0, 0, 1, r.amount_cents
  from earning_reversals r join sales s on s.id = r.sale_id, earning_days_position p
  where r.created_xid >= $2::xid8 and r.created_xid >= p.before_xid and s.creator_id = $1
  union all
  -- Reversals that are rolled up and were undone since.
  select (s.created_at at time zone 'Africa/Johannesburg')::date, 0, 0, -1, -r.amount_cents
  from earning_restorations r join sales s on s.id = r.sale_id, earning_days_position p
  where r.created_xid >= $2::xid8 and r.created_xid >= p.before_xid
    and r.reversed_xid < p.before_xid and s.creator_id = $1
  union all
  select (s.created_at at time zone 'Africa/Johannesburg')::date, 0, 0, 0, r.reduced_cents
  from coin_returns r join sales s on s.id = r.sale_id, earning_days_position p
  where r.created_xid >= $2::xid8 and r.created_xid >= p.before_xid and s.creator_id = $1`;

/** A creator's days from $3 on, including sales not rolled up yet. */
export const CREATOR_DAYS_SQL = `
  select d.day, d.sales, d.earned_cents, d.reversed_sales, d.reversed_cents
  from earning_days d where d.creator_id = $1 and d.day >= $3::date
  union all
  select * from (${RECENT_SALES_SQL}) n where n.day >= $3::date`;

/** A creator's totals, including sales not rolled up yet. */
export const CREATOR_TOTALS_SQL = `
  select t.sales, t.earned_cents, t.reversed_sales, t.reversed_cents
  from earning_totals t where t.creator_id = $1
  union all
  select sales, earned_cents, reversed_sales, reversed_cents from (${RECENT_SALES_SQL}) n`;

/**
 * Returns the position up to which sales are rolled up. Queries read the current position again, because it can
 * advance in the meantime; as a parameter it only tells the planner that few rows are newer.
 */
export async function readRollUpCheckpoint(): Promise<string> {
  const [position] = await database().select().from(earningDaysPosition);
  return position?.beforeXid ?? "0";
}
