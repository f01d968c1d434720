import { and, eq, sql } from "drizzle-orm";
import { type CoinEvent, calculateCoinPosition, countLostCoins } from "#domain/lost-coins.ts";
import { holdEarnings, releaseEarnings } from "#payouts/payouts.server.ts";
import type { Tx } from "#platform/database.server.ts";
import { lockWallet, setWalletFrozen } from "#wallet/wallet.server.ts";
import { coinPurchases } from "./tables.server.ts";

/**
 * Freezes a buyer's wallet while a dispute is open, and holds the earnings that losing every open dispute would take.
 * Releases the others. The wallet must be locked.
 */
export async function syncDisputeHolds(tx: Tx, userId: string): Promise<void> {
  const isDisputed =
    (await tx.$count(
      coinPurchases,
      and(eq(coinPurchases.userId, userId), eq(coinPurchases.disputeStatus, "open")),
    )) > 0;
  const saleIds = isDisputed ? await listDisputedSales(tx, userId) : [];
  await releaseEarnings(tx, { buyerId: userId, reason: "dispute", exceptSaleIds: saleIds });
  await holdEarnings(tx, { saleIds, reason: "dispute" });
  const { isFrozen } = await lockWallet(tx, userId);
  if (isFrozen !== isDisputed) await setWalletFrozen(tx, userId, isDisputed);
}

/** Holds the earnings that losing this purchase and every open dispute of its buyer would take. */
export async function holdDisputedEarnings(
  tx: Tx,
  { id, userId }: { id: string; userId: string },
): Promise<void> {
  await holdEarnings(tx, { saleIds: await listDisputedSales(tx, userId, id), reason: "dispute" });
}

/**
 * Returns the sales that would lack more coins if every open dispute of a buyer were lost, and the payment of
 * `disputedPurchaseId`.
 */
async function listDisputedSales(
  tx: Tx,
  userId: string,
  disputedPurchaseId: string | null = null,
): Promise<number[]> {
  const history = await readCoinHistory(tx, userId, disputedPurchaseId);
  const lackNow = calculateCoinPosition(toCoinEvents(history)).lackingCoins;
  const lackThen = calculateCoinPosition(
    toCoinEvents(
      history.map((row) => (row.isDisputed ? { ...row, lostCents: row.amountCents } : row)),
    ),
  ).lackingCoins;
  return [...lackThen].flatMap(([saleId, coins]) =>
    coins > (lackNow.get(saleId) ?? 0) ? [saleId] : [],
  );
}

type HistoryRow = {
  /** Null for purchases and grants. */
  saleId: number | null;
  coins: number;
  welcomeCoins: number;
  /** 0 for sales and grants. */
  amountCents: number;
  lostCents: number;
  isDisputed: boolean;
};

/**
 * Returns a buyer's purchases, grants and sales, the oldest first. Coins that the buyer lost by closing the account are
 * not subtracted: they are lost before the coins of sales.
 */
async function readCoinHistory(
  tx: Tx,
  userId: string,
  disputedPurchaseId: string | null,
): Promise<HistoryRow[]> {
  const { rows } = await tx.execute<HistoryRow>(sql`
    select null::bigint as "saleId", p.coins, p.welcome_coins as "welcomeCoins", p.amount_cents as "amountCents",
      least(p.amount_cents, p.refunded_cents + p.lost_cents) as "lostCents",
      p.dispute_status is not distinct from 'open' or p.id = ${disputedPurchaseId}::uuid as "isDisputed",
      p.transaction_id
    from coin_purchases p where p.user_id = ${userId}
    union all
    select null, sum(l.amount)::integer, 0, 0, 0, false, t.id
    from ledger_postings l join ledger_transactions t on t.id = l.transaction_id
    where l.owner_id = ${userId} and l.account in ('wallet', 'owed') and t.kind in ('grant', 'claim')
    group by t.id
    union all
    select s.id, s.price_coins - coalesce((select sum(c.coins) from coin_returns c where c.sale_id = s.id), 0)::integer,
      0, 0, 0, false, s.transaction_id
    from sales s where s.buyer_id = ${userId}
    order by transaction_id`);
  return rows;
}

function toCoinEvents(history: readonly HistoryRow[]): CoinEvent[] {
  return history.map((row): CoinEvent => {
    const { saleId, coins, welcomeCoins, lostCents } = row;
    if (saleId !== null) return { kind: "sale", saleId, coins };
    const lost = lostCents === 0 ? { coins: 0, welcomeCoins: 0 } : countLostCoins(row, lostCents);
    return {
      kind: "received",
      coins: coins + welcomeCoins,
      lostCoins: lost.coins + lost.welcomeCoins,
    };
  });
}
