import { asc, inArray } from "drizzle-orm";
import type { Tx } from "#platform/database.server.ts";
import { bankDetails, payouts } from "./tables.server.ts";

export type LockedPayout = typeof payouts.$inferSelect;
type LockedBankDetails = typeof bankDetails.$inferSelect;

/**
 * Locks payouts and their creators' bank details for this transaction, oldest payout first. Must be called
 * before anything of a payout is decided: everything that makes, changes, exports or pays a payout locks
 * the bank details first (by creator), then the payouts (by id), then earnings, so that none of it overlaps
 * and none waits in a circle.
 */
export async function lockPayouts(
  tx: Tx,
  payoutIds: string[],
): Promise<{ payouts: LockedPayout[]; bankDetails: Map<string, LockedBankDetails> }> {
  const owners = await tx
    .selectDistinct({ creatorId: payouts.creatorId })
    .from(payouts)
    .where(inArray(payouts.id, payoutIds));
  const details = await lockBankDetails(
    tx,
    owners.map((row) => row.creatorId),
  );
  const locked = await tx
    .select()
    .from(payouts)
    .where(inArray(payouts.id, payoutIds))
    .orderBy(asc(payouts.id))
    .for("update");
  return {
    payouts: locked.toSorted(
      (one, other) =>
        one.requestedAt.getTime() - other.requestedAt.getTime() || (one.id < other.id ? -1 : 1),
    ),
    bankDetails: details,
  };
}

/** Locks the bank details of these creators, which holds up every other change of their payouts. */
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

/** The same of one payout; null when there is none with this id. */
export async function lockPayout(
  tx: Tx,
  payoutId: string,
): Promise<{ payout: LockedPayout; bankDetails: LockedBankDetails | null } | null> {
  const locked = await lockPayouts(tx, [payoutId]);
  const [payout] = locked.payouts;
  return payout ? { payout, bankDetails: locked.bankDetails.get(payout.creatorId) ?? null } : null;
}
