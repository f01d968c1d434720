import { and, eq } from "drizzle-orm";
import { now } from "#platform/clock.server.ts";
import { database, type Tx, transaction } from "#platform/database.server.ts";
import { accountKey, resetPasswordAttempts } from "#platform/rate-limits.server.ts";
import {
  consumeEmailLink,
  createEmailLink,
  type EmailLink,
  findEmailLink,
  revokeEmailLinks,
} from "../email-links.server.ts";
import { recordAgreement } from "../registration/create-user.server.ts";
import { endSessions } from "../sessions.server.ts";
import { credentials, users } from "../tables.server.ts";
import { sendPasswordChangedEmail } from "./change-password.server.ts";
import { isCommonPassword } from "./common-passwords.server.ts";
import { setPassword } from "./credentials.server.ts";
import { hashPassword } from "./password-hash.server.ts";

const PURPOSES = ["reset-password", "set-password"] as const satisfies EmailLink["purpose"][];

export type ResetPasswordResult =
  | { ok: true; email: string }
  | { ok: false; refusal: "link-not-good" | "not-agreed" | "weak-password" | "busy" };

/** What a link from a mail is good for. */
export type PasswordLink = {
  /** The account has no password yet. */
  isFirst: boolean;
  /** Its owner has yet to say that they are 18 or older and agree to the terms. */
  mustAgree: boolean;
};

/**
 * Sets a new password by the link from a mail, once, and ends every session. Who can read the mailbox
 * has shown that the address is theirs, so it is confirmed by it too. Whoever has never agreed to the
 * terms does so with their first password, which is written down.
 */
export async function resetPassword(
  token: string,
  password: string,
  { agreed = false }: { agreed?: boolean } = {},
): Promise<ResetPasswordResult> {
  if (isCommonPassword(password)) return { ok: false, refusal: "weak-password" };
  const good = await readPasswordLink(token);
  if (!good) return { ok: false, refusal: "link-not-good" };
  if (good.mustAgree && !agreed) return { ok: false, refusal: "not-agreed" };
  const passwordHash = await hashPassword(password);
  if (!passwordHash) return { ok: false, refusal: "busy" };
  const email = await transaction(async (tx) => {
    const link = await consumeEmailLink(tx, token, [...PURPOSES]);
    if (!link) return null;
    if (good.mustAgree) await recordAgreement(tx, link.userId, now());
    return await takeNewPassword(tx, link, passwordHash);
  });
  if (!email) return { ok: false, refusal: "link-not-good" };
  await resetPasswordAttempts([accountKey(email, null)]);
  return { ok: true, email };
}

/** What a link from a mail can still do; null where it sets no password (any more). Looking changes nothing. */
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
  const isFirst = !user?.password;
  return { isFirst, mustAgree: isFirst && !user?.agreedAt };
}

/**
 * The link by which someone sets their first password, for a mail of the caller's: an approved
 * tipster, an invited analyst. Good for a week, once.
 */
export async function setPasswordLink(tx: Tx, userId: string): Promise<string> {
  const [user] = await tx.select({ email: users.email }).from(users).where(eq(users.id, userId));
  if (!user) throw new Error(`there is no user ${userId}`);
  return await createEmailLink(tx, { userId, email: user.email, purpose: "set-password" });
}

async function takeNewPassword(tx: Tx, link: EmailLink, passwordHash: string) {
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
