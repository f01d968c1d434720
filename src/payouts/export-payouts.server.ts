import { and, inArray, sql } from "drizzle-orm";
import { writeAudit } from "#audit/audit.server.ts";
import type { CalendarDate } from "#domain/calendar.ts";
import { isId } from "#domain/id.ts";
import { now } from "#platform/clock.server.ts";
import { type Tx, transaction } from "#platform/database.server.ts";
import { areUsable, type BankDetails } from "./bank-details.input.ts";
import {
  decryptBankDetails,
  decryptExportedDetails,
  encryptExportedDetails,
} from "./encrypt-bank-details.server.ts";
import { type LockedPayout, lockPayouts } from "./lock-payouts.server.ts";
import { waitsUntil } from "./read-bank-details.server.ts";
import { paymentExportLines, paymentExports, payouts } from "./tables.server.ts";

/** One transfer of the file: to whom, how much, and what the bank statement says. */
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

export type ExportPayoutsAnswer =
  | { ok: true; export: PayoutExport }
  | { ok: false; refusal: "nothing-chosen" }
  | {
      ok: false;
      refusal: "already-exported";
      /** What a second export of these payouts has to acknowledge. */
      exported: { payoutId: string; creatorId: string; exportId: string; exportedAt: Date }[];
    }
  | {
      ok: false;
      refusal: "not-processing" | "no-bank-details" | "bank-details-new" | "bank-details-unusable";
      /** Whose payout it was. */
      creatorIds: string[];
    };

/**
 * Records what the bank is told to pay for these payouts and locks them: from then on neither amount nor
 * account changes, until they are paid or the export is withdrawn. Each payout has to be processing, with
 * bank details that have stood for 72 hours, or there is no export at all.
 *
 * A payout that has been exported before is refused unless its latest export is among those acknowledged;
 * then the account, amount and reference of that export are repeated.
 */
export async function exportPayouts(
  actorId: string,
  params: {
    payoutIds: string[];
    format: string;
    actionDate: CalendarDate;
    acknowledgedExportIds?: string[];
  },
): Promise<ExportPayoutsAnswer> {
  const ids = [...new Set(params.payoutIds)].filter(isId);
  if (ids.length === 0) return { ok: false, refusal: "nothing-chosen" };
  return await transaction(async (tx): Promise<ExportPayoutsAnswer> => {
    const chosen = await lockPayouts(tx, ids);
    if (chosen.payouts.length === 0) return { ok: false, refusal: "nothing-chosen" };
    const notProcessing = chosen.payouts.filter((payout) => payout.status !== "processing");
    if (notProcessing.length > 0) return refuse("not-processing", notProcessing);

    const previous = await readPreviousLines(tx, chosen.payouts);
    const acknowledged = new Set(params.acknowledgedExportIds);
    const unacknowledged = chosen.payouts.flatMap(({ id, creatorId, exportId }) => {
      const line = previous.get(id);
      return exportId && line && !acknowledged.has(exportId)
        ? [{ payoutId: id, creatorId, exportId, exportedAt: line.exportedAt }]
        : [];
    });
    if (unacknowledged.length > 0)
      return { ok: false, refusal: "already-exported", exported: unacknowledged };

    // What a file has named once is repeated; everything else comes from the details on record.
    const fromRecord = chosen.payouts.filter((payout) => !previous.get(payout.id)?.details);
    const standing = (payout: LockedPayout) => chosen.bankDetails.get(payout.creatorId);
    const missing = fromRecord.filter((payout) => !standing(payout));
    if (missing.length > 0) return refuse("no-bank-details", missing);
    const fresh = fromRecord.filter((payout) => waitsUntil(standing(payout)?.changedAt ?? now()));
    if (fresh.length > 0) return refuse("bank-details-new", fresh);
    const lines = chosen.payouts.map((payout): PaymentLine => {
      const { id: payoutId, creatorId, amountCents } = payout;
      const line = previous.get(payoutId);
      const details =
        line?.details ?? decryptBankDetails(creatorId, standing(payout)?.encryptedDetails ?? "");
      const reference = line?.reference ?? paymentReference(payoutId);
      return { payoutId, creatorId, details, amountCents, reference };
    });
    const unusable = lines.filter((line) => !areUsable(line.details));
    if (unusable.length > 0) return refuse("bank-details-unusable", unusable);

    const written = await writeExport(tx, actorId, lines, params);
    await writeAudit(tx, {
      actorId,
      action: "make-payment-file",
      subject: written.id,
      details: {
        payoutIds: lines.map((line) => line.payoutId),
        totalCents: written.totalCents,
        format: params.format,
        actionDate: params.actionDate,
        repeated: chosen.payouts.filter((payout) => payout.exportId).length,
      },
    });
    return { ok: true, export: written };
  });
}

function refuse(
  refusal: Extract<ExportPayoutsAnswer, { creatorIds: string[] }>["refusal"],
  of: readonly { creatorId: string }[],
): ExportPayoutsAnswer {
  return { ok: false, refusal, creatorIds: of.map((each) => each.creatorId) };
}

/** What the latest file told the bank of these payouts, by payout. */
async function readPreviousLines(tx: Tx, chosen: LockedPayout[]) {
  const exportIds = chosen.flatMap((payout) => payout.exportId ?? []);
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
  // Two files that are made at the same moment get numbers of their own, one after the other.
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
  if (!row) throw new Error("an export was not written");
  await tx.insert(paymentExportLines).values(
    lines.map(({ details, ...line }) => ({
      ...line,
      exportId: row.id,
      encryptedDetails: encryptExportedDetails(line.payoutId, details),
      accountEnding: details.accountNumber.slice(-4),
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

/** What both bank statements say, in 16 characters; the end of the id tells payouts apart. */
function paymentReference(payoutId: string): string {
  return `FURLONG ${payoutId.slice(-8).toUpperCase()}`;
}
