import { prepared } from "#platform/database.server.ts";

/** What a user has opened so far, in all. */
export type OpenedCount = { raceCards: number; tips: number; spentCoins: number };

/** Counts what a user has opened and what it cost. */
export async function countOpened(userId: string): Promise<OpenedCount> {
  const [row] = await prepared<OpenedCount>(
    "count-opened",
    `select count(*) as "raceCards", coalesce(sum(cardinality(tip_ids)), 0)::bigint as tips,
       coalesce(sum(price_coins), 0)::bigint as "spentCoins"
     from sales where buyer_id = $1`,
    [userId],
  );
  return row ?? { raceCards: 0, tips: 0, spentCoins: 0 };
}
