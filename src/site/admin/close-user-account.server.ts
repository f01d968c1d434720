import { closeAccount, readAccount, readUsers, writeAudit } from "#identity/identity.server.ts";
import { now } from "#platform/clock.server.ts";
import { transaction } from "#platform/database.server.ts";
import { readEarningsSummary } from "#race-cards/race-cards.server.ts";
import { findCreator, forgetApplicationsOf } from "#tipping/tipping.server.ts";
import { postToLedger, readWallet } from "#wallet/wallet.server.ts";

export type CloseUserAccountAnswer =
  | { ok: true; forfeitedCoins: number }
  | {
      ok: false;
      refusal: "no-such-user" | "has-a-role" | "is-owed" | "disputed" | "reason-missing";
    };

/**
 * Closes somebody's account for good, for the operator: what the wallet holds is forfeited, the person
 * goes, the rows about money stay. Not of whoever operates or publishes here or is still to be paid,
 * and not while a payment of theirs is disputed. Twice is once.
 */
export async function closeUserAccount(
  actorId: string,
  userId: string,
  reason: string,
): Promise<CloseUserAccountAnswer> {
  if (reason.trim() === "") return { ok: false, refusal: "reason-missing" };
  const account = await readAccount(userId, now());
  if (!account) return { ok: false, refusal: "no-such-user" };
  if (account.roles.length > 0) return { ok: false, refusal: "has-a-role" };
  if (await isOwed(userId)) return { ok: false, refusal: "is-owed" };
  return await transaction(async (tx): Promise<CloseUserAccountAnswer> => {
    const { balanceCoins, isFrozen } = await readWallet(userId, tx);
    // Whoever was quicker has let go of the wallet by now.
    const user = (await readUsers([userId], tx)).get(userId);
    if (!user || user.isClosed) return { ok: true, forfeitedCoins: 0 };
    if (isFrozen) return { ok: false, refusal: "disputed" };
    if (balanceCoins > 0)
      await postToLedger(tx, "forfeit", `account:${userId}`, [
        { account: "wallet", owner: userId, unit: "coin", amount: -balanceCoins },
        { account: "forfeited", unit: "coin", amount: balanceCoins },
      ]);
    await forgetApplicationsOf(tx, { userId, email: user.email });
    await closeAccount(tx, userId);
    await writeAudit(tx, {
      actorId,
      act: "close-account",
      subject: userId,
      details: { reason: reason.trim(), forfeitedCoins: balanceCoins },
    });
    return { ok: true, forfeitedCoins: balanceCoins };
  });
}

/** Somebody whose role is gone may still have earnings on their way. */
async function isOwed(userId: string): Promise<boolean> {
  if (!(await findCreator(userId))) return false;
  const { totalCents, paidCents } = await readEarningsSummary(userId);
  return totalCents > paidCents;
}
