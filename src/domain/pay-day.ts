import { addDays, type CalendarDate } from "./calendar.ts";

/** Days from a sale until its earning can be paid out; most disputes arrive earlier. */
export const PAYABLE_AFTER_DAYS = 14;

/** The minimum payout; a smaller amount is carried forward. */
export const MIN_PAYOUT_CENTS = 10_000;

/**
 * Returns the minimum of a payout. A suspended creator sells nothing more and is paid any amount, in a final payout.
 */
export function findMinPayoutCents(isFinal: boolean): number {
  return isFinal ? 1 : MIN_PAYOUT_CENTS;
}

/** Hours without payouts after a change of bank details. */
export const BANK_DETAILS_WAIT_HOURS = 72;

/** The day of the month on which payouts are created automatically. */
const PAY_DAY = 15;

/** Returns the most recent pay day, which can be today. */
export function findLastPayDay(today: CalendarDate): CalendarDate {
  const thisMonth = toPayDay(today);
  return thisMonth <= today ? thisMonth : toPayDay(addDays(toFirstOfMonth(today), -1));
}

/** Returns the next pay day, which can be today. */
export function findNextPayDay(today: CalendarDate): CalendarDate {
  const thisMonth = toPayDay(today);
  return thisMonth >= today ? thisMonth : toPayDay(addDays(toFirstOfMonth(today), 31));
}

function toPayDay(date: CalendarDate): CalendarDate {
  return `${date.slice(0, 8)}${PAY_DAY}`;
}

function toFirstOfMonth(date: CalendarDate): CalendarDate {
  return `${date.slice(0, 8)}01`;
}
