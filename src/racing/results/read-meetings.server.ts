import type { CalendarDate } from "#domain/calendar.ts";
import { queryPrepared } from "#platform/database.server.ts";
import type { RaceReference } from "./read-results.server.ts";

/** `due`: past its off without a result. `unconfirmed`: its result waits for another admin. */
type RaceState = "to-come" | "due" | "unconfirmed" | "official";

type MeetingRace = RaceReference & { offAt: Date; state: RaceState };

/** A reported meeting with its races by number. */
type Meeting = {
  venueId: string;
  venueName: string;
  raceDate: CalendarDate;
  races: MeetingRace[];
};

/** Returns the reported meetings of a day, by venue, with the state of each race at an instant. */
export async function readMeetings(date: CalendarDate, at: Date): Promise<Meeting[]> {
  const rows = await queryPrepared<MeetingRace & { venueName: string }>(
    "meetings-with-states",
    `select d.venue_id as "venueId", v.name as "venueName", d.race_date as "raceDate",
       r.race_number as "raceNumber", r.off_at as "offAt",
       case when n.is_confirmed then 'official' when n.is_confirmed is not null then 'unconfirmed'
         when r.off_at <= $2 then 'due' else 'to-come' end as state
     from race_days d
     join venues v on v.id = d.venue_id
     join races r on r.race_day_id = d.id
     left join lateral (
       select x.confirmed_at is not null as is_confirmed from race_results x
       where x.race_day_id = d.id and x.race_number = r.race_number
       order by x.version desc limit 1
     ) n on true
     where d.race_date = $1
     order by v.name, v.id, r.race_number`,
    [date, at],
  );
  const meetings = new Map<string, Meeting>();
  for (const { venueName, ...race } of rows) {
    const { venueId, raceDate } = race;
    const meeting = meetings.get(venueId) ?? { venueId, venueName, raceDate, races: [] };
    meeting.races.push(race);
    meetings.set(venueId, meeting);
  }
  return [...meetings.values()];
}
