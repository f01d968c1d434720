import { eq, sql } from "drizzle-orm";
import type { ReversalReason } from "#domain/coin-return.ts";
import { formatCents } from "#domain/format-cents.ts";
import { raiseAlert } from "#platform/alerts.server.ts";
import { now } from "#platform/clock.server.ts";
import type { Tx } from "#platform/database.server.ts";
import { lockWallet, postToLedger } from "#wallet/wallet.server.ts";
import { earningReversals, earnings, sales } from "./tables.server.ts";

type Earning = { sale_id: number; creator_id: string; amount_cents: number };

/**
 * Returns the earning of a sale, or null. Locks the buyer's wallet and then the earning, in the order of all
 * transactions that hold or reverse earnings.
 */
export async function lockEarning(tx: Tx, saleId: number) {
  if (!Number.isSafeInteger(saleId)) return null;
  const [sale] = await tx
    .select({ buyerId: sales.buyerId })
    .from(sales)
    .where(eq(sales.id, saleId));
  if (!sale) return null;
  const { isFrozen } = await lockWallet(tx, sale.buyerId);
  const [earning] = await tx
    .select()
    .from(earnings)
    .where(eq(earnings.saleId, saleId))
    .for("update");
  if (!earning) return null;
  const reversals = await tx.$count(earningReversals, eq(earningReversals.saleId, saleId));
  return { ...earning, isDisputed: isFrozen, isReversed: reversals > 0 };
}

/** Reverses one earning and reduces the creator's payable balance. */
export async function reverseEarning(
  tx: Tx,
  earning: Earning,
  reason: ReversalReason,
): Promise<void> {
  const transactionId = await postToLedger(
    tx,
    "reversal",
    await createReversalReference(tx, earning.sale_id),
    [
      {
        account: "payable",
        owner: earning.creator_id,
        unit: "cent",
        amount: -earning.amount_cents,
      },
      { account: "commission", unit: "cent", amount: earning.amount_cents },
    ],
  );
  if (transactionId === null) return;
  await tx.insert(earningReversals).values({
    saleId: earning.sale_id,
    amountCents: earning.amount_cents,
    reason,
    transactionId,
    createdAt: now(),
  });
}

/**
 * Reverses what came back to creators whose accounts are closed, so that it goes to the house, with an alert. When an
 * account is closed, everything that it earned is paid or reversed. Must be called in each transaction that restores or
 * raises earnings.
 */
export async function reverseEarningsOfClosedCreators(
  tx: Tx,
  creatorIds: readonly string[],
): Promise<void> {
  // Waits for accounts that are being closed, and keeps the others open until this transaction ends.
  const { rows: closed } = await tx.execute<{ id: string }>(sql`
    with creators as (
      select id, closed_at from users where id = any (${sql.param(creatorIds)}::uuid[])
      order by id for share
    ) select id from creators where closed_at is not null`);
  if (closed.length === 0) return;
  const { rows } = await tx.execute<Earning>(
    sql`select e.sale_id, e.creator_id, e.amount_cents from earnings e
      where e.creator_id in (select unnest(${sql.param(closed.map(({ id }) => id))}::uuid[])) and e.payout_id is null
        and not exists (select from earning_reversals r where r.sale_id = e.sale_id)
      for update of e`,
  );
  for (const row of rows) await reverseEarning(tx, row, "closed");
  for (const [creatorId, ofCreator] of Map.groupBy(rows, (row) => row.creator_id)) {
    const amount = formatCents(ofCreator.reduce((sum, row) => sum + row.amount_cents, 0));
    const count = ofCreator.length === 1 ? "1 sale" : `${ofCreator.length} sales`;
    await raiseAlert(
      {
        kind: "earnings-of-closed-account",
        subject: creatorId,
        message: `${amount} from ${count} of a closed account was restored and went to the house.`,
      },
      tx,
    );
  }
}

/** Returns a unique ledger reference. A restored sale can be reversed again. */
async function createReversalReference(tx: Tx, saleId: number): Promise<string> {
  const { rows } = await tx.execute<{ times: number }>(
    sql`select count(*)::integer as times from earning_restorations where sale_id = ${saleId}`,
  );
  const restorationCount = rows[0]?.times ?? 0;
  return restorationCount === 0 ? `sale:${saleId}` : `sale:${saleId}:${restorationCount + 1}`;
}
