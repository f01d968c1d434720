import { asc, inArray } from "drizzle-orm";
import type { Tx } from "#platform/database.server.ts";
import { bankDetails, payouts } from "./tables.server.ts";

export type LockedPayout = typeof payouts.$inferSelect;
type LockedBankDetails = typeof bankDetails.$inferSelect;

/**
 * Locks payouts and their creators' bank details for this transaction, and returns the payouts oldest first.
 * Must be called before any decision about a payout. All transactions that create, change, export or pay
 * payouts lock bank details first (by creator), then payouts (by id), then earnings. This order prevents
 * races and deadlocks.
 */
export async function lockPayouts(
  tx: Tx,
  payoutIds: string[],
): Promise<{ payouts: LockedPayout[]; bankDetails: Map<string, LockedBankDetails> }> {
  const creators = await tx
    .selectDistinct({ creatorId: payouts.creatorId })
    .from(payouts)
    .where(inArray(payouts.id, payoutIds));
  const details = await lockBankDetails(
    tx,
    creators.map((row) => row.creatorId),
  );
  const locked = await tx
    .select()
    .from(payouts)
    .where(inArray(payouts.id, payoutIds))
    .orderBy(asc(payouts.id))
    .for("update");
  return {
    payouts: locked.toSorted(
      (a, b) => a.requestedAt.getTime() - b.requestedAt.getTime() || (a.id < b.id ? -1 : 1),
    ),
    bankDetails: details,
  };
}

/** Locks the bank details of these creators, which blocks all other changes of their payouts. */
export async function lockBankDetails(
  tx: Tx,
  creatorIds: string[],
): Promise<Map<string, LockedBankDetails>> {
  if (creatorIds.length === 0) return new Map();
  const rows = await tx
    .select()
    .from(bankDetails)
    .where(inArray(bankDetails.creatorId, creatorIds))
    .orderBy(asc(bankDetails.creatorId))
    .for("update");
  return new Map(rows.map((row) => [row.creatorId, row]));
}

/** Locks one payout and its bank details; returns null when it does not exist. */
export async function lockPayout(
  tx: Tx,
  payoutId: string,
): Promise<{ payout: LockedPayout; bankDetails: LockedBankDetails | null } | null> {
  const locked = await lockPayouts(tx, [payoutId]);
  const [payout] = locked.payouts;
  return payout ? { payout, bankDetails: locked.bankDetails.get(payout.creatorId) ?? null } : null;
}
