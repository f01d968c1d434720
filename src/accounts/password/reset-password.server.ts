import { and, eq } from "drizzle-orm";
import { now } from "#platform/clock.server.ts";
import { database, type Tx, transaction } from "#platform/database.server.ts";
import { createPasswordKey, resetPasswordAttempts } from "#platform/rate-limits.server.ts";
import {
  consumeEmailLink,
  createEmailLink,
  type EmailLink,
  findEmailLink,
  revokeEmailLinks,
} from "../email-links.server.ts";
import { recordAgreement } from "../registration/create-user.server.ts";
import { readRoles } from "../roles.server.ts";
import { endSessions } from "../sessions.server.ts";
import { credentials, users } from "../tables.server.ts";
import type { Role } from "../viewer.server.ts";
import { sendPasswordChangedEmail } from "./change-password.server.ts";
import { isCommonPassword } from "./common-passwords.server.ts";
import { setPassword } from "./credentials.server.ts";
import { hashPassword } from "./password-hash.server.ts";

const PURPOSES = ["reset-password", "set-password"] as const satisfies EmailLink["purpose"][];

export type ResetPasswordResult =
  | { ok: true; email: string }
  | { ok: false; refusal: "invalid-link" | "not-agreed" | "weak-password" | "busy" };

/** The state of a valid password link. */
export type PasswordLink = {
  /** The account has no password yet. */
  isFirstPassword: boolean;
  /** The owner must still confirm being 18 or older and agree to the terms. */
  mustAgree: boolean;
  /** The page where its owner logs in afterwards. */
  loginPath: string;
};

/**
 * Sets a new password through an email link, once, and ends every session. Also confirms the
 * address, since the user can read its mailbox. A user who has not agreed to the terms must do so,
 * which is recorded.
 */
export async function resetPassword(
  token: string,
  password: string,
  { agreed = false }: { agreed?: boolean } = {},
): Promise<ResetPasswordResult> {
  if (isCommonPassword(password)) return { ok: false, refusal: "weak-password" };
  const passwordLink = await readPasswordLink(token);
  if (!passwordLink) return { ok: false, refusal: "invalid-link" };
  if (passwordLink.mustAgree && !agreed) return { ok: false, refusal: "not-agreed" };
  const passwordHash = await hashPassword(password);
  if (!passwordHash) return { ok: false, refusal: "busy" };
  const email = await transaction(async (tx) => {
    const link = await consumeEmailLink(tx, token, [...PURPOSES]);
    if (!link) return null;
    if (passwordLink.mustAgree) await recordAgreement(tx, link.userId, now());
    return await applyNewPassword(tx, link, passwordHash);
  });
  if (!email) return { ok: false, refusal: "invalid-link" };
  await resetPasswordAttempts([createPasswordKey(email, null)]);
  return { ok: true, email };
}

/** Returns the state of a password link, or null if it is no longer valid. Changes nothing. */
export async function readPasswordLink(token: string): Promise<PasswordLink | null> {
  const link = await findEmailLink(token, [...PURPOSES]);
  if (!link || link.usedAt) return null;
  const [user] = await database()
    .select({ agreedAt: users.agreedAt, password: credentials.password })
    .from(users)
    .leftJoin(
      credentials,
      and(eq(credentials.userId, users.id), eq(credentials.providerId, "credential")),
    )
    .where(eq(users.id, link.userId));
  const isFirstPassword = !user?.password;
  return {
    isFirstPassword,
    mustAgree: isFirstPassword && !user?.agreedAt,
    loginPath: isFirstPassword ? findCreatorLogin(await readRoles(link.userId)) : "/login",
  };
}

function findCreatorLogin(roles: Role[]): string {
  if (roles.includes("analyst")) return "/analyst";
  return roles.includes("tipster") ? "/tipster-auth" : "/login";
}

/**
 * Creates the link with which an approved tipster or invited analyst sets the first password. The caller
 * must email it. The link is valid once, for a week.
 */
export async function createPasswordLink(tx: Tx, userId: string): Promise<string> {
  const [user] = await tx.select({ email: users.email }).from(users).where(eq(users.id, userId));
  if (!user) throw new Error(`there is no user ${userId}`);
  return await createEmailLink(tx, { userId, email: user.email, purpose: "set-password" });
}

async function applyNewPassword(tx: Tx, link: EmailLink, passwordHash: string) {
  const { userId, email } = link;
  const [user] = await tx
    .update(users)
    .set({ emailVerified: true, updatedAt: now() })
    .where(and(eq(users.id, userId), eq(users.email, email)))
    .returning({ name: users.name });
  if (!user) return null;
  await setPassword(tx, userId, passwordHash);
  await endSessions(tx, userId);
  await revokeEmailLinks(tx, userId, [...PURPOSES, "confirm-email", "change-email", "disown"]);
  if (link.purpose === "reset-password")
    await sendPasswordChangedEmail(tx, { id: userId, email, ...user });
  return email;
}
