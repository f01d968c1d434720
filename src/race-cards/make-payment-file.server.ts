import { asc, inArray } from "drizzle-orm";
import { isId } from "#domain/id.ts";
import { writeAudit } from "#identity/identity.server.ts";
import { transaction } from "#platform/database.server.ts";
import type { BankDetails } from "./bank-details.input.ts";
import { unsealBankDetails } from "./bank-details-box.server.ts";
import { waitsUntil } from "./read-bank-details.server.ts";
import { bankDetails, payouts } from "./tables.server.ts";

/** One transfer of the file: to whom, how much, and what the bank statement will say. */
export type PaymentLine = {
  payoutId: string;
  creatorId: string;
  details: BankDetails;
  amountCents: number;
  reference: string;
};

export type PaymentFileAnswer =
  | { ok: true; lines: PaymentLine[]; totalCents: number }
  | { ok: false; refusal: "nothing-chosen" }
  | {
      ok: false;
      refusal: "not-processing" | "no-bank-details" | "bank-details-new";
      /** Whose payout it was. */
      creatorIds: string[];
    };

/**
 * What the bank is to transfer for these payouts, for the operator: each of them being processed, with
 * bank details that have stood for 72 hours, or no file at all. Audited each time, with its total.
 */
export async function makePaymentFile(
  actorId: string,
  payoutIds: string[],
): Promise<PaymentFileAnswer> {
  const ids = [...new Set(payoutIds)].filter(isId);
  if (ids.length === 0) return { ok: false, refusal: "nothing-chosen" };
  return await transaction(async (tx): Promise<PaymentFileAnswer> => {
    const chosen = await tx
      .select()
      .from(payouts)
      .where(inArray(payouts.id, ids))
      .orderBy(asc(payouts.requestedAt), asc(payouts.id))
      .for("share");
    if (chosen.length === 0) return { ok: false, refusal: "nothing-chosen" };
    const creatorIds = chosen.map((payout) => payout.creatorId);
    const standing = await tx
      .select()
      .from(bankDetails)
      .where(inArray(bankDetails.creatorId, creatorIds));
    const byCreator = new Map(standing.map((row) => [row.creatorId, row]));

    const notProcessing = chosen.filter((payout) => payout.status !== "processing");
    if (notProcessing.length > 0)
      return {
        ok: false,
        refusal: "not-processing",
        creatorIds: notProcessing.map((payout) => payout.creatorId),
      };
    const missing = creatorIds.filter((id) => !byCreator.has(id));
    if (missing.length > 0) return { ok: false, refusal: "no-bank-details", creatorIds: missing };
    const fresh = standing.filter((row) => waitsUntil(row.changedAt) !== null);
    if (fresh.length > 0)
      return {
        ok: false,
        refusal: "bank-details-new",
        creatorIds: fresh.map((row) => row.creatorId),
      };

    const lines = chosen.map((payout): PaymentLine => {
      const { id: payoutId, creatorId, amountCents } = payout;
      const details = unsealBankDetails(creatorId, byCreator.get(creatorId)?.sealed ?? "");
      return { payoutId, creatorId, details, amountCents, reference: paymentReference(payoutId) };
    });
    const totalCents = lines.reduce((sum, line) => sum + line.amountCents, 0);
    await writeAudit(tx, {
      actorId,
      act: "make-payment-file",
      subject: `${lines.length} payouts`,
      details: { payoutIds: lines.map((line) => line.payoutId), totalCents },
    });
    return { ok: true, lines, totalCents };
  });
}

/** What a creator reads on the bank statement; the end of the id is what tells payouts apart. */
function paymentReference(payoutId: string): string {
  return `FURLONG ${payoutId.slice(-8).toUpperCase()}`;
}
