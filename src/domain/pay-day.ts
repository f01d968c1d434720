import { addDays, type CalendarDate } from "./calendar.ts";

/** An earning can be paid out so many days after its sale, when disputes have mostly come in. */
export const PAYABLE_AFTER_DAYS = 14;

/** The least that is paid out; what is below it is carried forward. */
export const MIN_PAYOUT_CENTS = 10_000;

/** After a change of bank details nothing is paid out for so long. */
export const BANK_DETAILS_WAIT_HOURS = 72;

/** The day of the month on which payouts are made by themselves. */
const PAY_DAY = 15;

/** The last pay day up to and with this day. */
export function lastPayDay(today: CalendarDate): CalendarDate {
  const thisMonth = payDayOf(today);
  return thisMonth <= today ? thisMonth : payDayOf(addDays(firstOf(today), -1));
}

/** The next pay day from this day on; on the 15th it is that very day. */
export function nextPayDay(today: CalendarDate): CalendarDate {
  const thisMonth = payDayOf(today);
  return thisMonth >= today ? thisMonth : payDayOf(addDays(firstOf(today), 31));
}

function payDayOf(date: CalendarDate): CalendarDate {
  return `${date.slice(0, 8)}${PAY_DAY}`;
}

function firstOf(date: CalendarDate): CalendarDate {
  return `${date.slice(0, 8)}01`;
}
