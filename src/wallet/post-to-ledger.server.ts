import { sql } from "drizzle-orm";
import { formatCoins } from "#domain/coins.ts";
import { raiseAlert } from "#platform/alerts.server.ts";
import { now } from "#platform/clock.server.ts";
import type { Tx } from "#platform/database.server.ts";
import type { ledgerTransactions } from "./tables.server.ts";

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
