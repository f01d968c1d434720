import { desc } from "drizzle-orm";
import { dateAt, instantAt } from "#domain/calendar.ts";
import { database, queryPrepared } from "#platform/database.server.ts";
import { sales } from "./tables.server.ts";

/** The race cards opened on a day. */
type DaySales = {
  sales: number;
  /** The sales one week ago, up to the same time of day. */
  salesLastWeek: number;
  /** The price of the sales and what is left of it after the creators' share. */
  priceCents: number;
  keptCents: number;
};

/** Returns the sales of the day of an instant, up to that instant. */
export async function readDaySales(at: Date): Promise<DaySales> {
  const [row] = await queryPrepared<DaySales>(
    "day-sales",
    `select count(*)::int as sales, coalesce(sum(price_cents), 0)::bigint as "priceCents",
       coalesce(sum(price_cents - earning_cents), 0)::bigint as "keptCents",
       (select count(*)::int from sales w where w.created_at >= $1::timestamptz - interval '7 days'
         and w.created_at <= $2::timestamptz - interval '7 days') as "salesLastWeek"
     from sales where created_at >= $1 and created_at <= $2`,
    [instantAt(dateAt(at)), at],
  );
  if (!row) throw new Error("a count returned no row");
  return row;
}

/** Returns the number of sales of each of these race cards. */
export async function countSalesOfRaceCards(
  raceCardIds: readonly string[],
): Promise<Map<string, number>> {
  if (raceCardIds.length === 0) return new Map();
  const rows = await queryPrepared<{ id: string; sales: number }>(
    "sales-of-race-cards",
    `select race_card_id as id, count(*)::int as sales from sales
     where race_card_id = any($1::uuid[]) group by race_card_id`,
    [raceCardIds],
  );
  return new Map(rows.map((row) => [row.id, row.sales]));
}

/** Returns the newest sales, newest first. */
export async function listNewestSales(
  limit: number,
): Promise<{ id: number; buyerId: string; raceCardId: string; soldAt: Date }[]> {
  return await database()
    .select({
      id: sales.id,
      buyerId: sales.buyerId,
      raceCardId: sales.raceCardId,
      soldAt: sales.createdAt,
    })
    .from(sales)
    .orderBy(desc(sales.id))
    .limit(limit);
}
