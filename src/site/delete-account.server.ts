import { checkPassword, closeAccount, type Viewer } from "#identity/identity.server.ts";
import { transaction } from "#platform/database.server.ts";
import { forgetApplicationsOf } from "#tipping/tipping.server.ts";
import { postToLedger, readWallet } from "#wallet/wallet.server.ts";

export type DeleteAccountAnswer =
  | { ok: true; forfeitedCoins: number }
  | { ok: false; refusal: "wrong-password" | "too-many-tries" | "busy" | "has-a-role" };

/**
 * Closes a viewer's account for good, who gives the password once more: what the wallet holds is
 * forfeited, the person goes, the rows about money stay. Whoever earns or operates here has accounts
 * to settle first and is refused.
 */
export async function deleteAccount(
  viewer: Viewer,
  password: string,
): Promise<DeleteAccountAnswer> {
  if (viewer.roles.some((role) => role !== "user")) return { ok: false, refusal: "has-a-role" };
  const check = await checkPassword(viewer.id, password);
  if (check !== "right") return { ok: false, refusal: check };
  return await transaction(async (tx) => {
    const { balanceCoins } = await readWallet(viewer.id, tx);
    if (balanceCoins > 0)
      await postToLedger(tx, "forfeit", `account:${viewer.id}`, [
        { account: "wallet", owner: viewer.id, unit: "coin", amount: -balanceCoins },
        { account: "forfeited", unit: "coin", amount: balanceCoins },
      ]);
    await forgetApplicationsOf(tx, { userId: viewer.id, email: viewer.email });
    await closeAccount(tx, viewer.id);
    return { ok: true, forfeitedCoins: balanceCoins };
  });
}
