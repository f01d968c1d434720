import { eq } from "drizzle-orm";
import { isId } from "#domain/id.ts";
import { readUsers, writeAudit } from "#identity/identity.server.ts";
import { now } from "#platform/clock.server.ts";
import { type Tx, transaction } from "#platform/database.server.ts";
import { queueMail } from "#platform/mailer.server.ts";
import { postToLedger } from "#wallet/wallet.server.ts";
import { payoutPaidMail } from "./payout-paid.email.tsx";
import { bankDetails, earnings, payouts } from "./tables.server.ts";

export type MarkPayoutPaidAnswer =
  | { ok: true }
  | { ok: false; refusal: "no-such-payout" | "not-processing" };

/**
 * Says, for the operator, that a payout which was being processed has been transferred: the ledger owes
 * its creator that much less, and they are told. Twice is once.
 */
export async function markPayoutPaid(
  actorId: string,
  payoutId: string,
): Promise<MarkPayoutPaidAnswer> {
  if (!isId(payoutId)) return { ok: false, refusal: "no-such-payout" };
  return await transaction(async (tx): Promise<MarkPayoutPaidAnswer> => {
    const [payout] = await tx.select().from(payouts).where(eq(payouts.id, payoutId)).for("update");
    if (!payout) return { ok: false, refusal: "no-such-payout" };
    if (payout.status === "paid") return { ok: true };
    if (payout.status !== "processing") return { ok: false, refusal: "not-processing" };
    const { creatorId, amountCents } = payout;
    const transactionId = await postToLedger(tx, "payout", payoutId, [
      { account: "payable", owner: creatorId, unit: "cent", amount: -amountCents },
      { account: "bank", unit: "cent", amount: amountCents },
    ]);
    if (transactionId === null) throw new Error("a payout was posted and is not marked as paid");
    const paidAt = now();
    await tx
      .update(payouts)
      .set({ status: "paid", paidAt, transactionId })
      .where(eq(payouts.id, payoutId));
    await writeAudit(tx, {
      actorId,
      act: "mark-payout-paid",
      subject: payoutId,
      details: { amountCents },
    });
    await tellPaid(tx, { payoutId, creatorId, amountCents, paidAt });
    return { ok: true };
  });
}

async function tellPaid(
  tx: Tx,
  payout: { payoutId: string; creatorId: string; amountCents: number; paidAt: Date },
): Promise<void> {
  const { payoutId, creatorId, amountCents, paidAt } = payout;
  const user = (await readUsers([creatorId], tx)).get(creatorId);
  if (!user) return;
  const [details] = await tx
    .select({ accountEnding: bankDetails.accountEnding })
    .from(bankDetails)
    .where(eq(bankDetails.creatorId, creatorId));
  const sales = await tx.$count(earnings, eq(earnings.payoutId, payoutId));
  await queueMail(tx, {
    to: user.email,
    userId: user.id,
    kind: "payout-paid",
    ...(await payoutPaidMail({
      name: user.name,
      amountCents,
      sales,
      accountEnding: details?.accountEnding ?? null,
      paidAt,
    })),
  });
}
