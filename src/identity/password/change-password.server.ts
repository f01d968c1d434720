import { type Tx, transaction } from "#platform/database.server.ts";
import { env } from "#platform/env.server.ts";
import { enqueueMail } from "#platform/mail/mailer.server.ts";
import { revokeEmailLinks } from "../email-links.server.ts";
import { sessionToken } from "../session-token.server.ts";
import { endSessions, renewSession } from "../sessions.server.ts";
import { lockUser } from "../users.server.ts";
import type { Viewer } from "../viewer.server.ts";
import { type CheckPasswordResult, checkPassword } from "./check-password.server.ts";
import { isCommonPassword } from "./common-passwords.server.ts";
import { passwordHashOf, setPassword } from "./credentials.server.ts";
import { passwordChangedMail } from "./password-changed.email.tsx";
import { hashPassword } from "./password-hash.server.ts";

export type ChangePasswordResult =
  | { ok: true; headers: Headers }
  | { ok: false; refusal: Exclude<CheckPasswordResult, "right"> | "weak-password" };

/**
 * Changes a viewer's password, who gives the one they have; every other session of theirs ends, and this
 * one goes on under another token, in the cookie of the headers: a copy of the old one is worth nothing.
 */
export async function changePassword(
  viewer: Viewer,
  given: { currentPassword: string; newPassword: string },
  request: Request,
): Promise<ChangePasswordResult> {
  if (isCommonPassword(given.newPassword)) return { ok: false, refusal: "weak-password" };
  const before = await passwordHashOf(viewer.id);
  const check = await checkPassword(viewer.id, given.currentPassword);
  if (check !== "right") return { ok: false, refusal: check };
  const passwordHash = await hashPassword(given.newPassword);
  if (!passwordHash) return { ok: false, refusal: "busy" };
  const token = sessionToken(request);
  const isChanged = await transaction(async (tx) => {
    await lockUser(tx, viewer.id);
    // Somebody else was quicker, the owner by a link from their mailbox perhaps: then this one was wrong.
    if ((await passwordHashOf(viewer.id, tx)) !== before) return false;
    await setPassword(tx, viewer.id, passwordHash);
    await endSessions(tx, viewer.id, { exceptToken: token });
    await revokeEmailLinks(tx, viewer.id, ["reset-password", "set-password", "change-email"]);
    await sendPasswordChangedEmail(tx, viewer);
    return true;
  });
  if (!isChanged) return { ok: false, refusal: "wrong-password" };
  return { ok: true, headers: token ? await renewSession(token) : new Headers() };
}

/** Mails the owner of an account that its password is another one now. */
export async function sendPasswordChangedEmail(
  tx: Tx,
  user: { id: string; name: string; email: string },
): Promise<void> {
  const mail = await passwordChangedMail({
    name: user.name,
    resetPage: `${env().appUrl}/forgot-password`,
  });
  await enqueueMail(tx, { to: user.email, userId: user.id, kind: "password-changed", ...mail });
}
