import { addDays, type CalendarDate, dateAt, instantAt } from "./calendar.ts";
import { UNKNOWN_OFF_TIME } from "./race-day.ts";
import { MAX_RACES } from "./tip.ts";

/** How many days ahead tips can be published. */
export const MAX_DAYS_AHEAD = 14;

/**
 * A tip without a reported off time counts in the track record only when published before this
 * time.
 */
export const RECORD_DEADLINE_TIME = "11:00";

/**
 * Returns true when a tip is too late to count: published at or after the reported off of its race,
 * or at or after 11:00 while no off is reported. An off time entered by the tipster has no effect.
 * The database applies the same rule (`is_late_tip`) when an off is reported later.
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
 * Returns the warning for a tip published now: `late` when it would no longer count in the track
 * record because its off is unknown, `soon` in the hour before that, otherwise null.
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
 * Returns the first problem of a batch of races for a day, or null. The reported off time takes
 * precedence over the entered one. A race with neither, or with an entered time after 18:00, is
 * assumed to go off at 18:00.
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
  const off = races
    .filter((race) => assumedOff(raceDate, race) <= at)
    .map((race) => race.raceNumber);
  return off.length > 0 ? { refusal: "off-passed", raceNumbers: off } : null;
}

/**
 * Returns the assumed off of a race. An entered time can make it earlier than 18:00 but not later.
 */
export function assumedOff(
  raceDate: CalendarDate,
  { reportedOffAt, enteredOffAt }: { reportedOffAt: Date | null; enteredOffAt: Date | null },
): Date {
  const latest = instantAt(raceDate, UNKNOWN_OFF_TIME);
  return reportedOffAt ?? (enteredOffAt !== null && enteredOffAt < latest ? enteredOffAt : latest);
}
