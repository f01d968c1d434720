import { and, desc, eq, lt, sql } from "drizzle-orm";
import { formatCoins } from "#domain/coins.ts";
import { raiseAlert } from "#platform/alerts.server.ts";
import { now } from "#platform/clock.server.ts";
import { type Database, database, pool, type Tx } from "#platform/database.server.ts";
import { toPage } from "#platform/keyset-paging.server.ts";
import { likePrefix } from "#platform/query-parts.server.ts";
import { ledgerPostings, ledgerTransactions } from "./tables.server.ts";

export type TransactionKind = (typeof ledgerTransactions.$inferInsert)["kind"];

/**
 * One side of a ledger transaction. Coins: 'wallet', 'owed' and 'forfeited' (the coins that a closed account left to
 * the house) belong to a user; 'sold', 'welcome' and 'granted' are sources of coins, 'redeemed' is a sink. Cents: 'payable' is
 * owed to a creator; the other accounts belong to the company. Amounts are signed and never zero.
 */
export type Posting =
  | { account: "wallet" | "owed" | "forfeited"; owner: string; unit: "coin"; amount: number }
  | {
      account: "sold" | "welcome" | "granted" | "redeemed";
      unit: "coin";
      amount: number;
    }
  | { account: "payable"; owner: string; unit: "cent"; amount: number }
  | { account: "commission" | "provider" | "coin sales" | "bank"; unit: "cent"; amount: number };

/**
 * Posts a ledger transaction within the caller's database transaction and updates the wallets.
 * Returns its id, or null without any effect when this kind and reference were posted before.
 * Throws when the postings do not balance in each unit, or when a wallet balance would become
 * negative. Coins for a closed account go to the house instead, with an alert.
 */
export async function postToLedger(
  tx: Tx,
  kind: TransactionKind,
  reference: string,
  postings: Posting[],
): Promise<number | null> {
  const result = await tx.execute<{ id: number | null }>(
    sql`select post_to_ledger(${kind}, ${reference}, ${now()}, ${JSON.stringify(postings)}::jsonb) as id`,
  );
  const transactionId = result.rows[0]?.id ?? null;
  const canReachWallet = postings.some(({ account, amount }) => account === "wallet" && amount > 0);
  // A payment after the closing has an alert of its own.
  if (transactionId !== null && canReachWallet && kind !== "purchase")
    await alertAboutClosedAccounts(tx, transactionId);
  return transactionId;
}

/** Raises an alert for each closed account whose coins the house received instead. */
async function alertAboutClosedAccounts(tx: Tx, transactionId: number): Promise<void> {
  const { rows } = await tx.execute<{ owner: string; coins: number; reference: string }>(
    sql`select p.owner_id as owner, p.amount::integer as coins, t.kind || ' ' || t.reference as reference
      from ledger_postings p join ledger_transactions t on t.id = p.transaction_id
      where p.transaction_id = ${transactionId} and p.account = 'forfeited' and p.amount > 0`,
  );
  for (const { owner, coins, reference } of rows)
    await raiseAlert(
      {
        kind: "coins-of-closed-account",
        subject: owner,
        message: `${formatCoins(coins)} for a closed account went to the house: ${reference}.`,
      },
      tx,
    );
}

/** One posting to a wallet, with the resulting balance and the reference of its transaction. */
export type StatementLine = {
  id: number;
  kind: TransactionKind;
  reference: string;
  amountCoins: number;
  balanceCoins: number;
  movedAt: Date;
};

/**
 * Returns a page of the postings to a wallet, newest first, optionally only those earlier than `before`. `next` is the
 * `beforeId` of the next page.
 */
export async function readStatement(
  userId: string,
  {
    beforeId,
    before,
    limit = 20,
  }: { beforeId?: number; before?: Date | null; limit?: number } = {},
): Promise<{ lines: StatementLine[]; next: number | null }> {
  const rows = await database()
    .select({
      id: ledgerPostings.id,
      kind: ledgerTransactions.kind,
      reference: ledgerTransactions.reference,
      amountCoins: ledgerPostings.amount,
      balanceCoins: ledgerPostings.balanceAfter,
      movedAt: ledgerTransactions.createdAt,
    })
    .from(ledgerPostings)
    .innerJoin(ledgerTransactions, eq(ledgerTransactions.id, ledgerPostings.transactionId))
    .where(
      and(
        eq(ledgerPostings.ownerId, userId),
        eq(ledgerPostings.account, "wallet"),
        beforeId === undefined ? undefined : lt(ledgerPostings.id, beforeId),
        before ? lt(ledgerTransactions.createdAt, before) : undefined,
      ),
    )
    .orderBy(desc(ledgerPostings.id))
    .limit(limit + 1);
  const { page, next } = toPage(rows, limit, ({ id }) => id);
  return { lines: page.map((row) => ({ ...row, balanceCoins: row.balanceCoins ?? 0 })), next };
}

/** Returns the coins that the grant with this reference gave, repaid debts included, or null if there is none. */
export async function readGrantedCoins(tx: Tx, reference: string): Promise<number | null> {
  const [row] = await tx
    .select({ amount: ledgerPostings.amount })
    .from(ledgerPostings)
    .innerJoin(ledgerTransactions, eq(ledgerTransactions.id, ledgerPostings.transactionId))
    .where(
      and(
        eq(ledgerTransactions.kind, "grant"),
        eq(ledgerTransactions.reference, reference),
        eq(ledgerPostings.account, "granted"),
      ),
    );
  return row ? -row.amount : null;
}

/** Returns the coins of a purchase's ledger transaction that repaid what the buyer owed. */
export async function readRepaidCoins(
  transactionId: number,
  tx: Database | Tx = database(),
): Promise<number> {
  const [row] = await tx
    .select({ amount: ledgerPostings.amount })
    .from(ledgerPostings)
    .where(
      and(eq(ledgerPostings.transactionId, transactionId), eq(ledgerPostings.account, "owed")),
    );
  return row?.amount ?? 0;
}

/** Returns the unpaid earnings of a creator in cents, without reversals. */
export async function readPayableCents(userId: string, tx: Tx): Promise<number> {
  const [row] = await tx
    .select({ cents: sql<number>`coalesce(sum(${ledgerPostings.amount}), 0)`.mapWith(Number) })
    .from(ledgerPostings)
    .where(and(eq(ledgerPostings.ownerId, userId), eq(ledgerPostings.account, "payable")));
  return row?.cents ?? 0;
}

/** One ledger transaction with all of its postings. */
export type LedgerTransaction = {
  id: number;
  kind: TransactionKind;
  reference: string;
  createdAt: Date;
  postings: { account: string; ownerId: string | null; unit: "coin" | "cent"; amount: number }[];
};

/**
 * Returns the first 50 transactions with a reference or, with `isPrefix`, with references that start with
 * it.
 */
export async function findTransactions(
  kind: TransactionKind,
  reference: string,
  { isPrefix = false }: { isPrefix?: boolean } = {},
): Promise<LedgerTransaction[]> {
  const { rows } = await pool().query<LedgerTransaction>(
    `select t.id, t.kind, t.reference, t.created_at as "createdAt",
       (select json_agg(json_build_object('account', p.account, 'ownerId', p.owner_id,
           'unit', p.unit, 'amount', p.amount) order by p.id)
         from ledger_postings p where p.transaction_id = t.id) as postings
     from ledger_transactions t
     where t.kind = $1 and t.reference ${isPrefix ? "like" : "="} $2
     order by t.id limit 50`,
    [kind, isPrefix ? likePrefix(reference) : reference],
  );
  return rows;
}
