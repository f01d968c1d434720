import { eq } from "drizzle-orm";
import { now } from "#platform/clock.server.ts";
import { database, type Tx } from "#platform/database.server.ts";
import { isWalletUntouched } from "#wallet/wallet.server.ts";
import { revokeEmailLinks } from "../email-links.server.ts";
import { setPassword } from "../password/credentials.server.ts";
import { endSessions } from "../sessions.server.ts";
import { userRoles, users } from "../tables.server.ts";
import { findUserByEmail, type User } from "../users.server.ts";
import type { NewUser } from "./create-user.server.ts";

/** Whether this account is nobody's yet: unconfirmed, without a role, and no coin ever moved in it. */
async function isFree(user: User, tx?: Tx): Promise<boolean> {
  if (user.emailVerified) return false;
  const roles = await (tx ?? database())
    .select({ role: userRoles.role })
    .from(userRoles)
    .where(eq(userRoles.userId, user.id));
  return roles.length === 0 && (await isWalletUntouched(user.id, tx));
}

/** Whether the address has an account that a guest's purchase would take over. */
export async function canClaimAccount(email: string): Promise<boolean> {
  const user = await findUserByEmail(email);
  return user !== null && (await isFree(user));
}

/**
 * Makes an unconfirmed and empty account that of the guest who has paid, with their name and
 * password; whoever had opened it is signed out and their links are void. Answers its id, or null
 * where it is not (any more) free to be taken.
 */
export async function claimUnconfirmedAccount(
  tx: Tx,
  taker: Omit<NewUser, "verified"> & { passwordHash: string },
): Promise<string | null> {
  const user = await findUserByEmail(taker.email, tx);
  if (!user || !(await isFree(user, tx))) return null;
  await tx
    .update(users)
    .set({ name: taker.name, agreedAt: taker.agreedAt, updatedAt: now() })
    .where(eq(users.id, user.id));
  await setPassword(tx, user.id, taker.passwordHash);
  await endSessions(tx, user.id);
  await revokeEmailLinks(tx, user.id, [
    "confirm-email",
    "change-email",
    "disown",
    "reset-password",
    "set-password",
  ]);
  return user.id;
}
