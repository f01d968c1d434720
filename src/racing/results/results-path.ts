import type { CalendarDate } from "#domain/calendar.ts";

/** Returns the URL of the results of a day, or of the CSV file with those of one venue. */
export function buildResultsPath(raceDate: CalendarDate, venueSlug?: string): string {
  return venueSlug ? `/results/${raceDate}/${venueSlug}.csv` : `/results/${raceDate}`;
}
