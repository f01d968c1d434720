import { and, eq, sql } from "drizzle-orm";
import { type CoinEvent, calculateCoinPosition } from "#domain/lost-coins.ts";
import { holdEarnings, releaseEarnings, setLackingCoins } from "#payouts/payouts.server.ts";
import { database, type Tx, transaction } from "#platform/database.server.ts";
import type { Job } from "#platform/queue.server.ts";
import { runEach } from "#platform/run-each.server.ts";
import { lockWallet, setWalletFrozen } from "#wallet/wallet.server.ts";
import { coinPurchases, purchaseRefunds } from "./tables.server.ts";

/**
 * Brings the sales of a buyer in line with the purchases: books the coins that each sale lacks because payments were
 * refunded or lost, and holds the earnings that losing every open dispute would take. Freezes the wallet while a
 * dispute is open or a refund is in progress. The result depends on the state of the purchases only, not on the order of
 * events. The wallet must be locked.
 */
export async function syncLostCoins(tx: Tx, userId: string): Promise<void> {
  const history = await readCoinHistory(tx, userId);
  const lacking = calculateCoinPosition(toCoinEvents(history)).lackingCoins;
  await setLackingCoins(
    tx,
    history.flatMap(({ saleId, bookedLackingCoins }) => {
      if (saleId === null || bookedLackingCoins === null) return [];
      const coins = lacking.get(saleId) ?? 0;
      return coins === bookedLackingCoins ? [] : [{ saleId, coins }];
    }),
  );
  const isDisputed =
    (await tx.$count(
      coinPurchases,
      and(eq(coinPurchases.userId, userId), eq(coinPurchases.disputeStatus, "open")),
    )) > 0;
  const disputedSaleIds = isDisputed ? listDisputedSales(history, lacking) : [];
  await releaseEarnings(tx, {
    buyerId: userId,
    reason: "dispute",
    exceptSaleIds: disputedSaleIds,
  });
  await holdEarnings(tx, { saleIds: disputedSaleIds, reason: "dispute" });
  const { isFrozen } = await lockWallet(tx, userId);
  const mustBeFrozen = isDisputed || (await isRefundInProgress(tx, userId));
  if (isFrozen !== mustBeFrozen) await setWalletFrozen(tx, userId, mustBeFrozen);
}

/** Returns whether a refund was requested here that its provider has not accepted or rejected yet. */
async function isRefundInProgress(tx: Tx, userId: string): Promise<boolean> {
  const [refund] = await tx
    .select({ id: purchaseRefunds.id })
    .from(purchaseRefunds)
    .innerJoin(coinPurchases, eq(coinPurchases.id, purchaseRefunds.purchaseId))
    .where(and(eq(coinPurchases.userId, userId), eq(purchaseRefunds.status, "requested")))
    .limit(1);
  return refund !== undefined;
}

/** Returns the sales that would lack more coins if every open dispute were lost. */
function listDisputedSales(
  history: readonly HistoryRow[],
  lacking: ReadonlyMap<number, number>,
): number[] {
  const lackingThen = calculateCoinPosition(
    toCoinEvents(history.map((row) => (row.isDisputed ? { ...row, lostCoins: row.coins } : row))),
  ).lackingCoins;
  return [...lackingThen].flatMap(([saleId, coins]) =>
    coins > (lacking.get(saleId) ?? 0) ? [saleId] : [],
  );
}

type HistoryRow = {
  /** Null for received coins, negative for coins that a claim code moved. */
  saleId: number | null;
  /** Welcome coins included. */
  coins: number;
  /** 0 for sales and grants. */
  lostCoins: number;
  isDisputed: boolean;
  /** The coins that the sale lacks according to the books. Null for coins that a claim code moved. */
  bookedLackingCoins: number | null;
};

/**
 * Returns a buyer's purchases, grants and sales, the oldest first. Coins that the buyer lost by closing the account are
 * not subtracted: they are lost before the coins of sales. Those that its claim code moved count like a sale.
 * count_lacking_coins in SQL reads the same.
 */
async function readCoinHistory(tx: Tx, userId: string): Promise<HistoryRow[]> {
  const { rows } = await tx.execute<HistoryRow>(sql`
    select null::bigint as "saleId", p.coins + p.welcome_coins as coins,
      p.recovered_coins + p.recovered_welcome_coins as "lostCoins",
      p.dispute_status is not distinct from 'open' as "isDisputed", 0 as "bookedLackingCoins", p.transaction_id
    from coin_purchases p where p.user_id = ${userId}
    union all
    select null, sum(l.amount)::integer, 0, false, 0, t.id
    from ledger_postings l join ledger_transactions t on t.id = l.transaction_id
    where l.owner_id = ${userId} and l.account in ('wallet', 'owed') and t.kind in ('grant', 'claim')
    group by t.id
    union all
    select -t.id, -l.amount::integer, 0, false, null, t.id
    from ledger_postings l join ledger_transactions t on t.id = l.transaction_id
    where l.owner_id = ${userId} and l.account = 'forfeited' and t.kind = 'claim'
    union all
    select s.id, sale_cost_coins(s.id, s.price_coins), 0, false, e.lacking_coins, s.transaction_id
    from sales s join earnings e on e.sale_id = s.id where s.buyer_id = ${userId}
    order by transaction_id`);
  return rows;
}

function toCoinEvents(history: readonly HistoryRow[]): CoinEvent[] {
  return history.map(
    ({ saleId, coins, lostCoins }): CoinEvent =>
      saleId === null ? { kind: "received", coins, lostCoins } : { kind: "sale", saleId, coins },
  );
}

/** Brings the sales of buyers in line who owe other coins than their sales lack: coins were granted to them. */
export const syncLostCoinsJob: Job = {
  name: "sync-lost-coins",
  schedule: "*/5 * * * *",
  run: async () => {
    const { rows } = await database().execute<{ id: string }>(sql`
      select w.user_id as id from wallets w
      where w.user_id in (select p.user_id from coin_purchases p
          where p.refunded_cents > 0 or p.dispute_status is not null)
        and w.owed_coins <> (select coalesce(sum(e.lacking_coins), 0)
          from sales s join earnings e on e.sale_id = s.id where s.buyer_id = w.user_id)`);
    await runEach(
      syncLostCoinsJob.name,
      rows,
      ({ id }) => `buyer ${id}`,
      ({ id }) =>
        transaction(async (tx) => {
          await lockWallet(tx, id);
          await syncLostCoins(tx, id);
        }),
    );
  },
};
