import { sql } from "drizzle-orm";
import { addDays, type CalendarDate, dateAt, instantAt } from "#domain/calendar.ts";
import { now } from "#platform/clock.server.ts";
import { pool, queryPrepared, transaction } from "#platform/database.server.ts";
import { createQueryParts } from "#platform/query-parts.server.ts";
import type { Job } from "#platform/queue.server.ts";
import { addPurchaseFilters, type PurchaseFilters } from "./purchases.server.ts";
import { purchaseDaysPosition } from "./tables.server.ts";

type PurchaseTotals = { purchases: number; coins: number; amountCents: number };

type CoinPackTotals = PurchaseTotals & { coinPackTitle: string };

/** Totals of all purchases, refunds and disputes. */
export type PurchaseSummary = {
  purchases: number;
  coins: number;
  revenueCents: number;
  /** Null before the first purchase. */
  averageCents: number | null;
  /** The coin pack with the most purchases. */
  topCoinPack: string | null;
  /** Most purchases first. */
  coinPacks: CoinPackTotals[];
  refundedCents: number;
  /** Amount lost in disputes, plus the amount of purchases with an open dispute minus refunds. */
  disputedCents: number;
};

/** The rolled-up days, plus the purchases that are not rolled up yet. */
const DAYS_SQL = `
  select d.day, d.coin_pack_title, d.purchases, d.coins, d.amount_cents from purchase_days d
  union all
  select (p.created_at at time zone 'Africa/Johannesburg')::date, p.coin_pack_title, 1, p.coins,
    p.amount_cents
  from coin_purchases p, purchase_days_position position where p.created_xid >= position.before_xid`;

/** Returns exact totals of all purchases; the cost does not grow with their number. */
export async function readPurchaseSummary(): Promise<PurchaseSummary> {
  const [coinPacks, [refundTotals]] = await Promise.all([
    queryPrepared<CoinPackTotals>(
      "purchases-by-coin-pack",
      `select coin_pack_title as "coinPackTitle", sum(purchases)::bigint as purchases,
         sum(coins)::bigint as coins, sum(amount_cents)::bigint as "amountCents"
       from (${DAYS_SQL}) days group by 1 order by 2 desc, 1`,
      [],
    ),
    queryPrepared<{ refunded: number; disputed: number }>(
      "refunded-purchases",
      `select coalesce(sum(refunded_cents), 0)::bigint as refunded,
         coalesce(sum(case dispute_status when 'open' then amount_cents - refunded_cents
           else lost_cents end), 0)::bigint as disputed
       from coin_purchases where refunded_cents > 0 or dispute_status is not null`,
      [],
    ),
  ]);
  const purchases = sumColumn(coinPacks, "purchases");
  const revenueCents = sumColumn(coinPacks, "amountCents");
  return {
    purchases,
    coins: sumColumn(coinPacks, "coins"),
    revenueCents,
    averageCents: purchases > 0 ? Math.round(revenueCents / purchases) : null,
    topCoinPack: coinPacks[0]?.coinPackTitle ?? null,
    coinPacks,
    refundedCents: refundTotals?.refunded ?? 0,
    disputedCents: refundTotals?.disputed ?? 0,
  };
}

function sumColumn(coinPacks: CoinPackTotals[], column: keyof PurchaseTotals): number {
  return coinPacks.reduce((total, coinPack) => total + coinPack[column], 0);
}

type PurchasesOfDay = PurchaseTotals & { day: CalendarDate };

/**
 * Returns the totals of the filtered purchases. Dates and a coin pack alone are read from the rolled-up days; other
 * filters are counted from the purchases.
 */
export async function readPurchaseTotals(filters: PurchaseFilters): Promise<PurchaseTotals> {
  const { from, to, coinPackTitle, returned, buyerIds, sessionPrefix } = filters;
  if (returned || buyerIds || sessionPrefix) return await countPurchases(filters);
  const [totals] = await queryPrepared<PurchaseTotals>(
    "purchase-totals",
    `select coalesce(sum(purchases), 0)::bigint as purchases, coalesce(sum(coins), 0)::bigint as coins,
       coalesce(sum(amount_cents), 0)::bigint as "amountCents"
     from (${DAYS_SQL}) days
     where day >= coalesce($1::date, '-infinity') and day <= coalesce($2::date, 'infinity')
       and ($3::text is null or coin_pack_title = $3)`,
    [from ?? null, to ?? null, coinPackTitle ?? null],
  );
  if (!totals) throw new Error("a sum returned no row");
  return totals;
}

async function countPurchases(filters: PurchaseFilters): Promise<PurchaseTotals> {
  const query = createQueryParts();
  addPurchaseFilters(query, filters);
  const { rows } = await pool().query<PurchaseTotals>(
    `select count(*) as purchases, coalesce(sum(p.coins), 0)::bigint as coins,
       coalesce(sum(p.amount_cents), 0)::bigint as "amountCents"
     from coin_purchases p ${query.where()}`,
    query.values,
  );
  const [totals] = rows;
  if (!totals) throw new Error("a sum returned no row");
  return totals;
}

/** Returns the last days up to today for charts, oldest first, including days without purchases. */
export async function readPurchasesByDay({
  days = 30,
}: {
  days?: number;
} = {}): Promise<PurchasesOfDay[]> {
  const first = addDays(dateAt(now()), 1 - days);
  const rows = await queryPrepared<PurchasesOfDay>(
    "purchases-by-day",
    `select day, sum(purchases)::bigint as purchases, sum(coins)::bigint as coins,
       sum(amount_cents)::bigint as "amountCents"
     from (${DAYS_SQL}) days where day >= $1::date group by day`,
    [first],
  );
  const rowsByDay = new Map(rows.map((row) => [row.day, row]));
  return Array.from({ length: days }, (_, index) => {
    const day = addDays(first, index);
    return rowsByDay.get(day) ?? { day, purchases: 0, coins: 0, amountCents: 0 };
  });
}

/** The days that the usual takings of a day are the average of: the same weekday of the last four weeks. */
const USUAL_WEEKS = 4;

/** The purchases of a day up to an instant. */
type Takings = Omit<PurchaseTotals, "coins">;

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

/**
 * Adds the purchases since the last run to the daily totals, each exactly once. Only this job writes the
 * daily totals, so buyers never wait for it. Transactions commit out of order, so it stops before the
 * oldest transaction that is still running.
 */
export async function rollUpPurchases(): Promise<void> {
  await transaction(async (tx) => {
    const [position] = await tx.select().from(purchaseDaysPosition).for("update");
    if (!position) throw new Error("the roll-up position of purchases is missing");
    await tx.execute(sql`
      with bound as (select pg_snapshot_xmin(pg_current_snapshot()) as before_xid),
      added as (
        insert into purchase_days as d (day, coin_pack_title, purchases, coins, amount_cents)
        select (p.created_at at time zone 'Africa/Johannesburg')::date, p.coin_pack_title, count(*),
          sum(p.coins), sum(p.amount_cents)
        from coin_purchases p, bound
        where p.created_xid >= ${position.beforeXid}::xid8 and p.created_xid < before_xid
        group by 1, 2
        on conflict (day, coin_pack_title) do update set
          purchases = d.purchases + excluded.purchases,
          coins = d.coins + excluded.coins,
          amount_cents = d.amount_cents + excluded.amount_cents
      )
      update purchase_days_position set before_xid = (select before_xid from bound)`);
  });
}

/** Updates the daily totals; reads add the purchases since the last run. */
export const rollUpPurchasesJob: Job = {
  name: "roll-up-purchases",
  everySeconds: 30,
  run: rollUpPurchases,
};
