/**
 * In how many days a buyer can cancel a purchase: section 44 of the Electronic Communications and Transactions Act 25
 * of 2002.
 */
export const CANCELLATION_DAYS = 7;

const DAY_MS = 24 * 60 * 60_000;

/** Returns the earliest instant of a purchase that can still be cancelled. */
export function findEarliestCancellable(now: Date): Date {
  return new Date(now.getTime() - CANCELLATION_DAYS * DAY_MS);
}
