import { and, eq } from "drizzle-orm";
import { raiseAlert } from "#platform/alerts.server.ts";
import { errorCode, transaction } from "#platform/database.server.ts";
import { deleteUnusedWallet } from "#wallet/wallet.server.ts";
import { consumeEmailLink, findEmailLink } from "../email-links.server.ts";
import { endSessions } from "../sessions.server.ts";
import { credentials, users } from "../tables.server.ts";

export type RemoveAccountResult =
  | { ok: true }
  | { ok: false; refusal: "invalid-link" | "confirmed" | "in-use" };

const FOREIGN_KEY_VIOLATION = "23503";

class AccountInUseError extends Error {}

/**
 * Removes an unconfirmed account that was registered with someone else's address, for the owner of
 * the mailbox. Refused once the account is confirmed or in use.
 */
export async function removeUnconfirmedAccount(token: string): Promise<RemoveAccountResult> {
  const link = await findEmailLink(token, ["disown"]);
  if (!link) return { ok: false, refusal: "invalid-link" };
  try {
    return await transaction(async (tx): Promise<RemoveAccountResult> => {
      const consumedLink = await consumeEmailLink(tx, token, ["disown"]);
      if (!consumedLink) return { ok: false, refusal: "confirmed" };
      const { userId } = consumedLink;
      const [user] = await tx
        .select({ id: users.id })
        .from(users)
        .where(and(eq(users.id, userId), eq(users.emailVerified, false)));
      if (!user) return { ok: false, refusal: "confirmed" };
      if (!(await deleteUnusedWallet(tx, userId))) throw new AccountInUseError();
      await endSessions(tx, userId);
      await tx.delete(credentials).where(eq(credentials.userId, userId));
      await tx.delete(users).where(eq(users.id, userId));
      return { ok: true };
    });
  } catch (error) {
    // The account has coins, orders or roles: nothing was changed, and an admin decides.
    if (!(error instanceof AccountInUseError) && errorCode(error) !== FOREIGN_KEY_VIOLATION)
      throw error;
    await raiseAlert({
      kind: "unconfirmed-account-removed",
      subject: link.userId,
      message:
        "The owner of this email address says they didn't create this account. It was not removed, because it has coins, orders or a role.",
    });
    return { ok: false, refusal: "in-use" };
  }
}
