import { isId } from "#domain/id.ts";
import { writeAudit } from "#platform/audit/audit.server.ts";
import { transaction } from "#platform/database.server.ts";
import { enqueueEmail } from "#platform/mail/mailer.server.ts";
import { lockWallet, type Posting, postToLedger, readGrantedCoins } from "#wallet/wallet.server.ts";
import { readUsers } from "../users.server.ts";
import { renderCoinsGrantedEmail } from "./coins-granted.email.tsx";
import type { GrantCoinsInput } from "./grant-coins.input.ts";

export type GrantCoinsResult =
  | { ok: true; balanceCoins: number; repaidCoins: number }
  | { ok: false; refusal: "no-such-user" | "closed" | "yourself" | "other-amount" };

/**
 * Grants coins to a user, for an admin. Coins owed are repaid first. Repeating a request has no effect, and a repeated
 * key with another amount is refused. Admins cannot grant coins to themselves.
 */
export async function grantCoins(
  actorId: string,
  userId: string,
  { amountCoins, reason, idempotencyKey }: GrantCoinsInput,
): Promise<GrantCoinsResult> {
  if (!isId(userId)) return { ok: false, refusal: "no-such-user" };
  if (userId === actorId) return { ok: false, refusal: "yourself" };
  return await transaction(async (tx): Promise<GrantCoinsResult> => {
    const previousWallet = await lockWallet(tx, userId);
    const user = (await readUsers([userId], tx)).get(userId);
    if (!user) return { ok: false, refusal: "no-such-user" };
    if (user.isClosed) return { ok: false, refusal: "closed" };
    const repaidCoins = Math.min(previousWallet.owedCoins, amountCoins);
    const postings: Posting[] = [
      { account: "owed", owner: userId, unit: "coin", amount: repaidCoins },
      { account: "wallet", owner: userId, unit: "coin", amount: amountCoins - repaidCoins },
      { account: "granted", unit: "coin", amount: -amountCoins },
    ];
    const reference = `${userId}:${idempotencyKey}`;
    const transactionId = await postToLedger(
      tx,
      "grant",
      reference,
      postings.filter((posting) => posting.amount !== 0),
    );
    if (transactionId === null)
      return (await readGrantedCoins(tx, reference)) === amountCoins
        ? { ok: true, balanceCoins: previousWallet.balanceCoins, repaidCoins: 0 }
        : { ok: false, refusal: "other-amount" };
    await writeAudit(tx, {
      actorId,
      action: "grant-coins",
      subject: reference,
      details: { userId, amountCoins, repaidCoins, reason },
    });
    const balanceCoins = previousWallet.balanceCoins + amountCoins - repaidCoins;
    await enqueueEmail(tx, {
      to: user.email,
      userId,
      kind: "coins-granted",
      ...(await renderCoinsGrantedEmail({
        name: user.name,
        amountCoins,
        repaidCoins,
        balanceCoins,
        reason,
      })),
    });
    return { ok: true, balanceCoins, repaidCoins };
  });
}
