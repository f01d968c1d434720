import { eq } from "drizzle-orm";
import { notifyCreator } from "#creators/creators.server.ts";
import { formatCents } from "#domain/format-cents.ts";
import { writeAudit } from "#platform/audit/audit.server.ts";
import { now } from "#platform/clock.server.ts";
import { transaction } from "#platform/database.server.ts";
import { earnings, lockEarning, reverseEarning } from "#sales/sales.server.ts";
import { REVIEW_REASONS } from "./list-held-earnings.server.ts";

export type ReviewEarningResult =
  | { ok: true }
  | {
      ok: false;
      refusal:
        | "no-such-sale"
        | "yourself"
        | "disputed"
        | "already-released"
        | "already-reversed"
        | "reason-missing";
    };

/**
 * Releases an earning held for a review, so that it can be paid out from its payable date. It is not held for the
 * share of guest deals again. Refuses while a payment of its buyer is disputed. Idempotent.
 */
export async function releaseEarning(
  actorId: string,
  saleId: number,
): Promise<ReviewEarningResult> {
  return await transaction(async (tx): Promise<ReviewEarningResult> => {
    const earning = await lockEarning(tx, saleId);
    if (!earning) return { ok: false, refusal: "no-such-sale" };
    if (earning.creatorId === actorId) return { ok: false, refusal: "yourself" };
    if (earning.isReversed) return { ok: false, refusal: "already-reversed" };
    if (earning.heldReason === null) return { ok: true };
    if (!REVIEW_REASONS.includes(earning.heldReason) || earning.isDisputed)
      return { ok: false, refusal: "disputed" };
    await tx
      .update(earnings)
      .set({ heldAt: null, heldReason: null, reviewedAt: now() })
      .where(eq(earnings.saleId, saleId));
    await writeAudit(tx, { actorId, action: "release-earning", subject: `sale:${saleId}` });
    return { ok: true };
  });
}

/**
 * Reverses an earning held for a review, so that the creator is not paid for that sale. The buyer keeps the
 * race card. Idempotent.
 */
export async function reverseHeldEarning(
  actorId: string,
  saleId: number,
  reason: string,
): Promise<ReviewEarningResult> {
  if (reason.trim() === "") return { ok: false, refusal: "reason-missing" };
  return await transaction(async (tx): Promise<ReviewEarningResult> => {
    const earning = await lockEarning(tx, saleId);
    if (!earning) return { ok: false, refusal: "no-such-sale" };
    if (earning.creatorId === actorId) return { ok: false, refusal: "yourself" };
    if (earning.isReversed) return { ok: true };
    if (earning.heldReason === null) return { ok: false, refusal: "already-released" };
    if (!REVIEW_REASONS.includes(earning.heldReason)) return { ok: false, refusal: "disputed" };
    const { creatorId, amountCents } = earning;
    const row = { sale_id: saleId, creator_id: creatorId, amount_cents: amountCents };
    await reverseEarning(tx, row, "review");
    await notifyCreator(tx, {
      creatorId,
      title: `${formatCents(amountCents)} of your earnings was reversed`,
      message: "we reversed what you earned from 1 sale, because we reviewed the sale.",
      reason,
    });
    await writeAudit(tx, {
      actorId,
      action: "reverse-earning",
      subject: `sale:${saleId}`,
      details: { reason: reason.trim() },
    });
    return { ok: true };
  });
}
