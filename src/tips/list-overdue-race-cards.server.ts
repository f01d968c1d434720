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

/** The overdue tips with their race cards; $1 is the last overdue date. */
// Few tips are unsettled. The lateral join finds the race card of each; a plain join would read all race cards.
const OVERDUE_TIPS = `(
  select t.race_number, c.* from tips t
  cross join lateral (
    select c.id, c.venue_id, c.race_date, c.creator_id from race_cards c
    where c.id = t.race_card_id offset 0
  ) c
  where t.result is null and c.race_date <= $1::date
) o`;

/** Returns the race cards with overdue results, oldest first. */
export async function listOverdueRaceCards(at: Date, limit: number): Promise<OverdueRaceCard[]> {
  return await queryPrepared<OverdueRaceCard>(
    "overdue-race-cards",
    `select o.id as "raceCardId", v.name as "venueName", o.race_date as "raceDate",
       o.creator_id as "creatorId", k.display_name as "creatorName",
       array_agg(o.race_number::int order by o.race_number) as "raceNumbers"
     from ${OVERDUE_TIPS}
     join creators k on k.user_id = o.creator_id
     join venues v on v.id = o.venue_id
     group by o.id, v.name, o.race_date, o.creator_id, k.display_name
     order by o.race_date, v.name, o.id limit $2`,
    [findLastOverdueDate(at), limit],
  );
}

/** Counts the race cards with overdue results. */
export async function countOverdueRaceCards(at: Date): Promise<number> {
  const [row] = await queryPrepared<{ count: number }>(
    "count-overdue-race-cards",
    `select count(distinct o.id) as count from ${OVERDUE_TIPS}`,
    [findLastOverdueDate(at)],
  );
  return row?.count ?? 0;
}
