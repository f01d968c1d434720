import { database } from "#platform/database.server.ts";
import { earningDaysPosition } from "./tables.server.ts";

/**
 * A creator's days, and of what the roll-up has not seen yet one row a sale or reversal: a query on it
 * is exact to the cent. $1 is the creator, $2 what readPosition answers.
 */
export const CREATOR_DAYS = `
  select d.day, d.sales, d.earned_cents, d.reversed_sales, d.reversed_cents
  from earning_days d where d.creator_id = $1
  union all
  select (s.created_at at time zone 'Africa/Johannesburg')::date, 1, e.amount_cents, 0, 0
  from sales s join earnings e on e.sale_id = s.id, earning_days_position p
  where s.created_xid >= $2::xid8 and s.created_xid >= p.before_xid and s.creator_id = $1
  union all
  select (s.created_at at time zone 'Africa/Johannesburg')::date, 0, 0, 1, e.amount_cents
  from earning_reversals r join sales s on s.id = r.sale_id join earnings e on e.sale_id = r.sale_id,
    earning_days_position p
  where r.created_xid >= $2::xid8 and r.created_xid >= p.before_xid and s.creator_id = $1`;

/**
 * Up to where the roll-up has come. The query itself looks again, for it may move on meanwhile; this is
 * what tells its planner that few rows are newer than that, however many sales there are.
 */
export async function readPosition(): Promise<string> {
  const [position] = await database().select().from(earningDaysPosition);
  return position?.beforeXid ?? "0";
}
