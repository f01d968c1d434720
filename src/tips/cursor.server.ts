import { type CalendarDate, isCalendarDate } from "#domain/calendar.ts";
import { isId } from "#domain/id.ts";
import {
  formatCursor,
  parseCursor,
  parseIdPart,
  parseIntegerPart,
} from "#platform/keyset-paging.server.ts";

/** Parses a cursor of an instant and an id. Returns null if it is missing or malformed. */
export function parseInstantCursor(text?: string | null): { at: Date; id: string } | null {
  const parts = parseCursor(text, parseIntegerPart(15), parseIdPart);
  return parts && { at: new Date(parts[0]), id: parts[1] };
}

type TipKey = { raceDate: CalendarDate; raceCardId: string; raceNumber: number };

/** Formats the sort key of a tip as a cursor. */
export function formatTipCursor({ raceDate, raceCardId, raceNumber }: TipKey): string {
  return formatCursor(raceDate, raceCardId, raceNumber);
}

/** Parses a cursor of race date, race card and race number; null if it is missing or malformed. */
export function parseTipCursor(text?: string | null): TipKey | null {
  const parts = parseCursor(text, parseDatePart, parseIdPart, parseIntegerPart(2));
  return parts && { raceDate: parts[0], raceCardId: parts[1], raceNumber: parts[2] };
}

/** Returns the parameters of a condition on a tip cursor; none without a cursor, which needs no condition. */
export function toTipCursorValues(key: TipKey | null): unknown[] {
  return key ? [key.raceDate, key.raceCardId, key.raceNumber] : [];
}

function parseDatePart(part: string): CalendarDate | null {
  return isCalendarDate(part) ? part : null;
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
