import { closeAccount, lockUser, readRoles, readUsers } from "#accounts/accounts.server.ts";
import { eraseCreatorProfile, removeApplicant } from "#creators/creators.server.ts";
import { isId } from "#domain/id.ts";
import { type ClosingResult, refundUnspentCoins } from "#payments/payments.server.ts";
import { deleteBankDetails } from "#payouts/payouts.server.ts";
import { writeAudit } from "#platform/audit/audit.server.ts";
import { transaction } from "#platform/database.server.ts";
import { lockWallet, postToLedger, readPayableCents } from "#wallet/wallet.server.ts";

export type CloseUserAccountResult =
  | ({ ok: true } & ClosingResult)
  | {
      ok: false;
      refusal:
        | "no-such-user"
        | "has-a-role"
        | "has-unpaid-earnings"
        | "disputed"
        | "reason-missing";
    };

/**
 * Closes an account permanently, for an admin or for its holder: refunds the bought coins that were not spent, lets the
 * others lapse, and removes the personal data; financial records stay. Refuses users with a role, with a payable amount
 * (suspended creators included) or with a disputed payment. Idempotent.
 */
export async function closeUserAccount(
  actorId: string,
  userId: string,
  reason: string,
): Promise<CloseUserAccountResult> {
  if (reason.trim() === "") return { ok: false, refusal: "reason-missing" };
  if (!isId(userId)) return { ok: false, refusal: "no-such-user" };
  return await transaction(async (tx): Promise<CloseUserAccountResult> => {
    // Locks the account, so that no earning is restored between the check of the payable amount and the closing.
    await lockUser(tx, userId);
    // Locks the wallet, so that a dispute, a purchase or another closing cannot run concurrently.
    const { balanceCoins, isFrozen } = await lockWallet(tx, userId);
    const user = (await readUsers([userId], tx)).get(userId);
    if (!user) return { ok: false, refusal: "no-such-user" };
    if (user.isClosed)
      return { ok: true, refundedCoins: 0, refundedCents: 0, lapsedCoins: 0, claimCode: null };
    if ((await readRoles(userId, tx)).length > 0) return { ok: false, refusal: "has-a-role" };
    if ((await readPayableCents(userId, tx)) > 0)
      return { ok: false, refusal: "has-unpaid-earnings" };
    if (isFrozen) return { ok: false, refusal: "disputed" };
    const closing = await refundUnspentCoins(tx, user, balanceCoins);
    if (balanceCoins > 0)
      await postToLedger(tx, "forfeit", `account:${userId}`, [
        { account: "wallet", owner: userId, unit: "coin", amount: -balanceCoins },
        { account: "forfeited", owner: userId, unit: "coin", amount: balanceCoins },
      ]);
    await removeApplicant(tx, { userId, email: user.email });
    await deleteBankDetails(tx, userId);
    await eraseCreatorProfile(tx, userId);
    await closeAccount(tx, userId);
    await writeAudit(tx, {
      actorId,
      action: "close-account",
      subject: userId,
      details: {
        reason: reason.trim(),
        refundedCoins: closing.refundedCoins,
        refundedCents: closing.refundedCents,
        lapsedCoins: closing.lapsedCoins,
      },
    });
    return { ok: true, ...closing };
  });
}
