import { type CalendarDate, isCalendarDate } from "#domain/calendar.ts";
import { isId } from "#domain/id.ts";

/**
 * Where a page of a list ended, as text for an address: its parts in the order of the list's key.
 * What somebody has tampered with reads as none, and the list begins anew.
 */
export function writeCursor(...parts: (string | number)[]): string {
  return parts.join("_");
}

/** The instant and id that a cursor of two parts names, or null. */
export function readInstantCursor(text?: string | null): { at: Date; id: string } | null {
  const [ms = "", id = "", ...rest] = (text ?? "").split("_");
  if (!/^\d{1,15}$/.test(ms) || !isId(id) || rest.length > 0) return null;
  return { at: new Date(Number(ms)), id };
}

/** The race date, card and race that a cursor of three parts names, or null. */
export function readTipCursor(
  text?: string | null,
): { raceDate: string; raceCardId: string; raceNumber: number } | null {
  const [raceDate = "", raceCardId = "", raceNumber = "", ...rest] = (text ?? "").split("_");
  if (!isCalendarDate(raceDate)) return null;
  if (!isId(raceCardId) || !/^\d{1,2}$/.test(raceNumber) || rest.length > 0) return null;
  return { raceDate, raceCardId, raceNumber: Number(raceNumber) };
}

const NO_OWNER = "00000000-0000-0000-0000-000000000000";

/** An id to filter by: none stays none, and what is no id finds nothing. */
export function idFilter(id?: string | null): string | null {
  return id ? (isId(id) ? id : NO_OWNER) : null;
}

/** A day to filter by: none stays none, and what is no day finds nothing. */
export function dateFilter(date?: CalendarDate | null): CalendarDate | null {
  return date ? (isCalendarDate(date) ? date : "0001-01-01") : null;
}
