import { and, eq } from "drizzle-orm";
import type { CalendarDate } from "#domain/calendar.ts";
import type { Going, Weather } from "#domain/race-day.ts";
import { queryPrepared, type Tx } from "#platform/database.server.ts";
import { toPage } from "#platform/keyset-paging.server.ts";
import { raceDays, races, venues } from "./tables.server.ts";

/** The report of a venue's race day, with its source and time. Null means that a value was not reported. */
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
  /** The number of reports so far. */
  version: number;
  offTimes: { raceNumber: number; offAt: Date }[];
};

/** A race day as returned by the query, its off times in two parallel arrays. */
export type RaceDayRow = Omit<RaceDay, "offTimes"> & { raceNumbers: number[]; offAts: Date[] };

export const RACE_DAY_COLUMNS = `
  d.venue_id as "venueId", d.race_date as "raceDate", d.going, d.weather,
  d.weather_description as "weatherDescription", d.temperature_celsius as "temperatureCelsius",
  d.humidity_percent as "humidityPercent", d.wind_kmh as "windKmh", d.source,
  d.reported_at as "reportedAt", d.version,
  array(select r.race_number from races r where r.race_day_id = d.id order by r.race_number)
    as "raceNumbers",
  array(select r.off_at from races r where r.race_day_id = d.id order by r.race_number)
    as "offAts"`;

export function toRaceDay({ raceNumbers, offAts, ...day }: RaceDayRow): RaceDay {
  return {
    ...day,
    offTimes: raceNumbers.map((raceNumber, index) => ({
      raceNumber,
      offAt: offAts[index] as Date,
    })),
  };
}

/** Returns the reported race days of a date, by venue. */
export async function readRaceDays(raceDate: CalendarDate): Promise<RaceDay[]> {
  const rows = await queryPrepared<RaceDayRow>(
    "race-days",
    `select ${RACE_DAY_COLUMNS} from race_days d where d.race_date = $1 order by d.venue_id`,
    [raceDate],
  );
  return rows.map(toRaceDay);
}

/** Returns the reported race day of a venue and date, or null. */
export async function readRaceDay(
  venueId: string,
  raceDate: CalendarDate,
): Promise<RaceDay | null> {
  const [row] = await queryPrepared<RaceDayRow>(
    "race-day",
    `select ${RACE_DAY_COLUMNS} from race_days d where d.venue_id = $1 and d.race_date = $2`,
    [venueId, raceDate],
  );
  return row ? toRaceDay(row) : null;
}

/** Lists the reported race days of a venue, latest first, before an optional date. */
export async function listRaceDays(
  venueId: string,
  { before, limit = 20 }: { before?: CalendarDate | null; limit?: number } = {},
): Promise<{ raceDays: RaceDay[]; next: CalendarDate | null }> {
  const rows = await queryPrepared<RaceDayRow>(
    "list-race-days",
    `select ${RACE_DAY_COLUMNS} from race_days d
    where d.venue_id = $1 and d.race_date < coalesce($2::date, 'infinity')
    order by d.race_date desc limit $3`,
    [venueId, before ?? null, limit + 1],
  );
  const { page, next } = toPage(rows, limit, ({ raceDate }) => raceDate);
  return { raceDays: page.map(toRaceDay), next };
}

/** Returns the reported race days of a venue, soonest first, starting at a date. */
export async function readUpcomingRaceDays(
  venueId: string,
  firstDate: CalendarDate,
  limit = 14,
): Promise<RaceDay[]> {
  const rows = await queryPrepared<RaceDayRow>(
    "upcoming-race-days",
    `select ${RACE_DAY_COLUMNS} from race_days d
    where d.venue_id = $1 and d.race_date >= $2 order by d.race_date limit $3`,
    [venueId, firstDate, limit],
  );
  return rows.map(toRaceDay);
}

/**
 * Returns the reported off times of a venue and date by race number. Locks them until the
 * transaction ends, so that concurrent reports wait and then see its writes.
 */
export async function readOffTimes(
  venueId: string,
  raceDate: CalendarDate,
  tx: Tx,
): Promise<Map<number, Date>> {
  await tx.select({ id: venues.id }).from(venues).where(eq(venues.id, venueId)).for("share");
  const rows = await tx
    .select({ raceNumber: races.raceNumber, offAt: races.offAt })
    .from(races)
    .innerJoin(raceDays, eq(raceDays.id, races.raceDayId))
    .where(and(eq(raceDays.venueId, venueId), eq(raceDays.raceDate, raceDate)));
  return new Map(rows.map((row) => [row.raceNumber, row.offAt]));
}
