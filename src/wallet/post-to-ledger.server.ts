import { sql } from "drizzle-orm";
import { now } from "#platform/clock.server.ts";
import type { Tx } from "#platform/database.server.ts";
import type { ledgerTransactions } from "./tables.server.ts";

export type TransactionKind = (typeof ledgerTransactions.$inferInsert)["kind"];

/**
 * One side of a ledger transaction. Coins: 'wallet' and 'owed' belong to a user; 'sold', 'welcome'
 * and 'granted' are sources of coins, 'redeemed' and 'forfeited' are sinks. Cents: 'payable' is
 * owed to a creator; the other accounts belong to the company. Amounts are signed and never zero.
 */
export type Posting =
  | { account: "wallet" | "owed"; owner: string; unit: "coin"; amount: number }
  | {
      account: "sold" | "welcome" | "granted" | "redeemed" | "forfeited";
      unit: "coin";
      amount: number;
    }
  | { account: "payable"; owner: string; unit: "cent"; amount: number }
  | { account: "commission" | "provider" | "coin sales" | "bank"; unit: "cent"; amount: number };

/**
 * Posts a ledger transaction within the caller's database transaction and updates the wallets.
 * Returns its id, or null without any effect when this kind and reference were posted before.
 * Throws when the postings do not balance in each unit, or when a wallet balance would become
 * negative.
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
  return result.rows[0]?.id ?? null;
}
