import { addDays, type CalendarDate, dateAt, instantAt } from "./calendar.ts";
import { UNKNOWN_OFF_TIME } from "./race-day.ts";
import { MAX_RACES } from "./tip.ts";

/** Tips are published for today and so many days ahead. */
export const MAX_DAYS_AHEAD = 14;

/** A tip without a reported off time counts in the record only when published before this. */
export const RECORD_DEADLINE_TIME = "11:00";

/**
 * Whether a tip comes too late to count: not before the reported off of its race, or not before 11:00
 * while no off is reported. A time that its author gives changes nothing. The database has the same rule
 * (`is_late_tip`) for an off that is reported later.
 */
export function isLateTip(
  raceDate: CalendarDate,
  reportedOffAt: Date | null,
  publishedAt: Date,
): boolean {
  return publishedAt >= (reportedOffAt ?? instantAt(raceDate, RECORD_DEADLINE_TIME));
}

const WARN_BEFORE_MS = 60 * 60 * 1000;

/**
 * What to say to someone who writes a tip now: `late` where it would not count in the record any more
 * because its off is unknown, `soon` in the hour before that, else null.
 */
export function recordWarning(
  raceDate: CalendarDate,
  offAt: Date | null,
  at: Date,
): "late" | "soon" | null {
  if (isLateTip(raceDate, offAt, at)) return "late";
  const isSoon = isLateTip(raceDate, offAt, new Date(at.getTime() + WARN_BEFORE_MS));
  return isSoon ? "soon" : null;
}

/** Why a batch is not published as it stands; the races it is about by their numbers. */
export type BatchProblem =
  | { refusal: "no-races" | "too-many-races" | "past-day" | "too-far-ahead" }
  | { refusal: "race-out-of-range" | "duplicate-race" | "off-passed"; raceNumbers: number[] };

/**
 * The first thing wrong with a batch of races for a day, or null. Off times are those of the race
 * day, else as given; a race without one, or with a later one given, is taken to be run at 18:00.
 */
export function batchProblem(
  batch: {
    raceDate: CalendarDate;
    races: readonly { raceNumber: number; reportedOffAt: Date | null; givenOffAt: Date | null }[];
  },
  at: Date,
): BatchProblem | null {
  const { raceDate, races } = batch;
  const numbers = races.map((race) => race.raceNumber);
  if (races.length === 0) return { refusal: "no-races" };
  const foreign = numbers.filter((n) => !Number.isInteger(n) || n < 1 || n > MAX_RACES);
  if (foreign.length > 0) return { refusal: "race-out-of-range", raceNumbers: foreign };
  const double = numbers.filter((n, index) => numbers.indexOf(n) !== index);
  if (double.length > 0) return { refusal: "duplicate-race", raceNumbers: [...new Set(double)] };
  if (races.length > MAX_RACES) return { refusal: "too-many-races" };
  const today = dateAt(at);
  if (raceDate < today) return { refusal: "past-day" };
  if (raceDate > addDays(today, MAX_DAYS_AHEAD)) return { refusal: "too-far-ahead" };
  const run = races.filter((race) => offOf(raceDate, race) <= at).map((race) => race.raceNumber);
  return run.length > 0 ? { refusal: "off-passed", raceNumbers: run } : null;
}

/** When a race is taken to go off: a time that nobody has reported can be earlier than 18:00, not later. */
function offOf(
  raceDate: CalendarDate,
  { reportedOffAt, givenOffAt }: { reportedOffAt: Date | null; givenOffAt: Date | null },
): Date {
  const latest = instantAt(raceDate, UNKNOWN_OFF_TIME);
  return reportedOffAt ?? (givenOffAt !== null && givenOffAt < latest ? givenOffAt : latest);
}
