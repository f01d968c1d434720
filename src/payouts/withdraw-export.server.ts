import { eq, inArray } from "drizzle-orm";
import { isId } from "#domain/id.ts";
import { writeAudit } from "#platform/audit/audit.server.ts";
import { now } from "#platform/clock.server.ts";
import { type Tx, transaction } from "#platform/database.server.ts";
import { earnings } from "#sales/sales.server.ts";
import { holdGuestDeals } from "./hold-guest-deals.server.ts";
import { LATE_HOLD_REASON } from "./list-held-earnings.server.ts";
import { type LockedPayout, lockPayout } from "./lock-payouts.server.ts";
import { removeChangedEarnings, removeFromPayouts } from "./remove-from-payouts.server.ts";
import { lateHolds, payouts } from "./tables.server.ts";
import { endTransfer, findUnknownTransfer } from "./transfers/withdraw-transfer.server.ts";

export type WithdrawExportResult =
  | { ok: true }
  | {
      ok: false;
      refusal:
        | "no-such-payout"
        | "yourself"
        | "already-paid"
        | "not-exported"
        | "stopped"
        | "reason-missing"
        | "transfer-in-progress"
        | "export-changed";
    };

/**
 * Withdraws a payout from its payment file. The admin must have made sure that the bank has not paid it and
 * will not pay it. Refuses the admin's own payout, and a payout in another export than the admin was shown, which the
 * bank may pay. The next payment file uses the bank details on record at that time. Removes earnings from the payout
 * that should have been held after the export, or that void tips, lost payments or off times have changed since.
 *
 * A transfer can be withdrawn before it was sent, while its provider does not know it, or when the provider reports that
 * it has paid another amount, which the admin must have claimed back.
 */
export async function withdrawExport(
  actorId: string,
  payoutId: string,
  { shownExportId, reason }: { shownExportId: string | null; reason: string },
): Promise<WithdrawExportResult> {
  if (reason.trim() === "") return { ok: false, refusal: "reason-missing" };
  if (!isId(payoutId)) return { ok: false, refusal: "no-such-payout" };
  const transfer = await findUnknownTransfer(payoutId);
  return await transaction(async (tx): Promise<WithdrawExportResult> => {
    const locked = await lockPayout(tx, payoutId);
    if (!locked) return { ok: false, refusal: "no-such-payout" };
    const { payout } = locked;
    if (payout.creatorId === actorId) return { ok: false, refusal: "yourself" };
    if (payout.status === "paid") return { ok: false, refusal: "already-paid" };
    if (payout.status === "stopped") return { ok: false, refusal: "stopped" };
    if (!payout.exportId) return { ok: false, refusal: "not-exported" };
    if (payout.exportId !== shownExportId) return { ok: false, refusal: "export-changed" };
    if (!(await endTransfer(tx, payout.exportId, payoutId, transfer)))
      return { ok: false, refusal: "transfer-in-progress" };
    await writeAudit(tx, {
      actorId,
      action: "withdraw-export",
      subject: payoutId,
      details: { exportId: payout.exportId, reason: reason.trim() },
    });
    await unlockPayout(tx, payout);
    return { ok: true };
  });
}

/**
 * Unlocks a payout that was not paid, so that it can be exported or released again. Applies what changed while it was
 * locked, and holds guest deals that must be reviewed since. The payout must be locked in this transaction.
 */
export async function unlockPayout(tx: Tx, payout: LockedPayout): Promise<void> {
  await tx.update(payouts).set({ exportId: null }).where(eq(payouts.id, payout.id));
  await applyLateHolds(tx, payout.id);
  await removeChangedEarnings(tx, [payout]);
  await holdGuestDeals(tx, payout.creatorId);
}

/** Holds the earnings that should have been held while their payout was locked. */
export async function applyLateHolds(tx: Tx, payoutId: string): Promise<void> {
  const deletedHolds = await tx
    .delete(lateHolds)
    .where(eq(lateHolds.payoutId, payoutId))
    .returning();
  const holdsByReason = Map.groupBy(deletedHolds, (hold) =>
    // If the dispute has been decided since, an admin must review the sale.
    hold.endedAt === null ? hold.reason : LATE_HOLD_REASON,
  );
  for (const [reason, holds] of holdsByReason) {
    const saleIds = holds.map((hold) => hold.saleId);
    await removeFromPayouts(tx, { saleIds, reason });
    await tx
      .update(earnings)
      .set({ heldAt: now(), heldReason: reason })
      // Includes earnings that were reversed as void when they left the payout, because a correction can restore them.
      .where(inArray(earnings.saleId, saleIds));
  }
}
