import { sql } from "drizzle-orm";
import { database, type Tx } from "#platform/database.server.ts";
import { readWallet } from "#wallet/wallet.server.ts";

/** The unspent coins of a purchase, and what was paid for them. */
export type UnspentCoins = {
  purchaseId: string;
  coins: number;
  amountCents: number;
  /** What was refunded or lost of the payment before. */
  returnedCents: number;
  /** False for the coins of a claim code: their payment could not be refunded. */
  isRefundable: boolean;
};

type Receipt = {
  /** Null for a grant. */
  purchaseId: string | null;
  coins: number;
  giftCoins: number;
  totalCoins: number;
  totalCents: number;
  returnedCents: number;
  remainingCents: number;
  isRefundable: boolean;
};

/**
 * Returns the bought coins among the last `balanceCoins` that a user received, the newest first: the oldest coins are
 * spent first, and those of a purchase before its welcome coins. Welcome coins and grants are not listed.
 */
export async function listUnspentCoins(
  userId: string,
  balanceCoins: number,
  tx: Tx | ReturnType<typeof database> = database(),
): Promise<UnspentCoins[]> {
  if (balanceCoins === 0) return [];
  const { rows } = await tx.execute<Receipt>(sql`
    select p.id as "purchaseId", p.coins - p.recovered_coins as coins,
      case when p.refunded_cents + p.lost_cents < p.amount_cents then p.welcome_coins else 0 end as "giftCoins",
      p.coins as "totalCoins", p.amount_cents as "totalCents",
      least(p.amount_cents, p.refunded_cents + p.lost_cents) as "returnedCents",
      greatest(0, p.amount_cents - p.refunded_cents - p.lost_cents) as "remainingCents",
      p.payment_id is not null as "isRefundable", p.transaction_id
    from coin_purchases p where p.user_id = ${userId}
    union all
    select r.purchase_id, r.coins, 0, r.coins, r.amount_cents, least(p.amount_cents, p.refunded_cents + p.lost_cents),
      r.amount_cents, false, r.claim_transaction_id
    from unspent_coin_refunds r join coin_purchases p on p.id = r.purchase_id where r.claimed_by = ${userId}
    union all
    select null, 0, sum(l.amount)::integer, 0, 0, 0, 0, false, t.id
    from ledger_postings l join ledger_transactions t on t.id = l.transaction_id
    where l.owner_id = ${userId} and l.account in ('wallet', 'owed') and t.kind = 'grant'
    group by t.id
    order by transaction_id desc`);
  let remainingCoins = balanceCoins;
  return rows.flatMap((receipt) => {
    remainingCoins -= Math.min(remainingCoins, receipt.giftCoins);
    const coins = Math.min(remainingCoins, receipt.coins);
    remainingCoins -= coins;
    const amountCents = calculateValue(receipt, coins);
    return receipt.purchaseId && amountCents > 0
      ? [
          {
            purchaseId: receipt.purchaseId,
            coins,
            amountCents,
            returnedCents: receipt.returnedCents,
            isRefundable: receipt.isRefundable,
          },
        ]
      : [];
  });
}

/** Returns what was paid for some coins of a purchase, rounded up so that refunding it takes all of them. */
function calculateValue(receipt: Receipt, coins: number): number {
  const { totalCents, totalCoins, remainingCents } = receipt;
  if (coins === receipt.coins) return remainingCents;
  return Math.min(remainingCents, Math.ceil((totalCents * coins) / totalCoins));
}

/** What becomes of the coins of an account that is closed. */
export type CoinsAtClosing = { refundedCoins: number; refundedCents: number; lapsedCoins: number };

/** Returns what would become of a user's coins if the account were closed now. */
export async function previewCoinsAtClosing(userId: string): Promise<CoinsAtClosing> {
  const { balanceCoins } = await readWallet(userId);
  return sumCoinsAtClosing(balanceCoins, await listUnspentCoins(userId, balanceCoins));
}

/** Returns the totals of unspent coins. The others of the balance lapse. */
export function sumCoinsAtClosing(
  balanceCoins: number,
  unspentCoins: readonly UnspentCoins[],
): CoinsAtClosing {
  const refundedCoins = unspentCoins.reduce((total, { coins }) => total + coins, 0);
  const refundedCents = unspentCoins.reduce((total, { amountCents }) => total + amountCents, 0);
  return { refundedCoins, refundedCents, lapsedCoins: balanceCoins - refundedCoins };
}
