import { eq } from "drizzle-orm";
import { BANK_DETAILS_WAIT_HOURS } from "#domain/pay-day.ts";
import { now } from "#platform/clock.server.ts";
import { database } from "#platform/database.server.ts";
import { bankDetails } from "./tables.server.ts";

/** Bank details as shown to the creator: only the last digits of the account number. */
export type BankDetailsSummary = {
  accountLast4: string;
  changedAt: Date;
  /** When a change of the details stops blocking payouts; null if payouts are not blocked. */
  blockedUntil: Date | null;
  /** When the bank confirmed the account; null when it was not asked or did not answer. */
  checkedAt: Date | null;
};

/** Returns the summary of a creator's bank details; null when none are stored. */
export async function readBankDetails(creatorId: string): Promise<BankDetailsSummary | null> {
  const [row] = await database()
    .select({
      accountLast4: bankDetails.accountLast4,
      changedAt: bankDetails.changedAt,
      checkedAt: bankDetails.checkedAt,
    })
    .from(bankDetails)
    .where(eq(bankDetails.creatorId, creatorId));
  return row ? { ...row, blockedUntil: calculateBlockedUntil(row.changedAt) } : null;
}

/** Returns when a change of bank details stops blocking payouts; null if it no longer blocks them. */
export function calculateBlockedUntil(changedAt: Date): Date | null {
  const until = new Date(changedAt.getTime() + BANK_DETAILS_WAIT_HOURS * 60 * 60 * 1000);
  return until > now() ? until : null;
}
