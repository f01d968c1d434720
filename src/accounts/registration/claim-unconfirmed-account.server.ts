import { eq } from "drizzle-orm";
import { now } from "#platform/clock.server.ts";
import { database, type Tx } from "#platform/database.server.ts";
import { hasNoPostings } from "#wallet/wallet.server.ts";
import { revokeEmailLinks } from "../email-links.server.ts";
import { setPassword } from "../password/credentials.server.ts";
import { endSessions } from "../sessions.server.ts";
import { userRoles, users } from "../tables.server.ts";
import { findUserByEmail, type User } from "../users.server.ts";
import type { NewUser } from "./create-user.server.ts";

/** Whether an account is unclaimed: unconfirmed, without roles and without ledger postings. */
async function isClaimable(user: User, tx?: Tx): Promise<boolean> {
  if (user.emailVerified) return false;
  const roles = await (tx ?? database())
    .select({ role: userRoles.role })
    .from(userRoles)
    .where(eq(userRoles.userId, user.id));
  return roles.length === 0 && (await hasNoPostings(user.id, tx));
}

/** Whether the address has an account that a guest purchase may claim. */
export async function canClaimAccount(email: string): Promise<boolean> {
  const user = await findUserByEmail(email);
  return user !== null && (await isClaimable(user));
}

/**
 * Transfers an unconfirmed, unused account to the guest who has paid, with their name and password.
 * Ends its sessions and revokes its links. Returns its id, or null if it can no longer be
 * claimed.
 */
export async function claimUnconfirmedAccount(
  tx: Tx,
  claimant: Omit<NewUser, "verified"> & { passwordHash: string },
): Promise<string | null> {
  const user = await findUserByEmail(claimant.email, tx);
  if (!user || !(await isClaimable(user, tx))) return null;
  await tx
    .update(users)
    .set({ name: claimant.name, agreedAt: claimant.agreedAt, updatedAt: now() })
    .where(eq(users.id, user.id));
  await setPassword(tx, user.id, claimant.passwordHash);
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
