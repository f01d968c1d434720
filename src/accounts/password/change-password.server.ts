import { type Tx, transaction } from "#platform/database.server.ts";
import { env } from "#platform/env.server.ts";
import { enqueueEmail } from "#platform/mail/mailer.server.ts";
import { revokeEmailLinks } from "../email-links.server.ts";
import { readSessionToken } from "../session-token.server.ts";
import { endSessions, renewSession } from "../sessions.server.ts";
import { lockUser } from "../users.server.ts";
import type { Viewer } from "../viewer.server.ts";
import { isCommonPassword } from "./common-passwords.server.ts";
import { readPasswordHash, setPassword } from "./credentials.server.ts";
import { renderPasswordChangedEmail } from "./password-changed.email.tsx";
import { hashPassword } from "./password-hash.server.ts";
import { type ReauthenticationResult, reauthenticate } from "./reauthenticate.server.ts";

export type ChangePasswordResult =
  | { ok: true; headers: Headers }
  | { ok: false; refusal: Exclude<ReauthenticationResult, "correct"> | "weak-password" };

/**
 * Changes the password of a viewer who enters the current one. Ends every other session and renews
 * this one with a new token, so that a stolen copy of the old cookie stops working.
 */
export async function changePassword(
  viewer: Viewer,
  input: { currentPassword: string; newPassword: string },
  request: Request,
): Promise<ChangePasswordResult> {
  if (isCommonPassword(input.newPassword)) return { ok: false, refusal: "weak-password" };
  const previousHash = await readPasswordHash(viewer.id);
  const check = await reauthenticate(viewer.id, input.currentPassword);
  if (check !== "correct") return { ok: false, refusal: check };
  const passwordHash = await hashPassword(input.newPassword);
  if (!passwordHash) return { ok: false, refusal: "busy" };
  const token = readSessionToken(request);
  const isChanged = await transaction(async (tx) => {
    await lockUser(tx, viewer.id);
    // The password changed in the meantime, for example through a reset link, so the one entered is
    // no longer correct.
    if ((await readPasswordHash(viewer.id, tx)) !== previousHash) return false;
    await setPassword(tx, viewer.id, passwordHash);
    await endSessions(tx, viewer.id, { exceptToken: token });
    await revokeEmailLinks(tx, viewer.id, ["reset-password", "set-password", "change-email"]);
    await sendPasswordChangedEmail(tx, viewer);
    return true;
  });
  if (!isChanged) return { ok: false, refusal: "wrong-password" };
  return { ok: true, headers: token ? await renewSession(token) : new Headers() };
}

/** Tells the account owner by email that the password was changed. */
export async function sendPasswordChangedEmail(
  tx: Tx,
  user: { id: string; name: string; email: string },
): Promise<void> {
  const content = await renderPasswordChangedEmail({
    name: user.name,
    resetUrl: `${env().appUrl}/forgot-password`,
  });
  await enqueueEmail(tx, { to: user.email, userId: user.id, kind: "password-changed", ...content });
}
