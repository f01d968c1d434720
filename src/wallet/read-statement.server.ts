import { and, desc, eq, lt } from "drizzle-orm";
import { database } from "#platform/database.server.ts";
import { toPage } from "#platform/keyset-paging.server.ts";
import type { TransactionKind } from "./post-to-ledger.server.ts";
import { ledgerPostings, ledgerTransactions } from "./tables.server.ts";

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
