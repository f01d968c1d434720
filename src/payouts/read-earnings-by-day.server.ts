import { addDays, type CalendarDate, dateAt } from "#domain/calendar.ts";
import { now } from "#platform/clock.server.ts";
import { prepared } from "#platform/database.server.ts";
import { CREATOR_DAYS, readPosition } from "./creator-days.server.ts";

/** What a creator's sales of one day have come to, reversals taken off. */
export type EarningsOfDay = { day: CalendarDate; sales: number; earnedCents: number };

/** The last days up to today, oldest first, each of them there, for a chart. */
export async function readEarningsByDay(
  creatorId: string,
  { days = 30 }: { days?: number } = {},
): Promise<EarningsOfDay[]> {
  const today = dateAt(now());
  const first = addDays(today, 1 - days);
  const rows = await prepared<{ day: CalendarDate; sales: number; earned: number }>(
    "earnings-by-day",
    `select day, sum(sales - reversed_sales)::integer as sales,
       sum(earned_cents - reversed_cents)::bigint as earned
     from (${CREATOR_DAYS}) days group by day`,
    [creatorId, await readPosition(), first],
  );
  const known = new Map(rows.map((row) => [row.day, row]));
  return Array.from({ length: days }, (_, index) => {
    const day = addDays(first, index);
    const { sales = 0, earned = 0 } = known.get(day) ?? {};
    return { day, sales, earnedCents: earned };
  });
}
