/** In how many days a consumer can cancel: section 44 of the Electronic Communications and Transactions Act 25 of 2002. */
export const CANCELLATION_DAYS = 7;
