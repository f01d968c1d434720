import { sql } from "drizzle-orm";
import { notifyCreator } from "#creators/creators.server.ts";
import { CARD_PRICE_COINS } from "#domain/coins.ts";
import { formatCents } from "#domain/format-cents.ts";
import { now } from "#platform/clock.server.ts";
import type { Tx } from "#platform/database.server.ts";
import { readVoidRaceCards } from "#tips/tips.server.ts";
import { postToLedger } from "#wallet/wallet.server.ts";
import { refundVoidRaceCard } from "./refund-void-race-card.server.ts";
import { earningReversals } from "./tables.server.ts";

export type ReversalReason = (typeof earningReversals.$inferInsert)["reason"];

type Reversal = { reason: ReversalReason; purchaseId?: string };

/**
 * SQL condition for an earning that can still be reversed: not yet payable or held, and in no
 * payout.
 */
const isReversibleSql = () => sql`
  (e.payable_at > ${now()} or e.held_at is not null) and e.payout_id is null
    and not exists (select from earning_reversals r where r.sale_id = e.sale_id)
    and not exists (select from void_refunds v where v.sale_id = e.sale_id)`;

/**
 * Reverses a buyer's newest sales after a ledger transaction, up to a number of coins. Reverses
 * complete sales only, and only those whose earning is reversible. The buyer keeps the cards.
 * Returns the coins of the reversed sales, which the caller must post.
 */
export async function reverseNewestSales(
  tx: Tx,
  params: Reversal & {
    buyerId: string;
    /**
     * The purchase's ledger transaction. Compared by id, because timestamps of one purchase can
     * differ.
     */
    afterTransactionId: number;
    upToCoins: number;
    /** The sale of this race card is not reversed. */
    exceptRaceCardId?: string | null;
  },
): Promise<{ coins: number; saleIds: number[] }> {
  const { rows } = await tx.execute<EarningRow>(
    sql`select e.sale_id, e.creator_id, e.amount_cents
      from sales s join earnings e on e.sale_id = s.id
      where s.buyer_id = ${params.buyerId} and s.transaction_id > ${params.afterTransactionId}
        and s.race_card_id is distinct from ${params.exceptRaceCardId ?? null}
        and ${isReversibleSql()}
      order by s.transaction_id desc
      limit ${Math.floor(params.upToCoins / CARD_PRICE_COINS)}
      for update of e`,
  );
  for (const row of rows) await reverseEarning(tx, row, params);
  await notifyReversedCreators(tx, rows, params.reason);
  return { coins: rows.length * CARD_PRICE_COINS, saleIds: rows.map((row) => row.sale_id) };
}

/**
 * Reverses the sale of one race card to a buyer, under the conditions of reverseNewestSales. Returns
 * 'coins-returned' if the coins were already refunded because the race card is void.
 */
export async function reverseSaleOfRaceCard(
  tx: Tx,
  params: Reversal & { buyerId: string; raceCardId: string },
): Promise<"reversed" | "coins-returned" | "stays"> {
  const { rows } = await tx.execute<EarningRow & { can_reverse: boolean; is_returned: boolean }>(
    sql`select e.sale_id, e.creator_id, e.amount_cents, ${isReversibleSql()} as can_reverse,
        exists (select from void_refunds v where v.sale_id = e.sale_id) as is_returned
      from sales s join earnings e on e.sale_id = s.id
      where s.buyer_id = ${params.buyerId} and s.race_card_id = ${params.raceCardId}
      for update of e`,
  );
  const [row] = rows;
  if (row?.can_reverse) {
    await reverseEarning(tx, row, params);
    await notifyReversedCreators(tx, [row], params.reason);
    return "reversed";
  }
  return row?.is_returned ? "coins-returned" : "stays";
}

type EarningRow = { sale_id: number; creator_id: string; amount_cents: number };

const REASON_TEXTS: Record<ReversalReason, string> = {
  refund: "the buyer's payment was refunded",
  dispute: "the buyer's payment was disputed, and the dispute was lost",
  void: "every race of the card was void",
  review: "we reviewed the sale",
};

/** The causes of a restoration. */
type RestorationReason = Extract<ReversalReason, "refund" | "dispute">;

const RESTORATION_TEXTS: Record<RestorationReason, string> = {
  refund: "the refund of the buyer's payment was cancelled",
  dispute: "the dispute about the buyer's payment ended in our favour",
};

/** Notifies each creator whose earnings were reversed, once, with the total. */
export async function notifyReversedCreators(
  tx: Tx,
  reversed: readonly EarningRow[],
  reason: ReversalReason,
  operatorReason = "",
): Promise<void> {
  for (const { creatorId, amount, sales } of totalByCreator(reversed))
    await notifyCreator(tx, {
      creatorId,
      title: `${amount} of your earnings was reversed`,
      message: `we reversed what you earned from ${sales}, because ${REASON_TEXTS[reason]}.`,
      reason: operatorReason,
    });
}

/** Notifies each creator whose earnings were restored, once, with the total. */
async function notifyRestoredCreators(
  tx: Tx,
  restored: readonly EarningRow[],
  reason: RestorationReason,
): Promise<void> {
  for (const { creatorId, amount, sales } of totalByCreator(restored))
    await notifyCreator(tx, {
      creatorId,
      title: `${amount} of your earnings was restored`,
      message: `we restored what you earned from ${sales}, because ${RESTORATION_TEXTS[reason]}.`,
    });
}

function totalByCreator(earnings: readonly EarningRow[]) {
  return [...Map.groupBy(earnings, (row) => row.creator_id)].map(([creatorId, rows]) => ({
    creatorId,
    amount: formatCents(rows.reduce((sum, row) => sum + row.amount_cents, 0)),
    sales: rows.length === 1 ? "1 sale" : `${rows.length} sales`,
  }));
}

/** Reverses one earning and reduces the creator's payable balance. */
export async function reverseEarning(
  tx: Tx,
  earning: EarningRow,
  { reason, purchaseId }: Reversal,
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
    reason,
    transactionId,
    purchaseId: purchaseId ?? null,
    createdAt: now(),
  });
}

/**
 * Restores the earnings of sales that were reversed for a purchase, because its payment was
 * recovered, and notifies their creators. Starts with the sale reversed last. Returns the coins of
 * those sales, which the caller must post.
 */
export async function restoreSales(
  tx: Tx,
  params: {
    purchaseId: string;
    upToCoins: number;
    reason: RestorationReason;
    /** Restores only the sale of this card. */
    onlyRaceCardId?: string;
    /** Restores every sale except that of this card. */
    exceptRaceCardId?: string | null;
  },
): Promise<{ coins: number }> {
  const { rows } = await tx.execute<EarningRow & { race_card_id: string }>(
    sql`select e.sale_id, e.creator_id, e.amount_cents, s.race_card_id
      from earning_reversals r join sales s on s.id = r.sale_id join earnings e on e.sale_id = s.id
      where r.purchase_id = ${params.purchaseId}
        and (${params.onlyRaceCardId ?? null}::uuid is null
          or s.race_card_id = ${params.onlyRaceCardId ?? null})
        and s.race_card_id is distinct from ${params.exceptRaceCardId ?? null}
      order by r.transaction_id desc
      limit ${Math.floor(params.upToCoins / CARD_PRICE_COINS)}
      for update of e`,
  );
  for (const row of rows) {
    const transactionId = await postToLedger(
      tx,
      "reversal",
      `restored:${await createReversalReference(tx, row.sale_id)}`,
      [
        { account: "payable", owner: row.creator_id, unit: "cent", amount: row.amount_cents },
        { account: "commission", unit: "cent", amount: -row.amount_cents },
      ],
    );
    await tx.execute(sql`select restore_earning(${row.sale_id}, ${transactionId}, ${now()})`);
  }
  await notifyRestoredCreators(tx, rows, params.reason);
  // The refund of a void race card skipped these sales while they were reversed, so it runs again.
  for (const raceCardId of await readVoidRaceCards(
    tx,
    rows.map((row) => row.race_card_id),
  ))
    await refundVoidRaceCard(tx, raceCardId);
  return { coins: rows.length * CARD_PRICE_COINS };
}

/** Returns a unique ledger reference. A restored sale can be reversed again. */
async function createReversalReference(tx: Tx, saleId: number): Promise<string> {
  const { rows } = await tx.execute<{ times: number }>(
    sql`select count(*)::integer as times from earning_restorations where sale_id = ${saleId}`,
  );
  const restorationCount = rows[0]?.times ?? 0;
  return restorationCount === 0 ? `sale:${saleId}` : `sale:${saleId}:${restorationCount + 1}`;
}
