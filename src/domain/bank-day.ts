import { addDays, type CalendarDate } from "./calendar.ts";

/** Public holidays on a fixed date: month and day. Public Holidays Act 36 of 1994, schedule 1. */
const FIXED_HOLIDAYS = [
  "01-01",
  "03-21",
  "04-27",
  "05-01",
  "06-16",
  "08-09",
  "09-24",
  "12-16",
  "12-25",
  "12-26",
];

/**
 * Whether South African banks make transfers from a payment file on a date: not on Saturdays, Sundays and public
 * holidays. A holiday on a Sunday moves to the Monday after it (section 2 (1) of the act). Holidays that the President
 * declares for one year are not known here.
 */
export function isBankDay(date: CalendarDate): boolean {
  const weekday = readWeekday(date);
  if (weekday === 0 || weekday === 6) return false;
  return !isHoliday(date) && !(weekday === 1 && isFixedHoliday(addDays(date, -1)));
}

/** Returns the first day from a date on, the date included, on which banks make transfers. */
export function findBankDay(from: CalendarDate): CalendarDate {
  return isBankDay(from) ? from : findBankDay(addDays(from, 1));
}

function isHoliday(date: CalendarDate): boolean {
  const easterSunday = findEasterSunday(Number(date.slice(0, 4)));
  const goodFriday = addDays(easterSunday, -2);
  const familyDay = addDays(easterSunday, 1);
  return isFixedHoliday(date) || date === goodFriday || date === familyDay;
}

function isFixedHoliday(date: CalendarDate): boolean {
  return FIXED_HOLIDAYS.includes(date.slice(5));
}

function readWeekday(date: CalendarDate): number {
  return new Date(`${date}T00:00:00Z`).getUTCDay();
}

/** Returns Easter Sunday by the anonymous Gregorian algorithm (Meeus, Astronomical Algorithms, chapter 8). */
function findEasterSunday(year: number): CalendarDate {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const d = Math.floor(b / 4);
  const e = b % 4;
  const f = Math.floor((b + 8) / 25);
  const g = Math.floor((b - f + 1) / 3);
  const h = (19 * a + b - d - g + 15) % 30;
  const i = Math.floor(c / 4);
  const k = c % 4;
  const l = (32 + 2 * e + 2 * i - h - k) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const month = Math.floor((h + l - 7 * m + 114) / 31);
  const day = ((h + l - 7 * m + 114) % 31) + 1;
  return `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
}
