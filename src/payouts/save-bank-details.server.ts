import { isDeepStrictEqual } from "node:util";
import { eq, sql } from "drizzle-orm";
import {
  type ReauthenticationResult,
  readUsers,
  reauthenticate,
} from "#accounts/accounts.server.ts";
import { findCreator } from "#creators/creators.server.ts";
import { writeAudit } from "#platform/audit/audit.server.ts";
import { now } from "#platform/clock.server.ts";
import { type Tx, transaction } from "#platform/database.server.ts";
import { enqueueEmail } from "#platform/mail/mailer.server.ts";
import { isWithinLimit } from "#platform/rate-limits.server.ts";
import type { BankDetails, BankDetailsInput } from "./bank-details.input.ts";
import { renderBankDetailsChangedEmail } from "./bank-details-changed.email.tsx";
import { encryptBankDetails, tryDecryptBankDetails } from "./encrypt-bank-details.server.ts";
import { bankDetails } from "./tables.server.ts";
import type { IdentityDocument } from "./transfers/identity-document.input.ts";
import { type AccountCheck, checkAccount } from "./transfers/paystack.server.ts";

export type SaveBankDetailsResult =
  | { ok: true; isNew: boolean; isChecked: boolean }
  | {
      ok: false;
      refusal:
        | "not-a-creator"
        | "too-many-checks"
        | Exclude<AccountCheck, "confirmed" | "unknown">
        | Exclude<ReauthenticationResult, "correct">;
    };

/** Each check of an account costs money. */
const CHECK_LIMIT = { max: 10, seconds: 24 * 60 * 60 };

/**
 * Verifies the password and stores a creator's bank details, encrypted. A change is emailed to the creator and
 * blocks payouts for 72 hours. Saving unchanged details has no effect, except that their account can be checked.
 *
 * With a document, the bank is asked first whether the account belongs to the holder and accepts payments. An account
 * that it does not confirm is refused. Without an answer the details are stored as not checked, so that no payout goes
 * to the account before; no transfer is released to them.
 */
export async function saveBankDetails(
  creatorId: string,
  { password, ...input }: BankDetailsInput,
  document: IdentityDocument | null = null,
): Promise<SaveBankDetailsResult> {
  const passwordCheck = await reauthenticate(creatorId, password);
  if (passwordCheck !== "correct") return { ok: false, refusal: passwordCheck };
  // Listed by name, so that other fields sent by the client are not stored.
  const { holder, bank, branchCode, accountNumber, accountType } = input;
  const details = { holder, bank, branchCode, accountNumber, accountType };
  if (!document) return await writeBankDetails(creatorId, details);
  if (!(await isWithinLimit(`account-check:${creatorId}`, CHECK_LIMIT)))
    return { ok: false, refusal: "too-many-checks" };
  const check = await checkAccount(details, document);
  if (check === "other-holder" || check === "refuses-payments")
    return { ok: false, refusal: check };
  return await writeBankDetails(creatorId, details, { isChecked: check === "confirmed" });
}

/** Stores bank details without verifying the password or asking the bank; for the demo. */
export async function writeBankDetails(
  creatorId: string,
  details: BankDetails,
  { isChecked = false }: { isChecked?: boolean } = {},
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
      checkedAt: isChecked ? now() : null,
    };
    const inserted = await tx
      .insert(bankDetails)
      .values({ creatorId, ...row })
      .onConflictDoNothing()
      .returning({ creatorId: bankDetails.creatorId });
    if (inserted.length === 0) {
      const [existing] = await tx
        .select()
        .from(bankDetails)
        .where(eq(bankDetails.creatorId, creatorId))
        .for("update");
      if (
        existing &&
        isDeepStrictEqual(tryDecryptBankDetails(creatorId, existing.encryptedDetails), details)
      ) {
        if (isChecked) await recordCheck(tx, creatorId);
        return { ok: true, isNew: false, isChecked: isChecked || existing.checkedAt !== null };
      }
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
    return { ok: true, isNew: true, isChecked };
  });
}

/** Records that the stored account was checked. Its details have not changed, so payouts are not blocked again. */
async function recordCheck(tx: Tx, creatorId: string): Promise<void> {
  await tx
    .update(bankDetails)
    .set({ checkedAt: now() })
    .where(eq(bankDetails.creatorId, creatorId));
  await writeAudit(tx, { actorId: creatorId, action: "check-bank-account", subject: creatorId });
}
