import { sql } from "drizzle-orm";
import { queryPrepared, type Tx } from "#platform/database.server.ts";

/** A creator's sales in a month (its first day), less reversals. Can be negative. */
export type SalesSum = { creatorId: string; month: string; sales: number; coins: number };

/**
 * Sums the sales and reversals of the transactions from `fromXid` up to the oldest one still
 * running, where the next sum starts. Ids and timestamps become visible out of order; transaction
 * ids do not, so no sale is missed.
 */
export async function sumSalesSince(
  tx: Tx,
  fromXid: string,
): Promise<{ beforeXid: string; sums: SalesSum[] }> {
  const { rows } = await tx.execute<{
    before_xid: string;
    creator_id: string | null;
    month: string;
    sales: number;
    coins: number;
  }>(sql`
    with bound as (select pg_snapshot_xmin(pg_current_snapshot()) as before_xid),
    moved as (
      select s.creator_id, s.created_at, 1 as sales, s.price_coins::integer as coins
      from sales s, bound where s.created_xid >= ${fromXid}::xid8 and s.created_xid < before_xid
      union all
      select s.creator_id, s.created_at, -1, -s.price_coins::integer
      from earning_reversals r join sales s on s.id = r.sale_id, bound
      where r.created_xid >= ${fromXid}::xid8 and r.created_xid < before_xid
      union all
      -- A reversal that was undone since: it counts when it was made, and against that when undone.
      select s.creator_id, s.created_at, -1, -s.price_coins::integer
      from earning_restorations r join sales s on s.id = r.sale_id, bound
      where r.reversed_xid >= ${fromXid}::xid8 and r.reversed_xid < before_xid
      union all
      select s.creator_id, s.created_at, 1, s.price_coins::integer
      from earning_restorations r join sales s on s.id = r.sale_id, bound
      where r.created_xid >= ${fromXid}::xid8 and r.created_xid < before_xid
    )
    select bound.before_xid::text, m.creator_id,
      date_trunc('month', m.created_at at time zone 'Africa/Johannesburg')::date as month,
      sum(m.sales)::integer as sales, sum(m.coins)::integer as coins
    from bound left join moved m on true
    group by 1, 2, 3`);
  return {
    beforeXid: rows[0]?.before_xid ?? fromXid,
    sums: rows
      .filter((row) => row.creator_id !== null)
      .map((row) => ({
        creatorId: row.creator_id as string,
        month: row.month,
        sales: row.sales,
        coins: row.coins,
      })),
  };
}

/** Returns the number of sales by race card. A race card without a sale has no entry. */
export async function countSales(raceCardIds: string[]): Promise<Map<string, number>> {
  if (raceCardIds.length === 0) return new Map();
  const rows = await queryPrepared<{ id: string; sales: number }>(
    "count-sales-of-cards",
    `select race_card_id as id, count(*) as sales from sales
     where race_card_id = any($1::uuid[]) group by 1`,
    [raceCardIds],
  );
  return new Map(rows.map((row) => [row.id, row.sales]));
}
