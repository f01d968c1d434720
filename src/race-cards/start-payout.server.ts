import { eq } from "drizzle-orm";
import { isId } from "#domain/id.ts";
import { writeAudit } from "#identity/identity.server.ts";
import { now } from "#platform/clock.server.ts";
import { transaction } from "#platform/database.server.ts";
import { waitsUntil } from "./read-bank-details.server.ts";
import { bankDetails, payouts } from "./tables.server.ts";

export type StartPayoutAnswer =
  | { ok: true }
  | { ok: false; refusal: "no-such-payout" | "already-paid" | "no-bank-details" }
  | { ok: false; refusal: "bank-details-new"; until: Date };

/**
 * Takes a payout up, for the operator: from then on it is being processed. Not within 72 hours of a
 * change of the bank details it goes to. Twice is once.
 */
export async function startPayout(actorId: string, payoutId: string): Promise<StartPayoutAnswer> {
  if (!isId(payoutId)) return { ok: false, refusal: "no-such-payout" };
  return await transaction(async (tx): Promise<StartPayoutAnswer> => {
    const [payout] = await tx.select().from(payouts).where(eq(payouts.id, payoutId)).for("update");
    if (!payout) return { ok: false, refusal: "no-such-payout" };
    if (payout.status === "paid") return { ok: false, refusal: "already-paid" };
    if (payout.status === "processing") return { ok: true };
    const [details] = await tx
      .select({ changedAt: bankDetails.changedAt })
      .from(bankDetails)
      .where(eq(bankDetails.creatorId, payout.creatorId));
    if (!details) return { ok: false, refusal: "no-bank-details" };
    const until = waitsUntil(details.changedAt);
    if (until) return { ok: false, refusal: "bank-details-new", until };
    await tx
      .update(payouts)
      .set({ status: "processing", processingAt: now() })
      .where(eq(payouts.id, payoutId));
    await writeAudit(tx, { actorId, act: "start-payout", subject: payoutId });
    return { ok: true };
  });
}
