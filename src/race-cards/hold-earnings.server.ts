import { sql } from "drizzle-orm";
import { MIN_PAYOUT_CENTS } from "#domain/pay-day.ts";
import { raiseAlert } from "#platform/alerts.server.ts";
import { now } from "#platform/clock.server.ts";
import type { Tx } from "#platform/database.server.ts";

type Hold = {
  buyerId: string;
  /** Only sales after this ledger transaction: that of the disputed purchase. */
  afterTransactionId: number;
  reason: string;
};

/**
 * Keeps the unpaid earnings of a buyer's sales after a ledger transaction from being paid out. An
 * earning in a requested payout is taken out of it; a payout that is being processed is left to the
 * operator, who is told.
 */
export async function holdEarnings(tx: Tx, hold: Hold): Promise<void> {
  await removeFromPayouts(tx, hold);
  await tx.execute(sql`
    update earnings e set held_at = ${now()}, held_reason = ${hold.reason}
    from sales s where s.id = e.sale_id and s.buyer_id = ${hold.buyerId}
      and s.transaction_id > ${hold.afterTransactionId}
      and e.payout_id is null and e.held_at is null
      and not exists (select from earning_reversals r where r.sale_id = e.sale_id)`);
}

/**
 * Releases what was held of a buyer's sales for a reason: all of it, or only sales up to a ledger
 * transaction. What is held for another reason stays held.
 */
export async function releaseEarnings(
  tx: Tx,
  {
    buyerId,
    reason,
    upToTransactionId = null,
  }: { buyerId: string; reason: string; upToTransactionId?: number | null },
): Promise<void> {
  await tx.execute(sql`
    update earnings e set held_at = null, held_reason = null
    from sales s where s.id = e.sale_id and s.buyer_id = ${buyerId} and e.held_reason = ${reason}
      and (${upToTransactionId}::bigint is null or s.transaction_id <= ${upToTransactionId})`);
}

type OpenPayout = {
  id: string;
  status: "requested" | "processing";
  amount_cents: number;
  sale_ids: number[];
  cents: number;
};

async function removeFromPayouts(tx: Tx, hold: Hold): Promise<void> {
  // Payouts before earnings, as whoever processes or pays them does; and once more, for a payout that
  // was made while this waited for the earnings.
  await lockOpenPayouts(tx, hold);
  await tx.execute(sql`
    select e.sale_id from sales s join earnings e on e.sale_id = s.id
    where s.buyer_id = ${hold.buyerId} and s.transaction_id > ${hold.afterTransactionId}
    order by e.sale_id for update of e`);
  await lockOpenPayouts(tx, hold);
  const { rows } = await tx.execute<OpenPayout>(sql`
    select o.id, o.status, o.amount_cents, array_agg(e.sale_id) as sale_ids,
      sum(e.amount_cents)::integer as cents
    from sales s join earnings e on e.sale_id = s.id join payouts o on o.id = e.payout_id
    where s.buyer_id = ${hold.buyerId} and s.transaction_id > ${hold.afterTransactionId}
      and o.status <> 'paid'
    group by o.id order by o.id`);
  for (const payout of rows) {
    if (payout.status === "requested") await removeFromPayout(tx, payout);
    await alertAboutPayout(tx, payout);
  }
}

async function lockOpenPayouts(tx: Tx, hold: Hold): Promise<void> {
  await tx.execute(sql`
    select o.id from payouts o where o.status <> 'paid' and o.id in (
      select e.payout_id from sales s join earnings e on e.sale_id = s.id
      where s.buyer_id = ${hold.buyerId} and s.transaction_id > ${hold.afterTransactionId})
    order by o.id for update`);
}

/** A payout that would fall below the minimum is withdrawn: its other earnings wait for the next one. */
async function removeFromPayout(tx: Tx, payout: OpenPayout): Promise<void> {
  const left = payout.amount_cents - payout.cents;
  const isWithdrawn = left < MIN_PAYOUT_CENTS;
  await tx.execute(sql`
    update earnings set payout_id = null where payout_id = ${payout.id}
      and (${isWithdrawn} or sale_id in (select unnest(${sql.param(payout.sale_ids)}::bigint[])))`);
  await tx.execute(
    isWithdrawn
      ? sql`delete from payouts where id = ${payout.id}`
      : sql`update payouts set amount_cents = ${left} where id = ${payout.id}`,
  );
}

async function alertAboutPayout(tx: Tx, payout: OpenPayout): Promise<void> {
  const rand = `R${(payout.cents / 100).toFixed(2)}`;
  const left = payout.amount_cents - payout.cents;
  const message =
    payout.status === "processing"
      ? `Payout ${payout.id} is being processed and contains ${rand} of sales whose payment is now disputed. Stop the transfer if you still can.`
      : left < MIN_PAYOUT_CENTS
        ? `Payout ${payout.id} was withdrawn: ${rand} of it are from sales whose payment is now disputed, and the rest is below the minimum.`
        : `${rand} were taken out of payout ${payout.id}: the payment of those sales is now disputed.`;
  await raiseAlert({ kind: "payout-disputed", subject: payout.id, message }, tx);
}
