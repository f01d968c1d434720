import { dateAt, instantAt } from "#domain/calendar.ts";
import { queryPrepared } from "#platform/database.server.ts";

/** The days that the usual takings of a day are the average of: the same weekday of the last four weeks. */
const USUAL_WEEKS = 4;

/** The purchases of a day up to an instant. */
type Takings = { purchases: number; amountCents: number };

/** The purchases of today compared with the same weekday of earlier weeks. */
type DayTakings = {
  today: Takings;
  /** One week ago, up to the same time of day. */
  lastWeek: Takings;
  /** The 24 hours of the day: what was taken today, and the average of the four weeks before. */
  hours: { hour: number; amountCents: number; usualCents: number }[];
  /** Today's orders that the provider declined, and those whose payment page expired. */
  declinedOrders: number;
  expiredOrders: number;
};

/** Returns the takings of the day of an instant. Reads the purchases of five days, whatever their total number. */
export async function readDayTakings(at: Date): Promise<DayTakings> {
  const midnight = instantAt(dateAt(at));
  const [rows, [orders]] = await Promise.all([
    queryPrepared<{
      week: number;
      hour: number;
      soFar: number;
      amountCents: number;
      soFarCents: number;
    }>(
      "day-takings",
      `select w.week, extract(hour from p.created_at at time zone 'Africa/Johannesburg')::int as hour,
         sum(p.amount_cents)::bigint as "amountCents",
         count(*) filter (where p.created_at <= $2::timestamptz - w.week * interval '7 days')::int as "soFar",
         coalesce(sum(p.amount_cents) filter (
           where p.created_at <= $2::timestamptz - w.week * interval '7 days'), 0)::bigint as "soFarCents"
       from generate_series(0, $3) w(week)
       cross join lateral (
         select created_at, amount_cents from coin_purchases
         where created_at >= $1::timestamptz - w.week * interval '7 days'
           and created_at < $1::timestamptz - w.week * interval '7 days' + interval '1 day'
         offset 0
       ) p
       group by 1, 2`,
      [midnight, at, USUAL_WEEKS],
    ),
    queryPrepared<{ declined: number; expired: number }>(
      "orders-not-paid-today",
      `select count(*) filter (where status = 'failed')::int as declined,
         count(*) filter (where status = 'expired')::int as expired
       from orders where created_at >= $1`,
      [midnight],
    ),
  ]);
  const sumWeek = (week: number): Takings => {
    const ofWeek = rows.filter((row) => row.week === week);
    return {
      purchases: ofWeek.reduce((sum, row) => sum + row.soFar, 0),
      amountCents: ofWeek.reduce((sum, row) => sum + row.soFarCents, 0),
    };
  };
  const sumHour = (hour: number, isUsual: boolean) =>
    rows
      .filter((row) => row.hour === hour && row.week > 0 === isUsual)
      .reduce((sum, row) => sum + row.amountCents, 0);
  return {
    today: sumWeek(0),
    lastWeek: sumWeek(1),
    hours: Array.from({ length: 24 }, (_, hour) => ({
      hour,
      amountCents: sumHour(hour, false),
      usualCents: Math.round(sumHour(hour, true) / USUAL_WEEKS),
    })),
    declinedOrders: orders?.declined ?? 0,
    expiredOrders: orders?.expired ?? 0,
  };
}
