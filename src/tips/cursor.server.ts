import { type CalendarDate, isCalendarDate } from "#domain/calendar.ts";
import { isId } from "#domain/id.ts";

/**
 * Formats the sort key of the last row as a pagination cursor for a URL. A list with an invalid
 * cursor starts at the beginning.
 */
export function formatCursor(...parts: (string | number)[]): string {
  return parts.join("_");
}

/** Parses a cursor of an instant and an id. Returns null if it is missing or invalid. */
export function parseInstantCursor(text?: string | null): { at: Date; id: string } | null {
  const [ms = "", id = "", ...rest] = (text ?? "").split("_");
  if (!/^\d{1,15}$/.test(ms) || !isId(id) || rest.length > 0) return null;
  return { at: new Date(Number(ms)), id };
}

/** Parses a cursor of race date, race card and race number; null if it is missing or invalid. */
export function parseTipCursor(
  text?: string | null,
): { raceDate: string; raceCardId: string; raceNumber: number } | null {
  const [raceDate = "", raceCardId = "", raceNumber = "", ...rest] = (text ?? "").split("_");
  if (!isCalendarDate(raceDate)) return null;
  if (!isId(raceCardId) || !/^\d{1,2}$/.test(raceNumber) || rest.length > 0) return null;
  return { raceDate, raceCardId, raceNumber: Number(raceNumber) };
}

const NO_MATCH = "00000000-0000-0000-0000-000000000000";

/**
 * Returns the id to filter by: null for no filter, an id that matches nothing for an invalid one.
 */
export function toIdFilter(id?: string | null): string | null {
  return id ? (isId(id) ? id : NO_MATCH) : null;
}

/**
 * Returns the date to filter by: null for no filter, a date that matches nothing for an invalid
 * one.
 */
export function toDateFilter(date?: CalendarDate | null): CalendarDate | null {
  return date ? (isCalendarDate(date) ? date : "0001-01-01") : null;
}
