import { prepared } from "#platform/database.server.ts";

/** How many people have opened each of these cards; a card that nobody has opened is not in it. */
export async function countSales(raceCardIds: string[]): Promise<Map<string, number>> {
  if (raceCardIds.length === 0) return new Map();
  const rows = await prepared<{ id: string; sales: number }>(
    "count-sales-of-cards",
    `select race_card_id as id, count(*) as sales from sales
     where race_card_id = any($1::uuid[]) group by 1`,
    [raceCardIds],
  );
  return new Map(rows.map((row) => [row.id, row.sales]));
}
