import type { CalendarDate } from "#domain/calendar.ts";
import type { RaceDayFile } from "./import/race-day-file.ts";

/** A source of declarations, such as the feed of a data provider. */
export type RaceSource = {
  /** Shown next to the reported values. */
  name: string;
  /** Returns the meetings of a date; none if it knows of none. */
  fetchDay(raceDate: CalendarDate): Promise<RaceDayFile[]>;
};
