import { pool } from "#platform/database.server.ts";
import { likePrefix } from "#platform/query-parts.server.ts";
import type { TransactionKind } from "./post-to-ledger.server.ts";

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
