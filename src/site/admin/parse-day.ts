import { addDays, type CalendarDate, isCalendarDate } from "#domain/calendar.ts";

const MONTHS = [
  "january",
  "february",
  "march",
  "april",
  "may",
  "june",
  "july",
  "august",
  "september",
  "october",
  "november",
  "december",
];
const NAMED_DAYS: Record<string, number> = { yesterday: -1, today: 0, tomorrow: 1 };
const ISO_DATE = /\b\d{4}-\d{2}-\d{2}\b/;
/** A day, a month by number or name, and perhaps a year: '22/11/2026', 'Sun 22 Nov', '22 November 2026'. */
const DATE =
  /(?:\b(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6},? )?\b(\d{1,2})[ /.]([a-z]{3,9}|\d{1,2})(?:[ /.](\d{4}))?\b/i;

/**
 * Splits the day off a search such as 'Kenilworth 22 Nov'. A date without a year is the one nearest to today. Returns
 * no date, and the whole text, if there is no day in it.
 */
export function parseDay(
  text: string,
  today: CalendarDate,
): { date: CalendarDate | null; rest: string } {
  const remove = (found: string) => text.replace(found, " ").replace(/\s+/g, " ").trim();
  const named = text.split(" ").find((word) => word.toLowerCase() in NAMED_DAYS);
  if (named)
    return { date: addDays(today, NAMED_DAYS[named.toLowerCase()] ?? 0), rest: remove(named) };
  const iso = ISO_DATE.exec(text)?.[0];
  if (iso && isCalendarDate(iso)) return { date: iso, rest: remove(iso) };
  const match = DATE.exec(text);
  if (!match) return { date: null, rest: text };
  const [found, day = "", monthText = "", year] = match;
  const month = /\d/.test(monthText)
    ? Number(monthText)
    : MONTHS.findIndex((name) => name.startsWith(monthText.toLowerCase())) + 1;
  const toDate = (ofYear: number) =>
    `${ofYear}-${String(month).padStart(2, "0")}-${day.padStart(2, "0")}`;
  const thisYear = Number(today.slice(0, 4));
  const candidates = year ? [Number(year)] : [thisYear, thisYear - 1, thisYear + 1];
  const date = candidates
    .map(toDate)
    .filter(isCalendarDate)
    .sort((a, b) => distance(a, today) - distance(b, today))[0];
  return date ? { date, rest: remove(found) } : { date: null, rest: text };
}

const distance = (date: CalendarDate, today: CalendarDate) =>
  Math.abs(Date.parse(date) - Date.parse(today));
