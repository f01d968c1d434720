import { and, eq, inArray, sql } from "drizzle-orm";
import type { CalendarDate } from "#domain/calendar.ts";
import { isId } from "#domain/id.ts";
import { writeAudit } from "#platform/audit/audit.server.ts";
import { now } from "#platform/clock.server.ts";
import { type Tx, transaction } from "#platform/database.server.ts";
import { areBankDetailsUsable, type BankDetails } from "./bank-details.input.ts";
import {
  decryptExportedDetails,
  encryptExportedDetails,
  tryDecryptBankDetails,
} from "./encrypt-bank-details.server.ts";
import { type LockedPayout, lockPayouts } from "./lock-payouts.server.ts";
import { calculateBlockedUntil } from "./read-bank-details.server.ts";
import { removeChangedEarnings } from "./remove-from-payouts.server.ts";
import { paymentExportLines, paymentExports, payouts, payoutTransfers } from "./tables.server.ts";
import { hasEndedUnpaid } from "./transfers/paystack.server.ts";
import { readFailedTransfersAgain } from "./transfers/read-failed-transfers.server.ts";

/** The format of a release as transfers, which has no file. */
export const TRANSFER_FORMAT = "paystack";

/** One payment of the file: the account, the amount and the reference on the bank statement. */
export type PaymentLine = {
  payoutId: string;
  creatorId: string;
  details: BankDetails;
  amountCents: number;
  reference: string;
};

export type PayoutExport = {
  id: string;
  /** Counts the files of a format from 1. */
  number: number;
  createdAt: Date;
  lines: PaymentLine[];
  totalCents: number;
};

export type ExportPayoutsResult =
  | { ok: true; export: PayoutExport }
  | { ok: false; refusal: "nothing-chosen" | "yourself" }
  | {
      ok: false;
      refusal: "already-exported";
      /** The exports that a repeated export has to acknowledge. */
      exported: { payoutId: string; creatorId: string; exportId: string; exportedAt: Date }[];
    }
  | {
      ok: false;
      refusal:
        | "not-processing"
        | "results-changed"
        | "no-bank-details"
        | "bank-details-new"
        | "bank-details-unusable"
        | "account-not-checked"
        | "transfer-in-progress"
        | "transfer-contradicted"
        | "unreachable";
      /** Creators of the refused payouts. */
      creatorIds: string[];
    };

/**
 * Records the payments of these payouts for a payment file. Their amounts and accounts cannot change until the
 * payouts are paid or the export is withdrawn. Every payout must be processing, with bank details unchanged for
 * 72 hours; otherwise nothing is exported.
 *
 * Leaves out the admin's own payout, and refuses it alone. Refuses payouts that were exported before, unless the caller acknowledges their latest exports. Then the new
 * file repeats the account, amount and reference of that export.
 *
 * Refuses payouts with earnings that a changed result is about to change. These leave their payouts at once, and the
 * next attempt exports the rest.
 *
 * Reads earlier transfers to the creators again first, because one that counts as failed can be paid after all. Refuses
 * payouts while one is in progress or paid, and when Paystack cannot be reached.
 */
export async function exportPayouts(
  actorId: string,
  params: ExportParams,
): Promise<ExportPayoutsResult> {
  const creatorIds = await readFailedTransfersAgain(params.payoutIds);
  if (creatorIds.length > 0) return { ok: false, refusal: "unreachable", creatorIds };
  return await transaction((tx) => exportPayoutsIn(tx, actorId, params));
}

type ExportParams = {
  payoutIds: string[];
  format: string;
  actionDate: CalendarDate;
  acknowledgedExportIds?: string[];
};

/**
 * As exportPayouts, in a transaction of the caller, also for a release as transfers. The caller must have read earlier
 * transfers that count as failed again.
 */
export async function exportPayoutsIn(
  tx: Tx,
  actorId: string,
  params: ExportParams,
): Promise<ExportPayoutsResult> {
  const ids = [...new Set(params.payoutIds)].filter(isId);
  if (ids.length === 0) return { ok: false, refusal: "nothing-chosen" };
  const { payouts: chosen, bankDetails } = await lockPayouts(tx, ids);
  const others = chosen.filter((payout) => payout.creatorId !== actorId);
  if (others.length === 0)
    return { ok: false, refusal: chosen.length > 0 ? "yourself" : "nothing-chosen" };
  const notProcessing = others.filter((payout) => payout.status !== "processing");
  if (notProcessing.length > 0) return refuse("not-processing", notProcessing);

  const transfers = await tx
    .select({
      creatorId: payouts.creatorId,
      payoutId: payoutTransfers.payoutId,
      status: payoutTransfers.status,
      providerStatus: payoutTransfers.providerStatus,
      resolvedAt: payoutTransfers.resolvedAt,
    })
    .from(payoutTransfers)
    .innerJoin(payouts, eq(payouts.id, payoutTransfers.payoutId))
    .where(
      inArray(
        payouts.creatorId,
        others.map(({ creatorId }) => creatorId),
      ),
    );
  const inTransfer = others.filter(({ id }) =>
    transfers.some(({ payoutId, status }) => payoutId === id && status === "pending"),
  );
  if (inTransfer.length > 0) return refuse("transfer-in-progress", inTransfer);
  // One counts as failed, but it was paid or is in progress: paying its earnings again would pay them twice.
  const contradicted = others.filter((payout) =>
    transfers.some(
      ({ creatorId, status, providerStatus, resolvedAt }) =>
        creatorId === payout.creatorId &&
        status === "failed" &&
        resolvedAt === null &&
        providerStatus !== null &&
        !hasEndedUnpaid(providerStatus),
    ),
  );
  if (contradicted.length > 0) return refuse("transfer-contradicted", contradicted);

  const previousPayments = await readPreviousPayments(tx, others);
  const acknowledgedIds = new Set(params.acknowledgedExportIds);
  const unacknowledgedExports = others.flatMap(({ id, creatorId, exportId }) => {
    const line = previousPayments.get(id);
    return exportId && line && !acknowledgedIds.has(exportId)
      ? [{ payoutId: id, creatorId, exportId, exportedAt: line.exportedAt }]
      : [];
  });
  if (unacknowledgedExports.length > 0)
    return { ok: false, refusal: "already-exported", exported: unacknowledgedExports };

  const unexported = others.filter((payout) => !payout.exportId);
  const changed = await removeChangedEarnings(tx, unexported);
  if (changed.length > 0) return refuse("results-changed", changed);

  // Exported payouts repeat the details of their file; all others use the current bank details.
  const notExported = others.filter((payout) => !previousPayments.get(payout.id)?.details);
  const findCurrentDetails = (payout: LockedPayout) => bankDetails.get(payout.creatorId);
  const withoutDetails = notExported.filter((payout) => !findCurrentDetails(payout));
  if (withoutDetails.length > 0) return refuse("no-bank-details", withoutDetails);
  const recentlyChanged = notExported.filter((payout) =>
    calculateBlockedUntil(findCurrentDetails(payout)?.changedAt ?? now()),
  );
  if (recentlyChanged.length > 0) return refuse("bank-details-new", recentlyChanged);
  if (params.format === TRANSFER_FORMAT) {
    const unchecked = others.filter((payout) => !findCurrentDetails(payout)?.checkedAt);
    if (unchecked.length > 0) return refuse("account-not-checked", unchecked);
  }
  const payments = others.map((payout) => {
    const { id: payoutId, creatorId, amountCents } = payout;
    const line = previousPayments.get(payoutId);
    const details =
      line?.details ??
      tryDecryptBankDetails(creatorId, findCurrentDetails(payout)?.encryptedDetails ?? "");
    const reference = line?.reference ?? buildPaymentReference(payoutId);
    return { payoutId, creatorId, details, amountCents, reference };
  });
  const lines = payments.filter(isPayable);
  const unusable = payments.filter((payment) => !isPayable(payment));
  if (unusable.length > 0) return refuse("bank-details-unusable", unusable);

  const paymentExport = await writeExport(tx, actorId, lines, params);
  await writeAudit(tx, {
    actorId,
    action: params.format === TRANSFER_FORMAT ? "release-transfers" : "make-payment-file",
    subject: paymentExport.id,
    details: {
      payoutIds: lines.map((line) => line.payoutId),
      totalCents: paymentExport.totalCents,
      format: params.format,
      actionDate: params.actionDate,
      repeated: others.filter((payout) => payout.exportId).length,
    },
  });
  return { ok: true, export: paymentExport };
}

function isPayable<Payment extends { details: BankDetails | null }>(
  payment: Payment,
): payment is Payment & { details: BankDetails } {
  return payment.details !== null && areBankDetailsUsable(payment.details);
}

function refuse(
  refusal: Extract<ExportPayoutsResult, { creatorIds: string[] }>["refusal"],
  payouts: readonly { creatorId: string }[],
): ExportPayoutsResult {
  return { ok: false, refusal, creatorIds: payouts.map((payout) => payout.creatorId) };
}

/** Returns the payments of the latest file by payout id. */
async function readPreviousPayments(tx: Tx, locked: LockedPayout[]) {
  const exportIds = locked.flatMap((payout) => payout.exportId ?? []);
  if (exportIds.length === 0) return new Map<string, never>();
  const rows = await tx
    .select({
      payoutId: paymentExportLines.payoutId,
      reference: paymentExportLines.reference,
      encryptedDetails: paymentExportLines.encryptedDetails,
      exportedAt: paymentExports.createdAt,
    })
    .from(paymentExportLines)
    .innerJoin(paymentExports, sql`${paymentExports.id} = ${paymentExportLines.exportId}`)
    .where(
      and(
        inArray(paymentExportLines.exportId, exportIds),
        sql`exists (select from payouts p where p.id = ${paymentExportLines.payoutId}
          and p.export_id = ${paymentExportLines.exportId})`,
      ),
    );
  return new Map(
    rows.map(({ encryptedDetails, ...row }) => [
      row.payoutId,
      {
        ...row,
        details:
          encryptedDetails === null ? null : decryptExportedDetails(row.payoutId, encryptedDetails),
      },
    ]),
  );
}

async function writeExport(
  tx: Tx,
  actorId: string,
  lines: PaymentLine[],
  { format, actionDate }: { format: string; actionDate: CalendarDate },
): Promise<PayoutExport> {
  const totalCents = lines.reduce((sum, line) => sum + line.amountCents, 0);
  // Serialises concurrent exports, so that each file gets its own number.
  await tx.execute(sql`lock table payment_exports in share row exclusive mode`);
  const [row] = await tx
    .insert(paymentExports)
    .values({
      createdBy: actorId,
      createdAt: now(),
      format,
      number: sql`(select coalesce(max(number), 0) + 1 from payment_exports where format = ${format})`,
      actionDate,
      payments: lines.length,
      totalCents,
    })
    .returning({
      id: paymentExports.id,
      number: paymentExports.number,
      createdAt: paymentExports.createdAt,
    });
  if (!row) throw new Error("the export was not stored");
  await tx.insert(paymentExportLines).values(
    lines.map(({ details, ...line }) => ({
      ...line,
      exportId: row.id,
      encryptedDetails: encryptExportedDetails(line.payoutId, details),
      accountLast4: details.accountNumber.slice(-4),
    })),
  );
  await tx
    .update(payouts)
    .set({ exportId: row.id })
    .where(
      inArray(
        payouts.id,
        lines.map((line) => line.payoutId),
      ),
    );
  return { ...row, lines, totalCents };
}

/** Returns the reference for both bank statements: 16 characters, unique by the end of the id. */
function buildPaymentReference(payoutId: string): string {
  return `FURLONG ${payoutId.slice(-8).toUpperCase()}`;
}
