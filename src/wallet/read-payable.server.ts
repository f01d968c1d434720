import { and, eq, sql } from "drizzle-orm";
import type { Tx } from "#platform/database.server.ts";
import { ledgerPostings } from "./tables.server.ts";

/** Returns the unpaid earnings of a creator in cents, without reversals. */
export async function readPayableCents(userId: string, tx: Tx): Promise<number> {
  const [row] = await tx
    .select({ cents: sql<number>`coalesce(sum(${ledgerPostings.amount}), 0)`.mapWith(Number) })
    .from(ledgerPostings)
    .where(and(eq(ledgerPostings.ownerId, userId), eq(ledgerPostings.account, "payable")));
  return row?.cents ?? 0;
}
