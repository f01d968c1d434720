import type { CalendarDate } from "#domain/calendar.ts";
import { prepared } from "#platform/database.server.ts";

/** What a creator's own card was about, for a list that knows it by id: its races with their horses. */
export type OwnRaceCard = {
  id: string;
  venueName: string;
  raceDate: CalendarDate;
  races: { raceNumber: number; horseNumber: number; horseName: string }[];
};

/** Those of these race cards that the creator has written, by id; anybody else's are not there. */
export async function readOwnRaceCards(
  creatorId: string,
  raceCardIds: readonly string[],
): Promise<Map<string, OwnRaceCard>> {
  if (raceCardIds.length === 0) return new Map();
  const rows = await prepared<OwnRaceCard>(
    "own-race-cards",
    `select c.id, v.name as "venueName", c.race_date as "raceDate",
      jsonb_agg(jsonb_build_object('raceNumber', t.race_number, 'horseNumber', t.horse_number,
        'horseName', t.horse_name) order by t.race_number) as races
    from race_cards c
    join venues v on v.id = c.venue_id
    join tips t on t.race_card_id = c.id
    where c.creator_id = $1 and c.id = any($2::uuid[])
    group by c.id, v.name, c.race_date`,
    [creatorId, raceCardIds],
  );
  return new Map(rows.map((row) => [row.id, row]));
}
