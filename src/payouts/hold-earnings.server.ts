import { sql } from "drizzle-orm";
import { now } from "#platform/clock.server.ts";
import type { Tx } from "#platform/database.server.ts";
import { removeFromPayouts } from "./remove-from-payouts.server.ts";

/**
 * Holds the unpaid earnings of these sales that are not reversed. Removes them from open payouts. If a payout is
 * exported, only alerts the operator.
 */
export async function holdEarnings(
  tx: Tx,
  { saleIds, reason }: { saleIds: readonly number[]; reason: string },
): Promise<void> {
  const isHoldable = sql`e.sale_id = any (${sql.param(saleIds)}::bigint[]) and e.held_at is null
    and not exists (select from earning_reversals r where r.sale_id = e.sale_id)`;
  const { rows } = await tx.execute<{ sale_id: number }>(
    sql`select e.sale_id from earnings e where ${isHoldable}`,
  );
  await removeFromPayouts(tx, { saleIds: rows.map((row) => row.sale_id), reason });
  await tx.execute(sql`
    update earnings e set held_at = ${now()}, held_reason = ${reason}
    where e.payout_id is null and ${isHoldable}`);
}

/**
 * Releases the earnings of a buyer's sales that are held for this reason, except those of some sales. Earnings held
 * for another reason stay held.
 */
export async function releaseEarnings(
  tx: Tx,
  {
    buyerId,
    reason,
    exceptSaleIds = [],
  }: { buyerId: string; reason: string; exceptSaleIds?: readonly number[] },
): Promise<void> {
  const releasedSales = sql`s.buyer_id = ${buyerId}
    and s.id <> all (${sql.param(exceptSaleIds)}::bigint[])`;
  // Deletes late holds first, because this waits for a concurrent withdrawal of an export, so that the next
  // statement sees the earnings that the withdrawal held.
  await tx.execute(sql`
    update late_holds h set ended_at = ${now()}
    from sales s where s.id = h.sale_id and h.reason = ${reason} and h.ended_at is null
      and ${releasedSales}`);
  await tx.execute(sql`
    update earnings e set held_at = null, held_reason = null
    from sales s where s.id = e.sale_id and e.held_reason = ${reason} and ${releasedSales}`);
}
