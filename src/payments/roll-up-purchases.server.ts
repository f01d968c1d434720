import { sql } from "drizzle-orm";
import { transaction } from "#platform/database.server.ts";
import type { Job } from "#platform/queue.server.ts";
import { purchaseDaysPosition } from "./tables.server.ts";

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
