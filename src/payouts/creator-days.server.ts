import { database } from "#platform/database.server.ts";
import { earningDaysPosition } from "./tables.server.ts";

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
