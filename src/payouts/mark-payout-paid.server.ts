import { and, eq } from "drizzle-orm";
import { writeAudit } from "#audit/audit.server.ts";
import { isId } from "#domain/id.ts";
import { readUsers } from "#identity/identity.server.ts";
import { now } from "#platform/clock.server.ts";
import { type Tx, transaction } from "#platform/database.server.ts";
import { enqueueMail } from "#platform/mail/mailer.server.ts";
import { earnings } from "#sales/sales.server.ts";
import { postToLedger } from "#wallet/wallet.server.ts";
import { type LockedPayout, lockPayout } from "./lock-payouts.server.ts";
import { payoutPaidMail } from "./payout-paid.email.tsx";
import { waitsUntil } from "./read-bank-details.server.ts";
import { paymentExportLines, payouts } from "./tables.server.ts";

export type MarkPayoutPaidAnswer =
  | { ok: true }
  | { ok: false; refusal: "no-such-payout" | "not-processing" | "not-exported" | "stopped" }
  | { ok: false; refusal: "bank-details-new"; until: Date };

/**
 * Records, for the operator, that the bank has made the transfer of an exported payout: the ledger owes its
 * creator that much less, and the creator is told which account the file named. Refused within 72 hours
 * after a change of their bank details. Twice is once.
 */
export async function markPayoutPaid(
  actorId: string,
  payoutId: string,
): Promise<MarkPayoutPaidAnswer> {
  if (!isId(payoutId)) return { ok: false, refusal: "no-such-payout" };
  return await transaction(async (tx): Promise<MarkPayoutPaidAnswer> => {
    const locked = await lockPayout(tx, payoutId);
    if (!locked) return { ok: false, refusal: "no-such-payout" };
    const { payout, bankDetails } = locked;
    if (payout.status === "paid") return { ok: true };
    if (payout.status === "stopped") return { ok: false, refusal: "stopped" };
    if (payout.status !== "processing") return { ok: false, refusal: "not-processing" };
    if (!payout.exportId) return { ok: false, refusal: "not-exported" };
    const until = bankDetails && waitsUntil(bankDetails.changedAt);
    if (until) return { ok: false, refusal: "bank-details-new", until };

    const { accountEnding, amountCents } = await readExportedLine(tx, payout, payout.exportId);
    const transactionId = await postToLedger(tx, "payout", payoutId, [
      { account: "payable", owner: payout.creatorId, unit: "cent", amount: -amountCents },
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
      action: "mark-payout-paid",
      subject: payoutId,
      details: { amountCents, accountEnding, exportId: payout.exportId },
    });
    await tellPaid(tx, payout, { accountEnding, paidAt });
    return { ok: true };
  });
}

/** What the payment file told the bank to pay. Throws where it differs from the payout. */
async function readExportedLine(tx: Tx, payout: LockedPayout, exportId: string) {
  const [line] = await tx
    .select({
      amountCents: paymentExportLines.amountCents,
      accountEnding: paymentExportLines.accountEnding,
    })
    .from(paymentExportLines)
    .where(
      and(eq(paymentExportLines.exportId, exportId), eq(paymentExportLines.payoutId, payout.id)),
    );
  if (line?.amountCents !== payout.amountCents)
    throw new Error(`payout ${payout.id} is not what its payment file says`);
  return line;
}

async function tellPaid(
  tx: Tx,
  { id, creatorId, amountCents }: LockedPayout,
  paid: { accountEnding: string | null; paidAt: Date },
): Promise<void> {
  const user = (await readUsers([creatorId], tx)).get(creatorId);
  if (!user) return;
  const sales = await tx.$count(earnings, eq(earnings.payoutId, id));
  await enqueueMail(tx, {
    to: user.email,
    userId: user.id,
    kind: "payout-paid",
    ...(await payoutPaidMail({ name: user.name, amountCents, sales, ...paid })),
  });
}
