import { now } from "#platform/clock.server.ts";
import { transaction } from "#platform/database.server.ts";
import { env } from "#platform/env.server.ts";
import { enqueueEmail } from "#platform/mail/mailer.server.ts";
import {
  consumeEmailLimit,
  createAddressKey,
  isWithinLimit,
  SIGN_UP_LIMIT,
  tryConsumeEmailLimit,
} from "#platform/rate-limits.server.ts";
import { createRegistrationCookie } from "../browser-cookies.server.ts";
import { isCommonPassword } from "../password/common-passwords.server.ts";
import { hashPassword } from "../password/password-hash.server.ts";
import { findUserByEmail, type User } from "../users.server.ts";
import { renderAlreadyRegisteredEmail } from "./already-registered.email.tsx";
import { createUserInTransaction } from "./create-user.server.ts";
import { sendConfirmation, sendConfirmationAgain } from "./send-confirmation.server.ts";

export type RegisterUserResult =
  | { ok: true; headers: Headers }
  | { ok: false; refusal: "email-taken" | "weak-password" | "too-many-attempts" | "busy" }
  | { ok: false; refusal: "too-many-emails"; retryAfterSeconds: number };

/**
 * Creates an unconfirmed account and sends its confirmation link. The headers identify this
 * browser, so that confirming signs it in. If the address has an account, its owner is notified by
 * email.
 */
export async function registerUser(
  input: { name: string; email: string; password: string },
  { request, clientAddress }: { request: Request; clientAddress: string },
): Promise<RegisterUserResult> {
  const { name, email, password } = input;
  if (!(await isWithinLimit(createAddressKey("sign-up", clientAddress), SIGN_UP_LIMIT)))
    return { ok: false, refusal: "too-many-attempts" };
  if (isCommonPassword(password)) return { ok: false, refusal: "weak-password" };
  const existingUser = await findUserByEmail(email);
  if (existingUser) return await emailAccountOwner(existingUser);
  const passwordHash = await hashPassword(password);
  if (!passwordHash) return { ok: false, refusal: "busy" };
  const retryAfterSeconds = await consumeEmailLimit(email, "new-account");
  if (retryAfterSeconds !== null)
    return { ok: false, refusal: "too-many-emails", retryAfterSeconds };

  const { browserHash, cookie } = createRegistrationCookie(request);
  const userId = await transaction(async (tx) => {
    const newUserId = await createUserInTransaction(tx, {
      email,
      name,
      passwordHash,
      verified: false,
      agreedAt: now(),
    });
    if (newUserId) await sendConfirmation(tx, newUserId, { browserHash });
    return newUserId;
  });
  if (!userId) return { ok: false, refusal: "email-taken" };
  return { ok: true, headers: new Headers([["Set-Cookie", cookie]]) };
}

async function emailAccountOwner(user: User): Promise<RegisterUserResult> {
  if (await tryConsumeEmailLimit(user.email))
    await transaction(async (tx) => {
      // An unconfirmed user needs the confirmation link rather than this email.
      if (!user.emailVerified) return await sendConfirmationAgain(tx, user.id);
      const { appUrl } = env();
      const content = await renderAlreadyRegisteredEmail({
        name: user.name,
        loginUrl: `${appUrl}/login`,
        resetUrl: `${appUrl}/forgot-password`,
      });
      await enqueueEmail(tx, {
        to: user.email,
        userId: user.id,
        kind: "already-registered",
        ...content,
      });
    });
  return { ok: false, refusal: "email-taken" };
}
