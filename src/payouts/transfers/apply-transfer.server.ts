import { eq, sql } from "drizzle-orm";
import { writeAudit } from "#audit/audit.server.ts";
import { formatCents } from "#domain/format-cents.ts";
import { readUsers } from "#identity/identity.server.ts";
import type { AlertKind } from "#platform/alert-kinds.ts";
import { raiseAlert } from "#platform/alerts.server.ts";
import { now } from "#platform/clock.server.ts";
import { type Tx, transaction } from "#platform/database.server.ts";
import type { GatewayError } from "#platform/gateway-error.ts";
import { enqueueEmail } from "#platform/mail/mailer.server.ts";
import { adjustEarnings, earnings, reverseEarningsOfClosedCreators } from "#sales/sales.server.ts";
import { postToLedger } from "#wallet/wallet.server.ts";
import { type LockedPayout, lockPayout } from "../lock-payouts.server.ts";
import { recordPayment } from "../mark-payout-paid.server.ts";
import { paymentExportLines, payouts, payoutTransfers } from "../tables.server.ts";
import { applyLateHolds, unlockPayout } from "../withdraw-export.server.ts";
import { renderPayoutReturnedEmail } from "./payout-returned.email.tsx";
import { isBalanceTooLow, type ReportedTransfer, toTransferStatus } from "./paystack.server.ts";

/** The status of a transfer after a report was applied; "differs" when the report is of another payment. */
export type TransferOutcome = "pending" | "paid" | "failed" | "returned" | "differs";

type StoredTransfer = typeof payoutTransfers.$inferSelect;

/** What the provider reports of a transfer, or its refusal of one that was never accepted. */
type Report = ReportedTransfer | { refusal: GatewayError };

/**
 * Applies what the provider reports of a transfer. A success pays the payout, a failure unlocks it, and money that comes
 * back after a success makes its earnings payable again. Idempotent, in any order: a report that contradicts an earlier
 * final one changes nothing but raises an alert, except that a success after a failure pays a payout that is unchanged.
 * Returns null when we have no such transfer.
 */
export async function applyTransfer(
  reference: string,
  report: Report,
): Promise<TransferOutcome | null> {
  return await transaction(async (tx): Promise<TransferOutcome | null> => {
    const [found] = await tx
      .select({ payoutId: payoutTransfers.payoutId })
      .from(payoutTransfers)
      .where(eq(payoutTransfers.reference, reference));
    const locked = found && (await lockPayout(tx, found.payoutId));
    if (!locked) return null;
    const [row] = await tx
      .select()
      .from(payoutTransfers)
      .innerJoin(
        paymentExportLines,
        sql`${paymentExportLines.exportId} = ${payoutTransfers.exportId}
          and ${paymentExportLines.payoutId} = ${payoutTransfers.payoutId}`,
      )
      .where(eq(payoutTransfers.reference, reference))
      .for("update", { of: payoutTransfers });
    if (!row) return null;
    const { payout_transfers: transfer, payment_export_lines: line } = row;
    if ("refusal" in report) {
      if (transfer.status !== "pending") return transfer.status;
      await fail(tx, transfer, locked.payout, report.refusal);
      return "failed";
    }
    if (
      report.reference !== reference ||
      report.amount !== line.amountCents ||
      report.currency.toUpperCase() !== "ZAR"
    ) {
      await alertAboutTransfer(
        found.payoutId,
        `Paystack reports transfer ${reference} with another amount, currency or reference. Nothing was booked. It should be ${formatCents(line.amountCents)}.`,
        { tx },
      );
      return "differs";
    }
    // An earlier status that arrives late does not replace a final one.
    const isLate = transfer.status !== "pending" && toTransferStatus(report.status) === "pending";
    await tx
      .update(payoutTransfers)
      .set({
        readAt: now(),
        ...(isLate || report.status === transfer.providerStatus
          ? {}
          : { providerStatus: report.status, changedAt: now() }),
      })
      .where(eq(payoutTransfers.reference, reference));
    return await applyStatus(tx, transfer, { ...locked, line, reportedStatus: report.status });
  });
}

async function applyStatus(
  tx: Tx,
  transfer: StoredTransfer,
  {
    payout,
    line,
    reportedStatus,
  }: {
    payout: LockedPayout;
    line: typeof paymentExportLines.$inferSelect;
    reportedStatus: string;
  },
): Promise<TransferOutcome> {
  const { reference, status } = transfer;
  const outcome = toTransferStatus(reportedStatus);
  if (outcome === status || (outcome === "returned" && status === "failed")) {
    if (reportedStatus === "otp")
      await alertAboutTransfer(
        payout.id,
        `Paystack waits for a one-time code before it sends transfer ${reference}. Enter it in the Paystack dashboard, and turn off the confirmation of transfers there: Settings, Preferences.`,
        { tx },
      );
    return status;
  }
  if (status === "pending" && outcome === "paid") return await pay(tx, transfer, payout);
  if (status === "pending") {
    await fail(tx, transfer, payout, reportedStatus);
    return "failed";
  }
  if (status === "paid" && outcome === "returned") {
    await reversePayout(tx, transfer, payout, line.accountLast4);
    return "returned";
  }
  // Status pending after a final one says nothing about the money.
  if (outcome === "pending") return status;
  const isUnchanged =
    payout.status === "processing" &&
    payout.exportId === null &&
    payout.amountCents === line.amountCents;
  const isRepaired = status === "failed" && outcome === "paid" && isUnchanged;
  await alertAboutTransfer(
    payout.id,
    `Paystack reports ${reportedStatus} for transfer ${reference}, after it had ended as ${status}. ${
      isRepaired
        ? `Payout ${payout.id} counts as paid now.`
        : `The books do not follow: ${formatCents(line.amountCents)} of payout ${payout.id} may have been paid twice or not at all. Compare with the Paystack dashboard.`
    }`,
    { kind: "transfer-contradicted", tx },
  );
  if (!isRepaired) return status;
  await tx.update(payouts).set({ exportId: transfer.exportId }).where(eq(payouts.id, payout.id));
  return await pay(tx, transfer, { ...payout, exportId: transfer.exportId });
}

async function setStatus(
  tx: Tx,
  { reference }: StoredTransfer,
  status: StoredTransfer["status"],
): Promise<void> {
  await tx
    .update(payoutTransfers)
    .set({ status, changedAt: now() })
    .where(eq(payoutTransfers.reference, reference));
}

async function pay(tx: Tx, transfer: StoredTransfer, payout: LockedPayout): Promise<"paid"> {
  await setStatus(tx, transfer, "paid");
  await recordPayment(tx, null, payout);
  return "paid";
}

/** Ends a transfer that the provider did not carry out. Its payout can be released again. */
async function fail(
  tx: Tx,
  transfer: StoredTransfer,
  payout: LockedPayout,
  cause: GatewayError | string,
): Promise<void> {
  await setStatus(tx, transfer, "failed");
  const reason = typeof cause === "string" ? cause : cause.message;
  await writeAudit(tx, {
    actorId: null,
    action: "fail-transfer",
    subject: payout.id,
    details: { reference: transfer.reference, reason },
  });
  await unlockPayout(tx, payout);
  if (typeof cause !== "string" && isBalanceTooLow(cause))
    await raiseAlert(
      {
        kind: "transfer-balance-low",
        subject: "paystack",
        message: `The Paystack balance is too low for payout ${payout.id} of ${formatCents(payout.amountCents)}. Top it up, then send the transfer again.`,
      },
      tx,
    );
  else
    await alertAboutTransfer(
      payout.id,
      `The transfer of payout ${payout.id} did not go through (${reason}). Nothing was paid. Check the account with its holder, then send the transfer again.`,
      { kind: "transfer-failed", tx },
    );
}

/** Books money that came back after it was paid. The earnings are payable again, in the next payout. */
async function reversePayout(
  tx: Tx,
  transfer: StoredTransfer,
  payout: LockedPayout,
  accountLast4: string | null,
): Promise<void> {
  const { id: payoutId, creatorId, amountCents } = payout;
  await setStatus(tx, transfer, "returned");
  await postToLedger(tx, "payout", `${payoutId}:returned`, [
    { account: "payable", owner: creatorId, unit: "cent", amount: amountCents },
    { account: "bank", unit: "cent", amount: -amountCents },
  ]);
  const at = now();
  await tx
    .update(payouts)
    .set({
      status: "stopped",
      stoppedAt: at,
      changedAt: at,
      paidAt: null,
      transactionId: null,
      exportId: null,
    })
    .where(eq(payouts.id, payoutId));
  const released = await tx
    .update(earnings)
    .set({ payoutId: null })
    .where(eq(earnings.payoutId, payoutId))
    .returning({ saleId: earnings.saleId });
  await holdDisputedEarnings(
    tx,
    released.map(({ saleId }) => saleId),
  );
  await applyLateHolds(tx, payoutId);
  await adjustEarnings(
    tx,
    released.map(({ saleId }) => saleId),
  );
  await reverseEarningsOfClosedCreators(tx, [creatorId]);
  await writeAudit(tx, {
    actorId: null,
    action: "return-transfer",
    subject: payoutId,
    details: { reference: transfer.reference, amountCents },
  });
  await alertAboutTransfer(
    payoutId,
    `The bank sent back the ${formatCents(amountCents)} of payout ${payoutId}. It is payable again. Check the account with its holder before the next payout.`,
    { kind: "transfer-failed", tx },
  );
  const user = (await readUsers([creatorId], tx)).get(creatorId);
  if (user && !user.isClosed)
    await enqueueEmail(tx, {
      to: user.email,
      userId: user.id,
      kind: "payout-returned",
      ...(await renderPayoutReturnedEmail({ name: user.name, amountCents, accountLast4 })),
    });
}

/** Holds earnings whose payments were disputed while they counted as paid out, when nothing is held. */
async function holdDisputedEarnings(tx: Tx, saleIds: readonly number[]): Promise<void> {
  await tx.execute(sql`
    with buyers as (
      select array_agg(distinct s.buyer_id) as ids from sales s
      where s.id = any (${sql.param(saleIds)}::bigint[])
    ), disputed as (
      select l.sale_id from buyers, count_lacking_coins(ids, true) l
      join count_lacking_coins(ids, false) n on n.sale_id = l.sale_id
      where l.coins > n.coins
    )
    update earnings e set held_at = ${now()}, held_reason = 'dispute' from disputed d
    where e.sale_id = d.sale_id and e.sale_id = any (${sql.param(saleIds)}::bigint[])
      and not exists (select from earning_reversals r where r.sale_id = e.sale_id)`);
}

/** Alerts the operator about the transfer of a payout, by default that it needs attention. */
export async function alertAboutTransfer(
  payoutId: string,
  message: string,
  { kind = "transfer-attention", tx }: { kind?: AlertKind; tx?: Tx } = {},
): Promise<void> {
  await raiseAlert({ kind, subject: payoutId, message }, tx);
}
