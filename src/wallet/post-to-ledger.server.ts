import { sql } from "drizzle-orm";
import { now } from "#platform/clock.server.ts";
import type { Tx } from "#platform/database.server.ts";
import type { ledgerTransactions } from "./tables.server.ts";

export type TransactionKind = (typeof ledgerTransactions.$inferInsert)["kind"];

/**
 * One side of a ledger transaction. Coins: 'wallet' and 'owed' belong to a user; 'sold', 'welcome'
 * and 'granted' are where coins come from, 'redeemed' and 'forfeited' where they end. Cents: 'payable'
 * is what a creator is owed; the rest is the house's. An amount is signed and never zero.
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
 * Posts one ledger transaction within the caller's database transaction and moves the wallets it
 * names. Answers its id, or null when this kind and reference were posted before: then nothing moves.
 * The database refuses postings that do not balance in each unit, and a wallet below zero.
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
