import { eq } from "drizzle-orm";
import { now } from "#platform/clock.server.ts";
import { type Tx, transaction } from "#platform/database.server.ts";
import { env } from "#platform/env.server.ts";
import { enqueueEmail } from "#platform/mail/mailer.server.ts";
import {
  consumeEmailLimit,
  createAddressKey,
  createPasswordKey,
  isWithinLimit,
  resetPasswordAttempts,
  SIGN_UP_LIMIT,
  takePasswordAttempt,
  uncountPasswordAttempt,
} from "#platform/rate-limits.server.ts";
import { createRegistrationCookie, readKnownBrowser } from "../browser-cookies.server.ts";
import { isCommonPassword } from "../password/common-passwords.server.ts";
import { readPasswordHash } from "../password/credentials.server.ts";
import { hashPassword, verifyPassword } from "../password/password-hash.server.ts";
import { users } from "../tables.server.ts";
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
 * browser, so that confirming signs it in. The same form sent again, with the password of the unconfirmed
 * account, takes the name and sends another link for this browser. If the address has any other account, its owner is
 * notified by email.
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
  if (existingUser) return await registerAgain(existingUser, input, { request });
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
  if (userId) return { ok: true, headers: new Headers([["Set-Cookie", cookie]]) };
  // The account was created meanwhile, for example because the form was sent twice at once.
  const newUser = await findUserByEmail(email);
  if (!newUser) return { ok: false, refusal: "email-taken" };
  return await registerAgain(newUser, input, { request, isEmailCounted: true });
}

/** Handles a registration for an address that has an account. */
async function registerAgain(
  user: User,
  { name, password }: { name: string; password: string },
  { request, isEmailCounted = false }: { request: Request; isEmailCounted?: boolean },
): Promise<RegisterUserResult> {
  const registeredHash = await findRegisteredHash(user, password, request);
  if (registeredHash === "busy") return { ok: false, refusal: "busy" };
  const retryAfterSeconds = isEmailCounted
    ? null
    : await consumeEmailLimit(user.email, registeredHash ? "new-account" : undefined);
  if (!registeredHash) {
    if (retryAfterSeconds === null) await transaction((tx) => emailAccountOwner(tx, user));
    return { ok: false, refusal: "email-taken" };
  }
  if (retryAfterSeconds !== null)
    return { ok: false, refusal: "too-many-emails", retryAfterSeconds };
  const { browserHash, cookie } = createRegistrationCookie(request);
  const isSent = await transaction(async (tx) => {
    const current = await findUserByEmail(user.email, tx);
    if (current?.id !== user.id || current.emailVerified) return false;
    if ((await readPasswordHash(user.id, tx)) !== registeredHash) return false;
    await tx.update(users).set({ name, updatedAt: now() }).where(eq(users.id, user.id));
    await sendConfirmation(tx, user.id, { browserHash });
    return true;
  });
  if (!isSent) return { ok: false, refusal: "email-taken" };
  return { ok: true, headers: new Headers([["Set-Cookie", cookie]]) };
}

/**
 * Returns the hash of an unconfirmed account's password if it is this password, otherwise null. Counts as a password
 * attempt, because the result reveals the password. Takes as long for every account as registering a new address, so
 * that the response time does not reveal which accounts are confirmed.
 */
async function findRegisteredHash(
  user: User,
  password: string,
  request: Request,
): Promise<string | null | "busy"> {
  const storedHash = user.emailVerified ? null : await readPasswordHash(user.id);
  const attemptKey = createPasswordKey(user.email, readKnownBrowser(request, user.email));
  if (!storedHash || (await takePasswordAttempt(attemptKey)) !== null)
    return (await hashPassword(password)) === null ? "busy" : null;
  const matches = await verifyPassword(storedHash, password);
  if (matches === null) {
    await uncountPasswordAttempt(attemptKey);
    return "busy";
  }
  if (!matches) return null;
  await resetPasswordAttempts([attemptKey]);
  return storedHash;
}

/** Tells the owner of an account that someone registers with its address. */
async function emailAccountOwner(tx: Tx, user: User): Promise<void> {
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
}
