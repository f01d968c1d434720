import { addDays, type CalendarDate, isCalendarDate } from "#domain/calendar.ts";
import { type OwnRaceCard, readOwnRaceCardsBetween } from "#tips/tips.server.ts";

/** Returns the first day of a month written as `YYYY-MM`; null if it is not one. */
export function parseMonth(text: string | null): CalendarDate | null {
  const firstDay = `${text}-01`;
  return isCalendarDate(firstDay) ? firstDay : null;
}

/** Returns the first day of the month of this day. */
export function findFirstDay(date: CalendarDate): CalendarDate {
  return `${date.slice(0, 7)}-01`;
}

/** Returns the first day of the month before or after a month, which is given by its first day. */
export function findOtherMonth(firstDay: CalendarDate, direction: "before" | "after") {
  return findFirstDay(addDays(firstDay, direction === "before" ? -1 : 31));
}

/** Returns a creator's race cards of a month, by race date, newest day first. */
export async function readRaceCardsOfMonth(
  creatorId: string,
  firstDay: CalendarDate,
): Promise<OwnRaceCard[]> {
  const to = addDays(findOtherMonth(firstDay, "after"), -1);
  return await readOwnRaceCardsBetween(creatorId, { from: firstDay, to });
}
