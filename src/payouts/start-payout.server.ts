import { eq } from "drizzle-orm";
import { isId } from "#domain/id.ts";
import { writeAudit } from "#platform/audit/audit.server.ts";
import { now } from "#platform/clock.server.ts";
import { transaction } from "#platform/database.server.ts";
import { lockPayout } from "./lock-payouts.server.ts";
import { calculateBlockedUntil } from "./read-bank-details.server.ts";
import { payouts } from "./tables.server.ts";

export type StartPayoutResult =
  | { ok: true }
  | {
      ok: false;
      refusal: "no-such-payout" | "yourself" | "already-paid" | "stopped" | "no-bank-details";
    }
  | { ok: false; refusal: "bank-details-new"; until: Date };

/**
 * Sets a payout to processing for an admin. Refuses within 72 hours after a change of the bank details.
 * Refuses the admin's own payout. Idempotent.
 */
export async function startPayout(actorId: string, payoutId: string): Promise<StartPayoutResult> {
  if (!isId(payoutId)) return { ok: false, refusal: "no-such-payout" };
  return await transaction(async (tx): Promise<StartPayoutResult> => {
    const locked = await lockPayout(tx, payoutId);
    if (!locked) return { ok: false, refusal: "no-such-payout" };
    const { payout, bankDetails } = locked;
    if (payout.creatorId === actorId) return { ok: false, refusal: "yourself" };
    if (payout.status === "paid") return { ok: false, refusal: "already-paid" };
    if (payout.status === "stopped") return { ok: false, refusal: "stopped" };
    if (payout.status === "processing") return { ok: true };
    if (!bankDetails) return { ok: false, refusal: "no-bank-details" };
    const until = calculateBlockedUntil(bankDetails.changedAt);
    if (until) return { ok: false, refusal: "bank-details-new", until };
    await tx
      .update(payouts)
      .set({ status: "processing", processingAt: now() })
      .where(eq(payouts.id, payoutId));
    await writeAudit(tx, { actorId, action: "start-payout", subject: payoutId });
    return { ok: true };
  });
}
