import { now } from "#platform/clock.server.ts";
import { transaction } from "#platform/database.server.ts";
import { env } from "#platform/env.server.ts";
import { enqueueMail } from "#platform/mail/mailer.server.ts";
import {
  addressKey,
  countMail,
  mayMail,
  SIGN_UPS,
  withinLimit,
} from "#platform/rate-limits.server.ts";
import { createRegistrationCookie } from "../browsers.server.ts";
import { isCommonPassword } from "../password/common-passwords.server.ts";
import { hashPassword } from "../password/password-hash.server.ts";
import { findUserByEmail, type User } from "../users.server.ts";
import { alreadyRegisteredMail } from "./already-registered.email.tsx";
import { createUserInTransaction } from "./create-user.server.ts";
import { sendConfirmation, sendConfirmationAgain } from "./send-confirmation.server.ts";

export type RegisterUserResult =
  | { ok: true; headers: Headers }
  | { ok: false; refusal: "email-taken" | "weak-password" | "too-many-tries" | "busy" }
  | { ok: false; refusal: "too-many-mails"; retryAfterSeconds: number };

/**
 * Opens an unconfirmed account and mails its confirmation link. The headers mark this browser as the
 * one that confirming signs in. The owner of an address that has an account is told of the try.
 */
export async function registerUser(
  given: { name: string; email: string; password: string },
  { request, clientAddress }: { request: Request; clientAddress: string },
): Promise<RegisterUserResult> {
  const { name, email, password } = given;
  if (!(await withinLimit(addressKey("sign-up", clientAddress), SIGN_UPS)))
    return { ok: false, refusal: "too-many-tries" };
  if (isCommonPassword(password)) return { ok: false, refusal: "weak-password" };
  const known = await findUserByEmail(email);
  if (known) return await mailAccountOwner(known);
  const passwordHash = await hashPassword(password);
  if (!passwordHash) return { ok: false, refusal: "busy" };
  const retryAfterSeconds = await countMail(email, "new-account");
  if (retryAfterSeconds !== null)
    return { ok: false, refusal: "too-many-mails", retryAfterSeconds };

  const { browserHash, cookie } = createRegistrationCookie(request);
  const userId = await transaction(async (tx) => {
    const made = await createUserInTransaction(tx, {
      email,
      name,
      passwordHash,
      verified: false,
      agreedAt: now(),
    });
    if (made) await sendConfirmation(tx, made, { browserHash });
    return made;
  });
  if (!userId) return { ok: false, refusal: "email-taken" };
  return { ok: true, headers: new Headers([["Set-Cookie", cookie]]) };
}

async function mailAccountOwner(user: User): Promise<RegisterUserResult> {
  if (await mayMail(user.email))
    await transaction(async (tx) => {
      // Whoever has not confirmed yet is helped more by the link they are missing.
      if (!user.emailVerified) return await sendConfirmationAgain(tx, user.id);
      const { appUrl } = env();
      const mail = await alreadyRegisteredMail({
        name: user.name,
        signInPage: `${appUrl}/login`,
        resetPage: `${appUrl}/forgot-password`,
      });
      await enqueueMail(tx, {
        to: user.email,
        userId: user.id,
        kind: "already-registered",
        ...mail,
      });
    });
  return { ok: false, refusal: "email-taken" };
}
