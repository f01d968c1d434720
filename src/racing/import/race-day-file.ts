import type { CalendarDate } from "#domain/calendar.ts";
import type { Going, Surface } from "#domain/race-day.ts";
import type { ResultRunner, ResultStatus, RunnerOutcome } from "#domain/race-result.ts";

// The contents of a race day file. Null means that the file has no value, so the stored one is kept.

export type FileRunner = {
  number: number;
  horseName: string | null;
  jockey: string | null;
  trainer: string | null;
  draw: number | null;
  isScratched: boolean | null;
};

/** A runner of a result. */
export type FileResultRunner = Omit<ResultRunner, "outcome"> & { outcome: RunnerOutcome | null };

export type FileResult = {
  status: ResultStatus;
  placesPaid: number | null;
  sourceUrl: string | null;
  /** The runners for which the file has any result value. */
  runners: FileResultRunner[];
};

export type FileRace = {
  raceNumber: number;
  /** `HH:MM`, South African time. */
  time: string | null;
  name: string | null;
  distanceMetres: number | null;
  surface: Surface | null;
  runners: FileRunner[];
  /** Null if the file has no result of the race. */
  result: FileResult | null;
};

/** The declarations and results of one meeting. */
export type RaceDayFile = {
  raceDate: CalendarDate;
  /** The name, slug or id of the venue. */
  venue: string;
  going: Going | null;
  source: string | null;
  races: FileRace[];
};
