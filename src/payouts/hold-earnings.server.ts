import { type SQL, sql } from "drizzle-orm";
import { now } from "#platform/clock.server.ts";
import type { Tx } from "#platform/database.server.ts";
import { removeFromPayouts } from "./remove-from-payouts.server.ts";

type Hold = {
  buyerId: string;
  /** Ledger transaction of the disputed purchase; only later sales are held. */
  afterTransactionId: number;
  reason: string;
};

/**
 * SQL condition for an earning that can still be paid out. This includes earnings reversed because of void
 * races, because correcting the results restores them.
 */
const IS_HOLDABLE = sql`e.held_at is null and not exists (
  select from earning_reversals r where r.sale_id = e.sale_id and r.reason <> 'void')`;

/**
 * Holds the unpaid earnings of a buyer's sales after a ledger transaction, including those reversed because of
 * void races. Removes them from open payouts. If a payout is exported, only alerts the operator.
 */
export async function holdEarnings(
  tx: Tx,
  { buyerId, afterTransactionId, reason }: Hold,
): Promise<void> {
  await holdSales(
    tx,
    sql`s.buyer_id = ${buyerId} and s.transaction_id > ${afterTransactionId}`,
    reason,
  );
}

/** Holds, as `holdEarnings` does, the unpaid earnings "e" of the sales "s" that meet a condition. */
export async function holdSales(tx: Tx, condition: SQL, reason: string): Promise<void> {
  const { rows } = await tx.execute<{ sale_id: number }>(sql`
    select e.sale_id from sales s join earnings e on e.sale_id = s.id
    where ${condition} and ${IS_HOLDABLE}`);
  await removeFromPayouts(tx, { saleIds: rows.map((row) => row.sale_id), reason });
  await tx.execute(sql`
    update earnings e set held_at = ${now()}, held_reason = ${reason}
    from sales s where s.id = e.sale_id and ${condition}
      and e.payout_id is null and ${IS_HOLDABLE}`);
}

/**
 * Releases the earnings of a buyer's sales that are held for this reason, optionally only those up to a ledger
 * transaction. Earnings held for another reason stay held.
 */
export async function releaseEarnings(
  tx: Tx,
  {
    buyerId,
    reason,
    upToTransactionId = null,
  }: { buyerId: string; reason: string; upToTransactionId?: number | null },
): Promise<void> {
  const releasedSales = sql`s.buyer_id = ${buyerId}
    and (${upToTransactionId}::bigint is null or s.transaction_id <= ${upToTransactionId})`;
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
