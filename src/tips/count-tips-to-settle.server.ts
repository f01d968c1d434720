import { prepared } from "#platform/database.server.ts";

/** How many of a creator's tips are over and wait for W or L. */
export async function countTipsToSettle(creatorId: string, at: Date): Promise<number> {
  const [row] = await prepared<{ count: number }>(
    "tips-to-settle",
    `select count(*) from race_cards c
     join tips t on t.race_card_id = c.id and t.result is null
     left join race_offs r on r.venue_id = c.venue_id and r.race_date = c.race_date
       and r.race_number = t.race_number
     where c.creator_id = $1 and coalesce(r.off_at, t.given_off_at,
       (c.race_date + time '18:00') at time zone 'Africa/Johannesburg') <= $2`,
    [creatorId, at],
  );
  return row?.count ?? 0;
}
