import { randomBytes } from "node:crypto";
import { eq, or, sql } from "drizzle-orm";
import { now } from "#platform/clock.server.ts";
import type { Tx } from "#platform/database.server.ts";
import { anonymiseEmailsTo } from "#platform/mail/anonymise-emails.server.ts";
import { deleteEmailSettings } from "../email-settings.server.ts";
import { endSessions } from "../sessions.server.ts";
import {
  adminInvitations,
  credentials,
  emailLinks,
  twoStepKeys,
  userRoles,
  users,
} from "../tables.server.ts";

/**
 * Deletes the personal data of an account permanently: name, address, picture, password, roles,
 * sessions, emails, email settings and invitations. The id remains for the ledger. The caller must forfeit the balance
 * first, in the same transaction.
 */
export async function closeAccount(tx: Tx, userId: string): Promise<void> {
  const [user] = await tx.select({ email: users.email }).from(users).where(eq(users.id, userId));
  if (user) await anonymiseEmailsTo(tx, { userId, email: user.email });
  // No one can have registered this address before, because the random part is new.
  const closedEmail = `${userId}.${randomBytes(8).toString("hex")}@closed.invalid`;
  await tx
    .update(users)
    .set({
      email: closedEmail,
      name: "Closed account",
      emailVerified: false,
      image: null,
      closedAt: now(),
      updatedAt: now(),
    })
    .where(eq(users.id, userId));
  if (user)
    await tx
      .update(adminInvitations)
      .set({
        email: closedEmail,
        endedAt: sql`coalesce(${adminInvitations.endedAt}, ${now().toISOString()})`,
      })
      .where(or(eq(adminInvitations.email, user.email), eq(adminInvitations.acceptedBy, userId)));
  await endSessions(tx, userId);
  // Once the account is closed, a request that is running at the same time can store no new setting.
  await deleteEmailSettings(tx, userId);
  await tx.delete(credentials).where(eq(credentials.userId, userId));
  await tx.delete(twoStepKeys).where(eq(twoStepKeys.userId, userId));
  await tx.delete(emailLinks).where(eq(emailLinks.userId, userId));
  await tx.delete(userRoles).where(eq(userRoles.userId, userId));
}
