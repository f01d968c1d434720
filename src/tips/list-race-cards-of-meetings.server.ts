import type { CalendarDate } from "#domain/calendar.ts";
import { queryPrepared } from "#platform/database.server.ts";

/** Returns the race cards of these venues on a day, by venue and creator. */
export async function listRaceCardsOfMeetings(
  venueIds: readonly string[],
  raceDate: CalendarDate,
  limit: number,
): Promise<{ id: string; venueName: string; creatorName: string; raceDate: CalendarDate }[]> {
  return await queryPrepared(
    "race-cards-of-meetings",
    `select c.id, v.name as "venueName", k.display_name as "creatorName", c.race_date as "raceDate"
     from race_cards c
     join venues v on v.id = c.venue_id
     join creators k on k.user_id = c.creator_id
     where c.race_date = $1 and c.venue_id = any($2::uuid[])
     order by v.name, k.display_name, c.id limit $3`,
    [raceDate, venueIds, limit],
  );
}
