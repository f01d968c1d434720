import { addDays, type CalendarDate, dateAt, formatDate, instantAt, timeAt } from "./calendar.ts";
import { computeRecordDeadline } from "./proof/verify-log.js";
import { UNKNOWN_OFF_TIME } from "./race-day.ts";
import { MAX_RACES } from "./tip.ts";

/** How many days ahead tips can be published. */
export const MAX_DAYS_AHEAD = 14;

/** The default number of minutes before its reported off at which a race closes for tips. */
export const DEFAULT_CUT_OFF_MINUTES = 120;
export const MAX_CUT_OFF_MINUTES = 720;

/**
 * While a race has no reported off time, its tips count in the track record only if they were
 * published before this time of the race day.
 */
export const RECORD_DEADLINE_TIME = "11:00";

/**
 * Returns true if a tip that is published at `at`, while this off is known, is too late to count in the track record.
 * Off times entered by tipsters are ignored. `record_deadline` in SQL applies the same rule when an off becomes known
 * or changes later.
 */
export function isLateTip(raceDate: CalendarDate, knownOffAt: Date | null, at: Date): boolean {
  return at >= computeRecordDeadline(raceDate, knownOffAt, true);
}

const MINUTE_MS = 60 * 1000;
const WARNING_PERIOD_MS = 60 * MINUTE_MS;

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

/**
 * The reason why a batch cannot be published, with the numbers of the affected races. `closings` has the
 * same order as `raceNumbers`.
 */
export type BatchProblem =
  | { refusal: "no-races" | "too-many-races" | "past-day" | "too-far-ahead" }
  | { refusal: "race-out-of-range" | "duplicate-race" | "off-passed"; raceNumbers: number[] }
  | { refusal: "race-closed"; raceNumbers: number[]; closings: RaceClosing[] };

/** The time at which a race closed for tips, and its reported off. */
export type RaceClosing = { closedAt: Date; offAt: Date };

/**
 * Returns the first reason why a batch of tips for a race day cannot be published, or null. A race closes
 * `cutOffMinutes` before its reported off. Without a reported off it closes at the entered one, but at
 * the latest at 18:00.
 */
export function findBatchProblem(
  batch: {
    raceDate: CalendarDate;
    races: readonly { raceNumber: number; reportedOffAt: Date | null; enteredOffAt: Date | null }[];
  },
  { at, cutOffMinutes }: { at: Date; cutOffMinutes: number },
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
  if (offPassed.length > 0) return { refusal: "off-passed", raceNumbers: offPassed };
  const closed = races.flatMap(({ raceNumber, reportedOffAt: offAt }) => {
    const closedAt = offAt && computeClosingTime(offAt, cutOffMinutes);
    return offAt && closedAt && closedAt <= at
      ? [{ raceNumber, closing: { closedAt, offAt } }]
      : [];
  });
  if (closed.length === 0) return null;
  return {
    refusal: "race-closed",
    raceNumbers: closed.map(({ raceNumber }) => raceNumber),
    closings: closed.map(({ closing }) => closing),
  };
}

/** Returns when a race with this reported off closes for tips: the first instant that is refused. */
export function computeClosingTime(offAt: Date, cutOffMinutes: number): Date {
  return new Date(offAt.getTime() - cutOffMinutes * MINUTE_MS);
}

/** Describes a cut-off for use in a sentence: '2 hours before its off', 'at its off'. */
export function describeCutOff(cutOffMinutes: number): string {
  if (cutOffMinutes === 0) return "at its off";
  const isHours = cutOffMinutes % 60 === 0;
  const count = isHours ? cutOffMinutes / 60 : cutOffMinutes;
  return `${count} ${isHours ? "hour" : "minute"}${count === 1 ? "" : "s"} before its off`;
}

/**
 * Returns the message for a race that has closed: 'Race 3 closed for tips at 11:25, 2 hours before its
 * off at 13:25.' The closing time names its day if that is not the day of the race.
 */
export function describeClosedRace(raceNumber: number, { closedAt, offAt }: RaceClosing): string {
  const cutOffMinutes = (offAt.getTime() - closedAt.getTime()) / MINUTE_MS;
  const day = dateAt(closedAt);
  const time = timeAt(closedAt) + (day === dateAt(offAt) ? "" : ` on ${formatDate(day)}`);
  return `Race ${raceNumber} closed for tips at ${time}, ${describeCutOff(cutOffMinutes)} at ${timeAt(offAt)}.`;
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
