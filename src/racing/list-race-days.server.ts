import type { CalendarDate } from "#domain/calendar.ts";
import { prepared } from "#platform/database.server.ts";
import {
  RACE_DAY_COLUMNS,
  type RaceDay,
  type RaceDayRow,
  raceDayOf,
} from "./read-race-days.server.ts";

/** Every race day of a venue that anything was reported of, latest first, from the one before a day on. */
export async function listRaceDays(
  venueId: string,
  { before, limit = 20 }: { before?: CalendarDate | null; limit?: number } = {},
): Promise<{ raceDays: RaceDay[]; next: CalendarDate | null }> {
  const rows = await prepared<RaceDayRow>(
    "list-race-days",
    `select ${RACE_DAY_COLUMNS} from race_days d
    where d.venue_id = $1 and ($2::date is null or d.race_date < $2)
    order by d.race_date desc limit $3`,
    [venueId, before ?? null, limit + 1],
  );
  const raceDays = rows.slice(0, limit).map(raceDayOf);
  return { raceDays, next: rows.length > limit ? (raceDays.at(-1)?.raceDate ?? null) : null };
}
