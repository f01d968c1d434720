import { sql } from "drizzle-orm";
import { addDays, type CalendarDate, dateAt } from "#domain/calendar.ts";
import { now } from "#platform/clock.server.ts";
import { prepared, transaction } from "#platform/database.server.ts";
import type { Job } from "#platform/queue.server.ts";
import { purchaseDaysPosition } from "./tables.server.ts";

export type PackageSales = {
  packageName: string;
  purchases: number;
  coins: number;
  amountCents: number;
};

/** What all purchases have come to, and what was given back of it since. */
export type SalesSummary = {
  purchases: number;
  coins: number;
  revenueCents: number;
  /** Null before the first purchase. */
  averageCents: number | null;
  /** The package bought most often. */
  topPackage: string | null;
  /** Most often bought first. */
  packages: PackageSales[];
  refundedCents: number;
  /** What disputes have taken, and the whole of purchases whose dispute is open, less what was refunded. */
  disputedCents: number;
};

/** Every day as the roll-up has it, with the purchases it has not seen yet. */
const DAYS = `
  select d.day, d.package_name, d.purchases, d.coins, d.amount_cents from purchase_days d
  union all
  select (p.created_at at time zone 'Africa/Johannesburg')::date, p.package_name, 1, p.coins,
    p.amount_cents
  from coin_purchases p, purchase_days_position position where p.created_xid >= position.before_xid`;

/** Sums what was bought, exact to the cent; it costs the same however much was. */
export async function readSalesSummary(): Promise<SalesSummary> {
  const [packages, [undone]] = await Promise.all([
    prepared<PackageSales>(
      "sales-by-package",
      `select package_name as "packageName", sum(purchases)::bigint as purchases,
         sum(coins)::bigint as coins, sum(amount_cents)::bigint as "amountCents"
       from (${DAYS}) days group by 1 order by 2 desc, 1`,
      [],
    ),
    prepared<{ refunded: number; disputed: number }>(
      "sales-undone",
      `select coalesce(sum(refunded_cents), 0)::bigint as refunded,
         coalesce(sum(case dispute_status when 'open' then amount_cents - refunded_cents
           else lost_cents end), 0)::bigint as disputed
       from coin_purchases where refunded_cents > 0 or dispute_status is not null`,
      [],
    ),
  ]);
  const purchases = sum(packages, "purchases");
  const revenueCents = sum(packages, "amountCents");
  return {
    purchases,
    coins: sum(packages, "coins"),
    revenueCents,
    averageCents: purchases > 0 ? Math.round(revenueCents / purchases) : null,
    topPackage: packages[0]?.packageName ?? null,
    packages,
    refundedCents: undone?.refunded ?? 0,
    disputedCents: undone?.disputed ?? 0,
  };
}

function sum(packages: PackageSales[], figure: "purchases" | "coins" | "amountCents"): number {
  return packages.reduce((total, each) => total + each[figure], 0);
}

export type SalesOfDay = {
  day: CalendarDate;
  purchases: number;
  coins: number;
  amountCents: number;
};

/** The last days up to today, oldest first, each of them there, for charts. */
export async function readSalesByDay({ days = 30 }: { days?: number } = {}): Promise<SalesOfDay[]> {
  const first = addDays(dateAt(now()), 1 - days);
  const rows = await prepared<SalesOfDay>(
    "sales-by-day",
    `select day, sum(purchases)::bigint as purchases, sum(coins)::bigint as coins,
       sum(amount_cents)::bigint as "amountCents"
     from (${DAYS}) days where day >= $1::date group by day`,
    [first],
  );
  const known = new Map(rows.map((row) => [row.day, row]));
  return Array.from({ length: days }, (_, index) => {
    const day = addDays(first, index);
    return known.get(day) ?? { day, purchases: 0, coins: 0, amountCents: 0 };
  });
}

/**
 * Adds what was bought since the last time to the days, each purchase exactly once. Buyers never wait
 * for it: it alone writes the days. Transactions commit out of order, so it goes up to the oldest that
 * is still under way.
 */
export async function rollUpPurchases(): Promise<void> {
  await transaction(async (tx) => {
    const [position] = await tx.select().from(purchaseDaysPosition).for("update");
    if (!position) throw new Error("the purchases have no position to begin from");
    await tx.execute(sql`
      with bound as (select pg_snapshot_xmin(pg_current_snapshot()) as before_xid),
      added as (
        insert into purchase_days as d (day, package_name, purchases, coins, amount_cents)
        select (p.created_at at time zone 'Africa/Johannesburg')::date, p.package_name, count(*),
          sum(p.coins), sum(p.amount_cents)
        from coin_purchases p, bound
        where p.created_xid >= ${position.beforeXid}::xid8 and p.created_xid < before_xid
        group by 1, 2
        on conflict (day, package_name) do update set
          purchases = d.purchases + excluded.purchases,
          coins = d.coins + excluded.coins,
          amount_cents = d.amount_cents + excluded.amount_cents
      )
      update purchase_days_position set before_xid = (select before_xid from bound)`);
  });
}

/** Keeps the days current; what is newer than the last run is read from the purchases themselves. */
export const rollUpPurchasesJob: Job = {
  name: "keep-purchase-days",
  everySeconds: 30,
  run: rollUpPurchases,
};
