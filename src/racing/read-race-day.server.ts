import type { CalendarDate } from "#domain/calendar.ts";
import { prepared } from "#platform/database.server.ts";
import {
  RACE_DAY_COLUMNS,
  type RaceDay,
  type RaceDayRow,
  raceDayOf,
} from "./read-race-days.server.ts";

/** What has been reported of one venue's racing on a day, or null when nothing has. */
export async function readRaceDay(
  venueId: string,
  raceDate: CalendarDate,
): Promise<RaceDay | null> {
  const [row] = await prepared<RaceDayRow>(
    "race-day",
    `select ${RACE_DAY_COLUMNS} from race_days d where d.venue_id = $1 and d.race_date = $2`,
    [venueId, raceDate],
  );
  return row ? raceDayOf(row) : null;
}
