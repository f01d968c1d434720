import { eq } from "drizzle-orm";
import { writeAudit } from "#audit/audit.server.ts";
import { type Tx, transaction } from "#platform/database.server.ts";
import {
  earningReversals,
  earnings,
  notifyReversedCreators,
  reverseEarning,
  sales,
} from "#sales/sales.server.ts";
import { readWallet } from "#wallet/wallet.server.ts";
import { REVIEW_REASONS } from "./list-held-earnings.server.ts";

export type ReviewEarningAnswer =
  | { ok: true }
  | {
      ok: false;
      refusal:
        | "no-such-sale"
        | "disputed"
        | "already-released"
        | "already-taken-back"
        | "reason-missing";
    };

/**
 * Lets go of an earning that was held for a review, for the operator: it can be paid out from its day
 * on. Not while a payment of its buyer is disputed. Twice is once.
 */
export async function releaseEarning(
  actorId: string,
  saleId: number,
): Promise<ReviewEarningAnswer> {
  return await transaction(async (tx): Promise<ReviewEarningAnswer> => {
    const earning = await lockEarning(tx, saleId);
    if (!earning) return { ok: false, refusal: "no-such-sale" };
    if (earning.isReversed) return { ok: false, refusal: "already-taken-back" };
    if (earning.heldReason === null) return { ok: true };
    if (!REVIEW_REASONS.includes(earning.heldReason) || earning.isDisputed)
      return { ok: false, refusal: "disputed" };
    await tx
      .update(earnings)
      .set({ heldAt: null, heldReason: null })
      .where(eq(earnings.saleId, saleId));
    await writeAudit(tx, { actorId, action: "release-earning", subject: `sale:${saleId}` });
    return { ok: true };
  });
}

/**
 * Takes an earning back that was held for a review, for the operator: its creator is never paid for
 * that sale. The buyer's card stays open. Twice is once.
 */
export async function reverseHeldEarning(
  actorId: string,
  saleId: number,
  reason: string,
): Promise<ReviewEarningAnswer> {
  if (reason.trim() === "") return { ok: false, refusal: "reason-missing" };
  return await transaction(async (tx): Promise<ReviewEarningAnswer> => {
    const earning = await lockEarning(tx, saleId);
    if (!earning) return { ok: false, refusal: "no-such-sale" };
    if (earning.isReversed) return { ok: true };
    if (earning.heldReason === null) return { ok: false, refusal: "already-released" };
    if (!REVIEW_REASONS.includes(earning.heldReason)) return { ok: false, refusal: "disputed" };
    const { creatorId, amountCents } = earning;
    const row = { sale_id: saleId, creator_id: creatorId, amount_cents: amountCents };
    await reverseEarning(tx, row, { reason: "review" });
    await notifyReversedCreators(tx, [row], "review", reason);
    await writeAudit(tx, {
      actorId,
      action: "take-earning-back",
      subject: `sale:${saleId}`,
      details: { reason: reason.trim() },
    });
    return { ok: true };
  });
}

/** The buyer's wallet first, as everything that holds or reverses does, then the earning. */
async function lockEarning(tx: Tx, saleId: number) {
  const [sale] = await tx
    .select({ buyerId: sales.buyerId })
    .from(sales)
    .where(eq(sales.id, saleId));
  if (!sale) return null;
  const { isFrozen } = await readWallet(sale.buyerId, tx);
  const [earning] = await tx
    .select()
    .from(earnings)
    .where(eq(earnings.saleId, saleId))
    .for("update");
  if (!earning) return null;
  const reversals = await tx.$count(earningReversals, eq(earningReversals.saleId, saleId));
  return { ...earning, isDisputed: isFrozen, isReversed: reversals > 0 };
}
