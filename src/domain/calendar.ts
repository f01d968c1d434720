/** South African Standard Time is UTC+2 all year, without daylight saving time. */
const OFFSET_MS = 2 * 60 * 60 * 1000;
const DAY_MS = 24 * 60 * 60 * 1000;

/** A calendar day in South Africa, `YYYY-MM-DD`. */
export type CalendarDate = string;

/** Returns the calendar day in South Africa at an instant. */
export function dateAt(instant: Date): CalendarDate {
  return new Date(instant.getTime() + OFFSET_MS).toISOString().slice(0, 10);
}

/** Returns the instant of `HH:MM` South African time on a day. */
export function instantAt(date: CalendarDate, time = "00:00"): Date {
  return new Date(`${date}T${time}:00+02:00`);
}

/** Returns the wall-clock time in South Africa, `HH:MM`. */
export function timeAt(instant: Date): string {
  return new Date(instant.getTime() + OFFSET_MS).toISOString().slice(11, 16);
}

/** Returns the calendar day `days` later; earlier when negative. */
export function addDays(date: CalendarDate, days: number): CalendarDate {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/**
 * Returns true for an existing calendar day from 1900 to 2199, written as `YYYY-MM-DD`. The database can
 * store these days and every day that is counted from them; it has no year 0.
 */
export function isCalendarDate(text: string): boolean {
  return (
    /^(19|20|21)\d{2}-\d{2}-\d{2}$/.test(text) &&
    !Number.isNaN(Date.parse(`${text}T00:00:00Z`)) &&
    new Date(`${text}T00:00:00Z`).toISOString().slice(0, 10) === text
  );
}

/** The message for a day that `isYearsAway`. */
export const YEARS_AWAY_MESSAGE = "Race date must be at most two years away. Check the year.";

/** Returns true for a day whose year is more than two years away, as after a typing error. */
export function isYearsAway(date: CalendarDate, today: CalendarDate): boolean {
  return Math.abs(Number(date.slice(0, 4)) - Number(today.slice(0, 4))) > 2;
}

const longDate = new Intl.DateTimeFormat("en-ZA", {
  weekday: "long",
  day: "numeric",
  month: "long",
  year: "numeric",
  timeZone: "UTC",
});
const shortDate = new Intl.DateTimeFormat("en-ZA", {
  weekday: "short",
  day: "numeric",
  month: "short",
  timeZone: "UTC",
});
const plainDate = new Intl.DateTimeFormat("en-ZA", {
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});

/**
 * Formats a calendar day: long 'Saturday, 21 November 2026', short 'Sat, 21 Nov',
 * plain '21 Nov 2026'.
 */
export function formatDate(
  date: CalendarDate,
  style: "long" | "short" | "plain" = "plain",
): string {
  const format = style === "long" ? longDate : style === "short" ? shortDate : plainDate;
  return format.format(new Date(`${date}T00:00:00Z`));
}

/** Formats the month of a calendar day: 'November 2026'. */
export function formatMonth(date: CalendarDate): string {
  return formatDate(date, "long").replace(/^\D*\d+\s/, "");
}

/** Formats an instant in South African time: '21 Nov 2026, 14:05'. */
export function formatInstant(instant: Date): string {
  return `${formatDate(dateAt(instant))}, ${timeAt(instant)}`;
}
