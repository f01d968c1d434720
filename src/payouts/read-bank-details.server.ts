import { eq } from "drizzle-orm";
import { writeAudit } from "#audit/audit.server.ts";
import { BANK_DETAILS_WAIT_HOURS } from "#domain/pay-day.ts";
import { now } from "#platform/clock.server.ts";
import { database, transaction } from "#platform/database.server.ts";
import type { BankDetails } from "./bank-details.input.ts";
import { decryptBankDetails } from "./encrypt-bank-details.server.ts";
import { bankDetails } from "./tables.server.ts";

/** What is shown of bank details: never more of the number than its ending. */
export type BankDetailsSummary = {
  accountEnding: string;
  changedAt: Date;
  /** Until then nothing is paid out, because of a change; null when that is over. */
  waitsUntil: Date | null;
};

/** Where a creator is paid, as far as it is shown; null while nothing is on record. */
export async function readBankDetails(creatorId: string): Promise<BankDetailsSummary | null> {
  const [row] = await database()
    .select({ accountEnding: bankDetails.accountEnding, changedAt: bankDetails.changedAt })
    .from(bankDetails)
    .where(eq(bankDetails.creatorId, creatorId));
  return row ? { ...row, waitsUntil: waitsUntil(row.changedAt) } : null;
}

/** Until when a change of bank details keeps payouts back; null when it does not (any more). */
export function waitsUntil(changedAt: Date): Date | null {
  const until = new Date(changedAt.getTime() + BANK_DETAILS_WAIT_HOURS * 60 * 60 * 1000);
  return until > now() ? until : null;
}

export type OpenBankDetailsAnswer =
  | { ok: true; details: BankDetails; changedAt: Date }
  | { ok: false; refusal: "no-bank-details" }
  | { ok: false; refusal: "bank-details-new"; until: Date };

/**
 * The bank details of a creator in full, for the operator who pays them: audited each time, and not
 * within 72 hours of a change.
 */
export async function openBankDetails(
  actorId: string,
  creatorId: string,
): Promise<OpenBankDetailsAnswer> {
  return await transaction(async (tx): Promise<OpenBankDetailsAnswer> => {
    const [row] = await tx.select().from(bankDetails).where(eq(bankDetails.creatorId, creatorId));
    if (!row) return { ok: false, refusal: "no-bank-details" };
    const until = waitsUntil(row.changedAt);
    if (until) return { ok: false, refusal: "bank-details-new", until };
    await writeAudit(tx, { actorId, action: "open-bank-details", subject: creatorId });
    return {
      ok: true,
      details: decryptBankDetails(creatorId, row.encryptedDetails),
      changedAt: row.changedAt,
    };
  });
}
