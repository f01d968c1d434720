import type { CalendarDate } from "#domain/calendar.ts";
import { queryPrepared } from "#platform/database.server.ts";
import { type PublicResult, readPublicResults } from "./read-public-results.server.ts";

/** A meeting of a day with its official results so far. */
export type MeetingResults = {
  venue: { slug: string; name: string };
  /** The number of reported races. */
  races: number;
  results: PublicResult[];
};

/** Returns the reported meetings of a day by name of the venue. */
export async function readResultsOfDay(raceDate: CalendarDate): Promise<MeetingResults[]> {
  const meetings = await queryPrepared<{ id: string; slug: string; name: string; races: number }>(
    "meetings-of-day",
    `select v.id, v.slug, v.name,
       (select count(*)::int from races r where r.race_day_id = d.id) as races
     from race_days d join venues v on v.id = d.venue_id
     where d.race_date = $1 and v.deleted_at is null order by v.name`,
    [raceDate],
  );
  return await Promise.all(
    meetings.map(async ({ id, slug, name, races }) => ({
      venue: { slug, name },
      races,
      results: await readPublicResults({ venueId: id, raceDate }),
    })),
  );
}

/** Returns the nearest days with a meeting before and after a day. The later one is at most `today`. */
export async function findNeighbouringDays(
  raceDate: CalendarDate,
  today: CalendarDate,
): Promise<{ earlier: CalendarDate | null; later: CalendarDate | null }> {
  const [row] = await queryPrepared<{ earlier: CalendarDate | null; later: CalendarDate | null }>(
    "neighbouring-days",
    `select (select max(race_date) from race_days where race_date < $1) as earlier,
       (select min(race_date) from race_days where race_date > $1 and race_date <= $2) as later`,
    [raceDate, today],
  );
  return row ?? { earlier: null, later: null };
}
