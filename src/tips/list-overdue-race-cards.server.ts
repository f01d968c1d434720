import type { CalendarDate } from "#domain/calendar.ts";
import { queryPrepared } from "#platform/database.server.ts";
import { findLastOverdueDate } from "./list-tips.server.ts";

/** A race card with tips whose result is overdue. */
type OverdueRaceCard = {
  raceCardId: string;
  venueName: string;
  raceDate: CalendarDate;
  creatorId: string;
  creatorName: string;
  /** The races without a result. */
  raceNumbers: number[];
};

/** Returns the race cards with overdue results, oldest first. */
export async function listOverdueRaceCards(at: Date, limit: number): Promise<OverdueRaceCard[]> {
  return await queryPrepared<OverdueRaceCard>(
    "overdue-race-cards",
    // Few tips are unsettled. The lateral join finds the race card of each; a plain join would read all race cards.
    `select c.id as "raceCardId", v.name as "venueName", c.race_date as "raceDate",
       c.creator_id as "creatorId", k.display_name as "creatorName",
       array_agg(t.race_number::int order by t.race_number) as "raceNumbers"
     from tips t
     cross join lateral (
       select c.id, c.venue_id, c.race_date, c.creator_id from race_cards c
       where c.id = t.race_card_id offset 0
     ) c
     join creators k on k.user_id = c.creator_id
     join venues v on v.id = c.venue_id
     where t.result is null and c.race_date <= $1::date
     group by c.id, v.name, c.race_date, c.creator_id, k.display_name
     order by c.race_date, v.name, c.id limit $2`,
    [findLastOverdueDate(at), limit],
  );
}

/** Counts the race cards with tips whose result is overdue. */
export async function countOverdueRaceCards(at: Date): Promise<number> {
  const [row] = await queryPrepared<{ count: number }>(
    "count-overdue-race-cards",
    `select count(distinct c.id) as count from tips t
     cross join lateral (
       select c.id, c.race_date from race_cards c where c.id = t.race_card_id offset 0
     ) c
     where t.result is null and c.race_date <= $1::date`,
    [findLastOverdueDate(at)],
  );
  return row?.count ?? 0;
}
