import { sql } from "drizzle-orm";
import type { CalendarDate } from "#domain/calendar.ts";
import { database } from "#platform/database.server.ts";

/** Returns the race days that were reported, or have a result that was confirmed, at or after an instant. */
export async function listChangedRaceDays(
  since: Date,
): Promise<{ venueId: string; raceDate: CalendarDate }[]> {
  const { rows } = await database().execute<{ venueId: string; raceDate: CalendarDate }>(sql`
    select venue_id as "venueId", race_date as "raceDate" from race_days where reported_at >= ${since}
    union
    select d.venue_id, d.race_date from race_results r join race_days d on d.id = r.race_day_id
    where r.confirmed_at >= ${since}`);
  return rows;
}
