import { addDays, type CalendarDate, dateAt, instantAt } from "./calendar.ts";
import { UNKNOWN_OFF_TIME } from "./race-day.ts";
import { MAX_RACES } from "./tip.ts";

/** How many days ahead tips can be published. */
export const MAX_DAYS_AHEAD = 14;

/**
 * While a race has no reported off time, its tips count in the track record only if they were
 * published before this time of the race day.
 */
export const RECORD_DEADLINE_TIME = "11:00";

/**
 * Returns true if a tip was published too late to count in the track record: at or after the reported
 * off of its race or, if none is reported, at or after 11:00 on the race day. Off times entered by
 * tipsters are ignored. `is_late_tip` in SQL applies the same rule when an off is reported later.
 */
export function isLateTip(
  raceDate: CalendarDate,
  reportedOffAt: Date | null,
  publishedAt: Date,
): boolean {
  return publishedAt >= (reportedOffAt ?? instantAt(raceDate, RECORD_DEADLINE_TIME));
}

const WARNING_PERIOD_MS = 60 * 60 * 1000;

/**
 * Returns the warning for a tip published at `at`: `late` if it would not count in the track record,
 * `soon` if it would not count an hour later, otherwise null.
 */
export function findRecordWarning(
  raceDate: CalendarDate,
  offAt: Date | null,
  at: Date,
): "late" | "soon" | null {
  if (isLateTip(raceDate, offAt, at)) return "late";
  const isSoon = isLateTip(raceDate, offAt, new Date(at.getTime() + WARNING_PERIOD_MS));
  return isSoon ? "soon" : null;
}

/** The reason why a batch cannot be published, with the numbers of the affected races. */
export type BatchProblem =
  | { refusal: "no-races" | "too-many-races" | "past-day" | "too-far-ahead" }
  | { refusal: "race-out-of-range" | "duplicate-race" | "off-passed"; raceNumbers: number[] };

/**
 * Returns the first reason why a batch of tips for a race day cannot be published, or null. Uses the
 * reported off of each race, otherwise the entered one, but at the latest 18:00 unless a later off is
 * reported.
 */
export function findBatchProblem(
  batch: {
    raceDate: CalendarDate;
    races: readonly { raceNumber: number; reportedOffAt: Date | null; enteredOffAt: Date | null }[];
  },
  at: Date,
): BatchProblem | null {
  const { raceDate, races } = batch;
  const numbers = races.map((race) => race.raceNumber);
  if (races.length === 0) return { refusal: "no-races" };
  const outOfRange = numbers.filter((n) => !Number.isInteger(n) || n < 1 || n > MAX_RACES);
  if (outOfRange.length > 0) return { refusal: "race-out-of-range", raceNumbers: outOfRange };
  const duplicates = numbers.filter((n, index) => numbers.indexOf(n) !== index);
  if (duplicates.length > 0)
    return { refusal: "duplicate-race", raceNumbers: [...new Set(duplicates)] };
  if (races.length > MAX_RACES) return { refusal: "too-many-races" };
  const today = dateAt(at);
  if (raceDate < today) return { refusal: "past-day" };
  if (raceDate > addDays(today, MAX_DAYS_AHEAD)) return { refusal: "too-far-ahead" };
  const offPassed = races
    .filter((race) => assumedOff(raceDate, race) <= at)
    .map((race) => race.raceNumber);
  return offPassed.length > 0 ? { refusal: "off-passed", raceNumbers: offPassed } : null;
}

/**
 * Returns the reported off of a race. Without one, returns the entered off if it is before 18:00,
 * otherwise 18:00.
 */
export function assumedOff(
  raceDate: CalendarDate,
  { reportedOffAt, enteredOffAt }: { reportedOffAt: Date | null; enteredOffAt: Date | null },
): Date {
  const latest = instantAt(raceDate, UNKNOWN_OFF_TIME);
  return reportedOffAt ?? (enteredOffAt !== null && enteredOffAt < latest ? enteredOffAt : latest);
}
