import { sql } from "drizzle-orm";
import { database, transaction } from "#platform/database.server.ts";
import type { Job } from "#platform/queue.server.ts";
import { earningDaysPosition } from "./tables.server.ts";

/**
 * Adds what was earned and reversed since the last time to the creators' days and totals, each sale
 * exactly once. Buyers never wait for it: it alone writes them. Ids commit out of order, so it goes by
 * transactions: up to the oldest that is still under way.
 */
export async function rollUpEarnings(): Promise<void> {
  await transaction(async (tx) => {
    // After a long absence there is a lot to add up, and it has to end for the next to begin.
    await tx.execute(sql`set local statement_timeout = '600s'`);
    const [position] = await tx.select().from(earningDaysPosition).for("update");
    if (!position) throw new Error("the earnings have no position to begin from");
    await tx.execute(sql`
      with bound as (select pg_snapshot_xmin(pg_current_snapshot()) as before_xid),
      moved as (
        select s.creator_id, s.created_at, 1 as sales, e.amount_cents as earned,
          0 as reversed_sales, 0 as reversed
        from sales s join earnings e on e.sale_id = s.id, bound
        where s.created_xid >= ${position.beforeXid}::xid8 and s.created_xid < before_xid
        union all
        select s.creator_id, s.created_at, 0, 0, 1, e.amount_cents
        from earning_reversals r join earnings e on e.sale_id = r.sale_id
          join sales s on s.id = r.sale_id, bound
        where r.created_xid >= ${position.beforeXid}::xid8 and r.created_xid < before_xid
        union all
        -- A reversal that was undone since: it counts when it was made, and against that when undone.
        select s.creator_id, s.created_at, 0, 0, 1, e.amount_cents
        from earning_restorations r join earnings e on e.sale_id = r.sale_id
          join sales s on s.id = r.sale_id, bound
        where r.reversed_xid >= ${position.beforeXid}::xid8 and r.reversed_xid < before_xid
        union all
        select s.creator_id, s.created_at, 0, 0, -1, -e.amount_cents
        from earning_restorations r join earnings e on e.sale_id = r.sale_id
          join sales s on s.id = r.sale_id, bound
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

/** Keeps the creators' days current; what is newer than the last run is read from the sales. */
export const rollUpEarningsJob: Job = {
  name: "keep-earnings",
  everySeconds: 5,
  run: rollUpEarnings,
};

/**
 * What the roll-up has not seen yet of a creator's sales, one row a sale or reversal: with what it has
 * kept, a query is exact to the cent. $1 is the creator, $2 what readPosition answers.
 */
const NEWEST = `
  select (s.created_at at time zone 'Africa/Johannesburg')::date as day, 1 as sales,
    e.amount_cents::bigint as earned_cents, 0 as reversed_sales, 0::bigint as reversed_cents
  from sales s join earnings e on e.sale_id = s.id, earning_days_position p
  where s.created_xid >= $2::xid8 and s.created_xid >= p.before_xid and s.creator_id = $1
  union all
  select (s.created_at at time zone 'Africa/Johannesburg')::date, 0, 0, 1, e.amount_cents
  from earning_reversals r join sales s on s.id = r.sale_id join earnings e on e.sale_id = r.sale_id,
    earning_days_position p
  where r.created_xid >= $2::xid8 and r.created_xid >= p.before_xid and s.creator_id = $1`;

/** A creator's days from one on ($3), and the newest. */
export const CREATOR_DAYS = `
  select d.day, d.sales, d.earned_cents, d.reversed_sales, d.reversed_cents
  from earning_days d where d.creator_id = $1 and d.day >= $3::date
  union all
  select * from (${NEWEST}) n where n.day >= $3::date`;

/** What all of a creator's days come to, and the newest. */
export const CREATOR_TOTALS = `
  select t.sales, t.earned_cents, t.reversed_sales, t.reversed_cents
  from earning_totals t where t.creator_id = $1
  union all
  select sales, earned_cents, reversed_sales, reversed_cents from (${NEWEST}) n`;

/**
 * Up to where the roll-up has come. The query itself looks again, for it may move on meanwhile; this is
 * what tells its planner that few rows are newer than that, however many sales there are.
 */
export async function readPosition(): Promise<string> {
  const [position] = await database().select().from(earningDaysPosition);
  return position?.beforeXid ?? "0";
}
