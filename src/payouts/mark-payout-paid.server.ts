import { and, eq } from "drizzle-orm";
import { readUsers } from "#accounts/accounts.server.ts";
import { isId } from "#domain/id.ts";
import { writeAudit } from "#platform/audit/audit.server.ts";
import { now } from "#platform/clock.server.ts";
import { type Tx, transaction } from "#platform/database.server.ts";
import { enqueueEmail } from "#platform/mail/mailer.server.ts";
import { earnings } from "#sales/sales.server.ts";
import { postToLedger } from "#wallet/wallet.server.ts";
import { type LockedPayout, lockPayout } from "./lock-payouts.server.ts";
import { renderPayoutPaidEmail } from "./payout-paid.email.tsx";
import { calculateBlockedUntil } from "./read-bank-details.server.ts";
import { paymentExportLines, payouts, payoutTransfers } from "./tables.server.ts";

export type MarkPayoutPaidResult =
  | { ok: true }
  | {
      ok: false;
      refusal:
        | "no-such-payout"
        | "yourself"
        | "not-processing"
        | "not-exported"
        | "stopped"
        | "transfer-in-progress"
        | "export-changed";
    }
  | { ok: false; refusal: "bank-details-new"; until: Date };

/**
 * Records for an admin that the bank has paid an exported payout: posts it to the ledger and emails the
 * creator. Refuses the admin's own payout, a payout in a transfer, which only the provider reports as paid, a payout in
 * another export than the admin was shown, whose payment the admin has not seen, and within 72 hours after a change of
 * the bank details. Idempotent.
 */
export async function markPayoutPaid(
  actorId: string,
  payoutId: string,
  shownExportId: string | null,
): Promise<MarkPayoutPaidResult> {
  if (!isId(payoutId)) return { ok: false, refusal: "no-such-payout" };
  return await transaction(async (tx): Promise<MarkPayoutPaidResult> => {
    const locked = await lockPayout(tx, payoutId);
    if (!locked) return { ok: false, refusal: "no-such-payout" };
    const { payout, bankDetails } = locked;
    if (payout.creatorId === actorId) return { ok: false, refusal: "yourself" };
    const isShownExport = payout.exportId === shownExportId;
    if (payout.status === "paid" && isShownExport) return { ok: true };
    if (payout.status === "paid") return { ok: false, refusal: "export-changed" };
    if (payout.status === "stopped") return { ok: false, refusal: "stopped" };
    if (payout.status !== "processing") return { ok: false, refusal: "not-processing" };
    if (!payout.exportId) return { ok: false, refusal: "not-exported" };
    const until = bankDetails && calculateBlockedUntil(bankDetails.changedAt);
    if (await tx.$count(payoutTransfers, eq(payoutTransfers.exportId, payout.exportId)))
      return { ok: false, refusal: "transfer-in-progress" };
    if (!isShownExport) return { ok: false, refusal: "export-changed" };
    if (until) return { ok: false, refusal: "bank-details-new", until };
    await recordPayment(tx, actorId, payout);
    return { ok: true };
  });
}

/**
 * Records that a payout was paid, as the line of its payment file or release says: posts it to the ledger and emails the
 * creator. The payout must be locked, processing and exported. The actor is null when a provider reported it.
 */
export async function recordPayment(
  tx: Tx,
  actorId: string | null,
  payout: LockedPayout,
): Promise<void> {
  const { id: payoutId, exportId } = payout;
  if (!exportId) throw new Error(`payout ${payoutId} was not exported`);
  const { accountLast4, amountCents } = await readExportedPayment(tx, payout, exportId);
  const transactionId = await postToLedger(tx, "payout", payoutId, [
    { account: "payable", owner: payout.creatorId, unit: "cent", amount: -amountCents },
    { account: "bank", unit: "cent", amount: amountCents },
  ]);
  if (transactionId === null) throw new Error("the payout was posted but is not marked as paid");
  const paidAt = now();
  await tx
    .update(payouts)
    .set({ status: "paid", paidAt, transactionId })
    .where(eq(payouts.id, payoutId));
  await writeAudit(tx, {
    actorId,
    action: "mark-payout-paid",
    subject: payoutId,
    details: { amountCents, accountLast4, exportId },
  });
  await enqueuePaidEmail(tx, payout, { accountLast4, paidAt });
}

/** Reads the payment of this payout in the payment file. Throws when its amount differs from the payout. */
async function readExportedPayment(tx: Tx, payout: LockedPayout, exportId: string) {
  const [payment] = await tx
    .select({
      amountCents: paymentExportLines.amountCents,
      accountLast4: paymentExportLines.accountLast4,
    })
    .from(paymentExportLines)
    .where(
      and(eq(paymentExportLines.exportId, exportId), eq(paymentExportLines.payoutId, payout.id)),
    );
  if (payment?.amountCents !== payout.amountCents)
    throw new Error(`payout ${payout.id} differs from its payment file`);
  return payment;
}

async function enqueuePaidEmail(
  tx: Tx,
  { id, creatorId, amountCents }: LockedPayout,
  payment: { accountLast4: string | null; paidAt: Date },
): Promise<void> {
  const user = (await readUsers([creatorId], tx)).get(creatorId);
  if (!user) return;
  const sales = await tx.$count(earnings, eq(earnings.payoutId, id));
  await enqueueEmail(tx, {
    to: user.email,
    userId: user.id,
    kind: "payout-paid",
    ...(await renderPayoutPaidEmail({ name: user.name, amountCents, sales, ...payment })),
  });
}
