import type { CalendarDate } from "#domain/calendar.ts";
import type { Going, Weather } from "#domain/race-day.ts";
import { prepared } from "#platform/database.server.ts";

/** What has been reported of a venue's racing on a day, by whom and when. Null is 'not reported'. */
export type RaceDay = {
  venueId: string;
  raceDate: CalendarDate;
  going: Going | null;
  weather: Weather | null;
  weatherDescription: string | null;
  temperatureCelsius: number | null;
  humidityPercent: number | null;
  windKmh: number | null;
  source: string;
  reportedAt: Date;
  offs: { raceNumber: number; offAt: Date }[];
};

/** A race day as the database hands it over, its offs as two arrays side by side. */
export type RaceDayRow = Omit<RaceDay, "offs"> & { raceNumbers: number[]; offAts: Date[] };

export const RACE_DAY_COLUMNS = `
  d.venue_id as "venueId", d.race_date as "raceDate", d.going, d.weather,
  d.weather_description as "weatherDescription", d.temperature_celsius as "temperatureCelsius",
  d.humidity_percent as "humidityPercent", d.wind_kmh as "windKmh", d.source,
  d.reported_at as "reportedAt",
  array(select r.race_number from races r where r.race_day_id = d.id order by r.race_number)
    as "raceNumbers",
  array(select r.off_at from races r where r.race_day_id = d.id order by r.race_number)
    as "offAts"`;

export function raceDayOf({ raceNumbers, offAts, ...day }: RaceDayRow): RaceDay {
  return {
    ...day,
    offs: raceNumbers.map((raceNumber, index) => ({ raceNumber, offAt: offAts[index] as Date })),
  };
}

/** What has been reported for a day, venue by venue. */
export async function readRaceDays(raceDate: CalendarDate): Promise<RaceDay[]> {
  const rows = await prepared<RaceDayRow>(
    "race-days",
    `select ${RACE_DAY_COLUMNS} from race_days d where d.race_date = $1 order by d.venue_id`,
    [raceDate],
  );
  return rows.map(raceDayOf);
}
