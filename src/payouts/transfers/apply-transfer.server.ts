import { eq, sql } from "drizzle-orm";
import { readUsers } from "#accounts/accounts.server.ts";
import { formatCents } from "#domain/format-cents.ts";
import type { AlertKind } from "#platform/alert-kinds.ts";
import { raiseAlert, raiseAlertThrottled } from "#platform/alerts.server.ts";
import { writeAudit } from "#platform/audit/audit.server.ts";
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
import {
  hasEndedUnpaid,
  isBalanceTooLow,
  type ReportedTransfer,
  toTransferStatus,
} from "./paystack.server.ts";

/**
 * The status of a transfer after a report was applied. "differs": the report is of another payment. "unconfirmed": it must
 * be read once more, because it would pay a payout whose transfer had failed.
 */
export type TransferOutcome =
  | "pending"
  | "paid"
  | "failed"
  | "returned"
  | "differs"
  | "unconfirmed";

const HOUR_MS = 60 * 60 * 1000;

type StoredTransfer = typeof payoutTransfers.$inferSelect;
type StoredLine = typeof paymentExportLines.$inferSelect;

/** What the provider reports of a transfer, or its refusal of one that was never accepted. */
type Report = ReportedTransfer | { refusal: GatewayError };

/**
 * Applies what the provider reports of a transfer. A success pays the payout, a failure unlocks it, and money that comes
 * back after a success makes its earnings payable again. Idempotent, in any order: a report that contradicts an earlier
 * final one changes nothing but raises an alert, except that a success after a failure pays a payout that is unchanged,
 * when it was read again. Returns null when we have no such transfer.
 */
export async function applyTransfer(
  reference: string,
  report: Report,
  { isReadAgain = false }: { isReadAgain?: boolean } = {},
): Promise<TransferOutcome | null> {
  const applied = await transaction((tx) => applyReport(tx, reference, report, { isReadAgain }));
  // Outside the transaction: what is reported every few minutes raises one alert an hour.
  if (applied?.attention) await alertAboutTransfer(applied.payoutId, ...applied.attention);
  return applied?.outcome ?? null;
}

type Attention = [message: string, kind?: AlertKind];
type AppliedReport = { payoutId: string; outcome: TransferOutcome; attention?: Attention };

async function applyReport(
  tx: Tx,
  reference: string,
  report: Report,
  { isReadAgain }: { isReadAgain: boolean },
): Promise<AppliedReport | null> {
  const [found] = await tx
    .select({ payoutId: payoutTransfers.payoutId })
    .from(payoutTransfers)
    .where(eq(payoutTransfers.reference, reference));
  const locked = found && (await lockPayout(tx, found.payoutId));
  if (!locked) return null;
  const { payoutId } = found;
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
    if (transfer.status !== "pending") return { payoutId, outcome: transfer.status };
    await fail(tx, transfer, locked.payout, report.refusal);
    return { payoutId, outcome: "failed" };
  }
  const reported = toTransferStatus(report.status);
  const isSameTransfer = report.reference === reference;
  const isSamePayment =
    isSameTransfer && report.amount === line.amountCents && report.currency.toUpperCase() === "ZAR";
  // Nothing is paid by a transfer that has ended without success, whatever its amount.
  const isEnded = isSameTransfer && transfer.status === "pending" && hasEndedUnpaid(report.status);
  const isRepair =
    isSamePayment &&
    transfer.status === "failed" &&
    transfer.resolvedAt === null &&
    reported === "paid" &&
    isUnchanged(locked.payout, line);
  if (isRepair && !isReadAgain) return { payoutId, outcome: "unconfirmed" };
  // An earlier status that arrives late does not replace the end of a payment. After a failure, it can be the newer one.
  const isLate =
    (transfer.status === "paid" || transfer.status === "returned") && reported === "pending";
  await tx
    .update(payoutTransfers)
    .set({
      readAt: now(),
      ...(isLate || report.status === transfer.providerStatus
        ? {}
        : { providerStatus: report.status, changedAt: now() }),
    })
    .where(eq(payoutTransfers.reference, reference));
  // What became of its money is recorded already, unless it comes back after it has arrived.
  if (transfer.resolvedAt !== null && !(transfer.status === "paid" && reported === "returned"))
    return { payoutId, outcome: transfer.status };
  if (!isSamePayment && !isEnded)
    return {
      payoutId,
      outcome: "differs",
      attention: [
        `Paystack reports ${report.status} for transfer ${reference} with another amount, currency or reference. Nothing was booked. It should be ${formatCents(line.amountCents)}.`,
      ],
    };
  const outcome = await applyStatus(tx, transfer, {
    ...locked,
    line,
    isRepair,
    reportedStatus: report.status,
  });
  return { payoutId, outcome, ...describeAttention(transfer, report.status) };
}

/** Returns whether a payout is as it was when its transfer of this line failed. */
function isUnchanged(payout: LockedPayout, line: StoredLine): boolean {
  return (
    payout.status === "processing" &&
    payout.exportId === null &&
    payout.amountCents === line.amountCents
  );
}

/** Describes what the operator must do about a transfer that is in progress. */
function describeAttention(
  { reference, status }: StoredTransfer,
  reportedStatus: string,
): { attention?: Attention } {
  if (toTransferStatus(reportedStatus) !== "pending") return {};
  if (status === "failed")
    return {
      attention: [
        `Paystack reports ${reportedStatus} for transfer ${reference}, which had ended as failed. The payout is not paid again until Paystack reports how it ended.`,
        "transfer-contradicted",
      ],
    };
  if (status !== "pending" || reportedStatus !== "otp") return {};
  return {
    attention: [
      `Paystack waits for a one-time code before it sends transfer ${reference}. Enter it in the Paystack dashboard, and turn off the confirmation of transfers there: Settings, Preferences.`,
    ],
  };
}

async function applyStatus(
  tx: Tx,
  transfer: StoredTransfer,
  {
    payout,
    line,
    isRepair,
    reportedStatus,
  }: { payout: LockedPayout; line: StoredLine; isRepair: boolean; reportedStatus: string },
): Promise<TransferOutcome> {
  const { reference, status } = transfer;
  const outcome = toTransferStatus(reportedStatus);
  if (outcome === status || (outcome === "returned" && status === "failed")) return status;
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
  await raiseAlert(
    {
      kind: "transfer-contradicted",
      subject: payout.id,
      message: `Paystack reports ${reportedStatus} for transfer ${reference}, after it had ended as ${status}. ${
        isRepair
          ? `Payout ${payout.id} counts as paid now.`
          : `The books do not follow: ${formatCents(line.amountCents)} of payout ${payout.id} may have been paid twice or not at all. Compare with the Paystack dashboard, then resolve the transfer on the Payouts page.`
      }`,
    },
    tx,
  );
  if (!isRepair) return status;
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
    await raiseAlert(
      {
        kind: "transfer-failed",
        subject: payout.id,
        message: `The transfer of payout ${payout.id} did not go through (${reason}). Nothing was paid. Check the account with its holder, then send the transfer again.`,
      },
      tx,
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
  const user = (await readUsers([creatorId], tx)).get(creatorId);
  const next =
    user && !user.isClosed
      ? "It is payable again. Check the account with its holder before the next payout."
      : "The tipster's account is closed, so that the house keeps it.";
  await raiseAlert(
    {
      kind: "transfer-failed",
      subject: payoutId,
      message: `The bank sent back the ${formatCents(amountCents)} of payout ${payoutId}. ${next}`,
    },
    tx,
  );
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

/** Alerts the operator about the transfer of a payout, at most once per hour. Must be called outside a transaction. */
export async function alertAboutTransfer(
  payoutId: string,
  message: string,
  kind: AlertKind = "transfer-attention",
): Promise<void> {
  await raiseAlertThrottled(HOUR_MS, { kind, subject: payoutId, message });
}
