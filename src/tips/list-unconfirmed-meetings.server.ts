import { type CalendarDate, dateAt } from "#domain/calendar.ts";
import { queryPrepared } from "#platform/database.server.ts";

/** A meeting that has race cards on sale with races that are not reported. */
export type UnconfirmedMeeting = {
  venueId: string;
  venueName: string;
  raceDate: CalendarDate;
  raceCards: number;
  /** The races of these race cards that are not reported. */
  raceNumbers: number[];
  /** True if other races of the meeting are reported, so that the race cards contradict the report. */
  isReported: boolean;
};

/** Returns the meetings from today on that an admin has to confirm, soonest first. */
export async function listUnconfirmedMeetings(at: Date): Promise<UnconfirmedMeeting[]> {
  return await queryPrepared<UnconfirmedMeeting>(
    "unconfirmed-meetings",
    // Materialised, with a lateral join per race, so that no plan reads all race cards or races.
    `with coming as materialized (
      select id, venue_id, creator_id, race_date from race_cards where race_date >= $1
    ), unreported as materialized (
      select c.venue_id, c.race_date, count(distinct c.id) as race_cards,
        array_agg(distinct t.race_number order by t.race_number) as race_numbers
      from coming c
      join creators k on k.user_id = c.creator_id and k.suspended_at is null
      join tips t on t.race_card_id = c.id and t.hidden_at is null
        and t.result is distinct from 'void'
      left join lateral (
        select o.off_at from race_off_times o where o.venue_id = c.venue_id and o.race_date = c.race_date
          and o.race_number = t.race_number limit 1
      ) r on true
      where r.off_at is null
      group by c.venue_id, c.race_date
    )
    select v.id as "venueId", v.name as "venueName", u.race_date as "raceDate",
      u.race_cards as "raceCards", u.race_numbers as "raceNumbers",
      r.off_at is not null as "isReported"
    from unreported u
    join venues v on v.id = u.venue_id
    left join lateral (
      select o.off_at from race_off_times o where o.venue_id = u.venue_id and o.race_date = u.race_date
      limit 1
    ) r on true
    order by u.race_date, v.name, v.id`,
    [dateAt(at)],
  );
}
