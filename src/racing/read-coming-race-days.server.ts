import type { CalendarDate } from "#domain/calendar.ts";
import { prepared } from "#platform/database.server.ts";
import {
  RACE_DAY_COLUMNS,
  type RaceDay,
  type RaceDayRow,
  raceDayOf,
} from "./read-race-days.server.ts";

/** The race days of one venue from a day on of which anything has been reported, soonest first. */
export async function readComingRaceDays(
  venueId: string,
  from: CalendarDate,
  limit = 14,
): Promise<RaceDay[]> {
  const rows = await prepared<RaceDayRow>(
    "coming-race-days",
    `select ${RACE_DAY_COLUMNS} from race_days d
    where d.venue_id = $1 and d.race_date >= $2 order by d.race_date limit $3`,
    [venueId, from, limit],
  );
  return rows.map(raceDayOf);
}
