import { sql } from "drizzle-orm";
import { notifyCreator } from "#creators/creators.server.ts";
import { calculateDueCoins, calculateEarningOfCoins } from "#domain/coin-return.ts";
import { CARD_PRICE_COINS } from "#domain/coins.ts";
import { formatCents } from "#domain/format-cents.ts";
import { raiseAlert } from "#platform/alerts.server.ts";
import { now } from "#platform/clock.server.ts";
import { database, type Tx } from "#platform/database.server.ts";
import { readVoidTips } from "#tips/tips.server.ts";
import { postToLedger } from "#wallet/wallet.server.ts";
import { earningReversals } from "./tables.server.ts";

export type ReversalReason = (typeof earningReversals.$inferInsert)["reason"];

type Reversal = { reason: ReversalReason; purchaseId?: string };

/** The coins of a sale that were not returned for void races. */
const REMAINING_COINS_SQL = sql`(${CARD_PRICE_COINS}
  - coalesce((select sum(c.coins) from coin_returns c where c.sale_id = e.sale_id), 0))::integer`;

/**
 * SQL condition for an earning that can still be reversed: not yet payable or held, in no payout, and
 * of a sale whose coins were not all returned.
 */
const isReversibleSql = () => sql`
  (e.payable_at > ${now()} or e.held_at is not null) and e.payout_id is null
    and not exists (select from earning_reversals r where r.sale_id = e.sale_id)
    and ${REMAINING_COINS_SQL} > 0`;

/**
 * Reverses a buyer's newest sales after a ledger transaction, up to a number of coins. Reverses
 * complete sales only, and only those whose earning is reversible. Of a sale whose coins were returned in
 * part, only the other coins count. The buyer keeps the cards. Returns the coins of the reversed sales,
 * which the caller must post.
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
    // A sale counts at least one coin.
    sql`select e.sale_id, e.creator_id, e.amount_cents, ${REMAINING_COINS_SQL} as coins
      from sales s join earnings e on e.sale_id = s.id
      where s.buyer_id = ${params.buyerId} and s.transaction_id > ${params.afterTransactionId}
        and s.race_card_id is distinct from ${params.exceptRaceCardId ?? null}
        and ${isReversibleSql()}
      order by s.transaction_id desc
      limit ${params.upToCoins}
      for update of e`,
  );
  const reversed = takeCoins(rows, (coinsWithRow) => coinsWithRow <= params.upToCoins);
  for (const row of reversed) await reverseEarning(tx, row, params);
  await notifyReversedCreators(tx, reversed, params.reason);
  return { coins: sumCoins(reversed), saleIds: reversed.map((row) => row.sale_id) };
}

/**
 * Returns the first rows for which the condition holds, which receives the sum of the coins with the row
 * and without it.
 */
function takeCoins<Row extends { coins: number }>(
  rows: readonly Row[],
  isTaken: (coinsWithRow: number, coinsBefore: number) => boolean,
): Row[] {
  let coins = 0;
  const end = rows.findIndex((row) => {
    const coinsBefore = coins;
    coins += row.coins;
    return !isTaken(coins, coinsBefore);
  });
  return end === -1 ? [...rows] : rows.slice(0, end);
}

function sumCoins(rows: readonly { coins: number }[]): number {
  return rows.reduce((sum, row) => sum + row.coins, 0);
}

/**
 * Reverses the sale of one race card to a buyer, under the conditions of reverseNewestSales. Returns the
 * coins of the reversed sale, which the caller must post, and the coins that were returned before for void
 * races. Reverses nothing when all coins were returned.
 */
export async function reverseSaleOfRaceCard(
  tx: Tx,
  params: Reversal & { buyerId: string; raceCardId: string },
): Promise<{ reversedCoins: number; returnedCoins: number }> {
  const { rows } = await tx.execute<EarningRow & { can_reverse: boolean }>(
    sql`select e.sale_id, e.creator_id, e.amount_cents, ${REMAINING_COINS_SQL} as coins,
        ${isReversibleSql()} as can_reverse
      from sales s join earnings e on e.sale_id = s.id
      where s.buyer_id = ${params.buyerId} and s.race_card_id = ${params.raceCardId}
      for update of e`,
  );
  const [row] = rows;
  if (!row) return { reversedCoins: 0, returnedCoins: 0 };
  const returnedCoins = CARD_PRICE_COINS - row.coins;
  if (!row.can_reverse) return { reversedCoins: 0, returnedCoins };
  await reverseEarning(tx, row, params);
  await notifyReversedCreators(tx, [row], params.reason);
  return { reversedCoins: row.coins, returnedCoins };
}

type Earning = { sale_id: number; creator_id: string; amount_cents: number };
/** An earning with the coins of its sale that were not returned for void races. */
type EarningRow = Earning & { coins: number };

const REASON_TEXTS: Record<ReversalReason, string> = {
  refund: "the buyer's payment was refunded",
  dispute: "the buyer's payment was disputed, and the dispute was lost",
  void: "every race of the card was void",
  review: "we reviewed the sale",
  closed: "your account was closed",
};

/** The causes of a restoration. */
type RestorationReason = Extract<ReversalReason, "refund" | "dispute">;

const RESTORATION_TEXTS: Record<RestorationReason, string> = {
  refund: "the refund of the buyer's payment failed",
  dispute: "the dispute about the buyer's payment ended in our favour",
};

/** Notifies each creator whose earnings were reversed, once, with the total. */
export async function notifyReversedCreators(
  tx: Tx,
  reversed: readonly Earning[],
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
  restored: readonly Earning[],
  reason: RestorationReason,
): Promise<void> {
  for (const { creatorId, amount, sales } of totalByCreator(restored))
    await notifyCreator(tx, {
      creatorId,
      title: `${amount} of your earnings was restored`,
      message: `we restored what you earned from ${sales}, because ${RESTORATION_TEXTS[reason]}.`,
    });
}

function totalByCreator(earnings: readonly Earning[]) {
  return [...Map.groupBy(earnings, (row) => row.creator_id)].map(([creatorId, rows]) => ({
    creatorId,
    amount: formatCents(rows.reduce((sum, row) => sum + row.amount_cents, 0)),
    sales: rows.length === 1 ? "1 sale" : `${rows.length} sales`,
  }));
}

/** Reverses one earning and reduces the creator's payable balance. */
export async function reverseEarning(
  tx: Tx,
  earning: Earning,
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
    amountCents: earning.amount_cents,
    reason,
    transactionId,
    purchaseId: purchaseId ?? null,
    createdAt: now(),
  });
}

/**
 * Restores the earnings of sales that were reversed for a purchase, because its payment was
 * recovered, and notifies their creators. Starts with the sale reversed last, and restores whole sales
 * until their coins cover a number. Returns the coins of those sales, which the caller must post.
 *
 * While they were reversed, the sales were not in line with void results. The caller must call
 * returnCoinsOfRestoredSales in the same transaction, after posting.
 */
export async function restoreSales(
  tx: Tx,
  params: {
    purchaseId: string;
    coveredCoins: number;
    reason: RestorationReason;
    /** Restores only the sale of this card. */
    onlyRaceCardId?: string;
    /** Restores every sale except that of this card. */
    exceptRaceCardId?: string | null;
  },
): Promise<{ coins: number }> {
  const { rows } = await tx.execute<SoldEarningRow>(
    sql`select e.sale_id, e.creator_id, e.amount_cents, ${REMAINING_COINS_SQL} as coins,
        s.tip_ids, s.shares_hundredths, s.earning_cents
      from earning_reversals r join sales s on s.id = r.sale_id join earnings e on e.sale_id = s.id
      where r.purchase_id = ${params.purchaseId}
        and (${params.onlyRaceCardId ?? null}::uuid is null
          or s.race_card_id = ${params.onlyRaceCardId ?? null})
        and s.race_card_id is distinct from ${params.exceptRaceCardId ?? null}
      order by r.transaction_id desc
      limit ${params.coveredCoins}
      for update of e`,
  );
  const restored = takeCoins(rows, (_, coinsBefore) => coinsBefore < params.coveredCoins);
  for (const row of restored) {
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
  const closedCreatorIds = await reverseEarningsOfClosedCreators(
    tx,
    restored.map((row) => row.creator_id),
  );
  const remaining = await calculateRemaining(
    tx,
    restored.filter((row) => !closedCreatorIds.has(row.creator_id)),
  );
  await notifyRestoredCreators(tx, remaining, params.reason);
  return { coins: sumCoins(restored) };
}

/**
 * Reverses what came back to creators whose accounts are closed, so that it goes to the house, with an alert. When an
 * account is closed, everything that it earned is paid or reversed. Must be called in each transaction that restores or
 * raises earnings. Returns the creators whose accounts are closed.
 */
export async function reverseEarningsOfClosedCreators(
  tx: Tx,
  creatorIds: readonly string[],
): Promise<ReadonlySet<string>> {
  // Waits for accounts that are being closed, and keeps the others open until this transaction ends.
  const { rows: closed } = await tx.execute<{ id: string }>(sql`
    with creators as (
      select id, closed_at from users where id = any (${sql.param(creatorIds)}::uuid[])
      order by id for share
    ) select id from creators where closed_at is not null`);
  const closedIds = new Set(closed.map(({ id }) => id));
  if (closedIds.size === 0) return closedIds;
  const { rows } = await tx.execute<Earning>(
    sql`select e.sale_id, e.creator_id, e.amount_cents from earnings e
      where e.creator_id in (select unnest(${sql.param([...closedIds])}::uuid[])) and e.payout_id is null
        and not exists (select from earning_reversals r where r.sale_id = e.sale_id)
      for update of e`,
  );
  for (const row of rows) await reverseEarning(tx, row, { reason: "closed" });
  for (const { creatorId, amount, sales } of totalByCreator(rows))
    await raiseAlert(
      {
        kind: "earnings-of-closed-account",
        subject: creatorId,
        message: `${amount} from ${sales} of a closed account was restored and went to the house.`,
      },
      tx,
    );
  return closedIds;
}

/**
 * Returns the reversals of sales for a purchase, by ledger transaction, those that were restored since
 * included.
 */
export async function readReversedEarnings(
  purchaseId: string,
): Promise<{ transactionId: number; amountCents: number }[]> {
  const { rows } = await database().execute<{ transaction_id: number; amount_cents: number }>(sql`
    select transaction_id, amount_cents from earning_reversals where purchase_id = ${purchaseId}
    union all
    select reversal_transaction_id, amount_cents from earning_restorations
      where purchase_id = ${purchaseId}`);
  return rows.map((row) => ({
    transactionId: row.transaction_id,
    amountCents: row.amount_cents,
  }));
}

type SoldEarningRow = EarningRow & {
  tip_ids: string[];
  shares_hundredths: number[];
  /** The earning when the race card was sold. */
  earning_cents: number;
};

/**
 * Returns the earnings with what is left of them once the coins for their void tips are returned, without
 * those of which nothing is left.
 */
async function calculateRemaining(tx: Tx, rows: readonly SoldEarningRow[]): Promise<Earning[]> {
  const voidTips = await readVoidTips(
    rows.flatMap((row) => row.tip_ids),
    tx,
  );
  return rows.flatMap((row) => {
    const isVoid = row.tip_ids.map((tipId) => voidTips.has(tipId));
    const dueCoins = calculateDueCoins(row.shares_hundredths, isVoid);
    if (dueCoins === CARD_PRICE_COINS) return [];
    const reducedCents = calculateEarningOfCoins(row.earning_cents, dueCoins);
    return [{ ...row, amount_cents: row.earning_cents - reducedCents }];
  });
}

/** Returns a unique ledger reference. A restored sale can be reversed again. */
async function createReversalReference(tx: Tx, saleId: number): Promise<string> {
  const { rows } = await tx.execute<{ times: number }>(
    sql`select count(*)::integer as times from earning_restorations where sale_id = ${saleId}`,
  );
  const restorationCount = rows[0]?.times ?? 0;
  return restorationCount === 0 ? `sale:${saleId}` : `sale:${saleId}:${restorationCount + 1}`;
}
