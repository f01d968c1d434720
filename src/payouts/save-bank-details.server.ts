import { isDeepStrictEqual } from "node:util";
import { eq, sql } from "drizzle-orm";
import { writeAudit } from "#audit/audit.server.ts";
import { findCreator } from "#creators/creators.server.ts";
import {
  type ReauthenticationResult,
  readUsers,
  reauthenticate,
} from "#identity/identity.server.ts";
import { now } from "#platform/clock.server.ts";
import { transaction } from "#platform/database.server.ts";
import { enqueueEmail } from "#platform/mail/mailer.server.ts";
import type { BankDetails, BankDetailsInput } from "./bank-details.input.ts";
import { renderBankDetailsChangedEmail } from "./bank-details-changed.email.tsx";
import { encryptBankDetails, tryDecryptBankDetails } from "./encrypt-bank-details.server.ts";
import { bankDetails } from "./tables.server.ts";

export type SaveBankDetailsResult =
  | { ok: true; isNew: boolean }
  | { ok: false; refusal: "not-a-creator" | Exclude<ReauthenticationResult, "correct"> };

/**
 * Verifies the password and stores a creator's bank details, encrypted. A change is emailed to the creator and
 * blocks payouts for 72 hours. Saving unchanged details has no effect.
 */
export async function saveBankDetails(
  creatorId: string,
  { password, ...input }: BankDetailsInput,
): Promise<SaveBankDetailsResult> {
  const passwordCheck = await reauthenticate(creatorId, password);
  if (passwordCheck !== "correct") return { ok: false, refusal: passwordCheck };
  // Listed by name, so that other fields sent by the client are not stored.
  const { holder, bank, branchCode, accountNumber, accountType } = input;
  return await writeBankDetails(creatorId, {
    holder,
    bank,
    branchCode,
    accountNumber,
    accountType,
  });
}

/** Stores bank details without verifying the password; for the demo. */
export async function writeBankDetails(
  creatorId: string,
  details: BankDetails,
): Promise<SaveBankDetailsResult> {
  return await transaction(async (tx): Promise<SaveBankDetailsResult> => {
    if (!(await findCreator(creatorId, tx))) return { ok: false, refusal: "not-a-creator" };
    // Locks the account, so that one that is being closed keeps no bank details.
    const { rowCount } = await tx.execute(
      sql`select from users where id = ${creatorId} and closed_at is null for share`,
    );
    if (rowCount === 0) return { ok: false, refusal: "not-a-creator" };
    const row = {
      encryptedDetails: encryptBankDetails(creatorId, details),
      accountLast4: details.accountNumber.slice(-4),
      changedAt: now(),
    };
    const inserted = await tx
      .insert(bankDetails)
      .values({ creatorId, ...row })
      .onConflictDoNothing()
      .returning({ creatorId: bankDetails.creatorId });
    if (inserted.length === 0) {
      const [existing] = await tx
        .select({ encryptedDetails: bankDetails.encryptedDetails })
        .from(bankDetails)
        .where(eq(bankDetails.creatorId, creatorId))
        .for("update");
      if (
        existing &&
        isDeepStrictEqual(tryDecryptBankDetails(creatorId, existing.encryptedDetails), details)
      )
        return { ok: true, isNew: false };
      await tx.update(bankDetails).set(row).where(eq(bankDetails.creatorId, creatorId));
    }
    await writeAudit(tx, { actorId: creatorId, action: "change-bank-details", subject: creatorId });
    const user = (await readUsers([creatorId], tx)).get(creatorId);
    if (user)
      await enqueueEmail(tx, {
        to: user.email,
        userId: creatorId,
        kind: "bank-details-changed",
        ...(await renderBankDetailsChangedEmail({
          name: user.name,
          bank: details.bank,
          accountLast4: row.accountLast4,
          changedAt: row.changedAt,
        })),
      });
    return { ok: true, isNew: true };
  });
}
