import { and, eq } from "drizzle-orm";
import { database } from "#platform/database.server.ts";
import {
  createAddressKey,
  createPasswordKey,
  isWithinLimit,
  resetPasswordAttempts,
  SIGN_IN_LIMIT,
  takePasswordAttempt,
  uncountPasswordAttempt,
} from "#platform/rate-limits.server.ts";
import { signInWithPassword } from "../auth.server.ts";
import { createKnownBrowserCookie, readKnownBrowser } from "../browser-cookies.server.ts";
import { isAwaitingTwoStep } from "../invitations/admin-invitations.server.ts";
import {
  hashPassword,
  nullIfHashQueueFull,
  verifyHash,
  withSignInSlot,
} from "../password/password-hash.server.ts";
import { readSessionToken } from "../session-token.server.ts";
import { endSession } from "../sessions.server.ts";
import { credentials, twoStepKeys, userRoles, users } from "../tables.server.ts";
import { createPasswordStepCookie } from "../two-step/password-step-cookie.server.ts";
import { signInWithCode } from "../two-step/verify-code.server.ts";
import { findViewerById, type Role, type Viewer } from "../viewer.server.ts";

export type SignInResult =
  | { ok: true; viewer: Viewer; headers: Headers }
  | {
      ok: false;
      refusal: "wrong-credentials" | "not-permitted" | "not-confirmed" | "busy";
    }
  | { ok: false; refusal: "wrong-code" }
  /** The password is correct; the headers allow this browser to enter the code at /login/code. */
  | { ok: false; refusal: "code-needed"; headers: Headers }
  | { ok: false; refusal: "too-many-attempts"; retryAfterSeconds: number };

/** Limits a sign-in form to users with a role, or to users that a predicate accepts. */
type SignInRestriction = Exclude<Role, "user"> | ((userId: string) => Promise<boolean>);

/**
 * Signs in with an email address and a password. Returns the headers that set the cookie of the new
 * session, and ends this browser's previous one. `restrictTo` limits who may sign in.
 */
export async function signIn(input: {
  email: string;
  password: string;
  /** The code of two-step login, sent together with the password. */
  code?: string;
  restrictTo?: SignInRestriction;
  request: Request;
  clientAddress: string;
}): Promise<SignInResult> {
  const result = await withSignInSlot(() => attemptSignIn(input));
  return result ?? { ok: false, refusal: "busy" };
}

async function attemptSignIn(input: Parameters<typeof signIn>[0]): Promise<SignInResult> {
  const { email, password, code, restrictTo, request, clientAddress } = input;
  if (!(await isWithinLimit(createAddressKey("sign-in", clientAddress), SIGN_IN_LIMIT)))
    return { ok: false, refusal: "too-many-attempts", retryAfterSeconds: SIGN_IN_LIMIT.seconds };
  const attemptKey = createPasswordKey(email, readKnownBrowser(request, email));
  const waitSeconds = await takePasswordAttempt(attemptKey);
  if (waitSeconds)
    return { ok: false, refusal: "too-many-attempts", retryAfterSeconds: waitSeconds };

  if (restrictTo && !(await isPermitted(email, restrictTo))) {
    // Takes as long as checking a password, so that the response time does not reveal who may sign
    // in here.
    const hash = await hashPassword(password);
    return hash ? { ok: false, refusal: "not-permitted" } : await refuseAsBusy(attemptKey);
  }
  const twoStep = await findTwoStepAccount(email);
  if (twoStep) {
    const isPasswordCorrect = await nullIfHashQueueFull(verifyHash(twoStep.passwordHash, password));
    if (isPasswordCorrect === null) return await refuseAsBusy(attemptKey);
    if (!isPasswordCorrect) return { ok: false, refusal: "wrong-credentials" };
    await resetPasswordAttempts([attemptKey]);
    if (code) return await signInWithPasswordAndCode(twoStep.userId, code, request);
    const headers = new Headers();
    headers.append("Set-Cookie", createPasswordStepCookie(twoStep.userId, twoStep.passwordHash));
    return { ok: false, refusal: "code-needed", headers };
  }
  const result = await nullIfHashQueueFull(signInWithPassword(email, password));
  if (!result) return await refuseAsBusy(attemptKey);
  if (!result.ok) {
    if (result.refusal === "not-confirmed") await resetPasswordAttempts([attemptKey]);
    return result;
  }

  await resetPasswordAttempts([attemptKey]);
  const currentToken = readSessionToken(request);
  if (currentToken) await endSession(currentToken);
  const viewer = await findViewerById(result.userId);
  if (!viewer) return { ok: false, refusal: "wrong-credentials" };
  result.headers.append("Set-Cookie", createKnownBrowserCookie(request, email));
  return { ok: true, viewer, headers: result.headers };
}

async function signInWithPasswordAndCode(
  userId: string,
  code: string,
  request: Request,
): Promise<SignInResult> {
  const result = await signInWithCode(userId, code, request);
  if (result.ok || result.refusal !== "password-required") return result;
  return { ok: false, refusal: "wrong-credentials" };
}

/** Returns the account of an address if it uses two-step login, otherwise null. */
async function findTwoStepAccount(email: string) {
  const [row] = await database()
    .select({ userId: users.id, passwordHash: credentials.password })
    .from(users)
    .innerJoin(twoStepKeys, eq(twoStepKeys.userId, users.id))
    .innerJoin(credentials, eq(credentials.userId, users.id))
    .where(and(eq(users.email, email), eq(credentials.providerId, "credential")));
  return row ? { userId: row.userId, passwordHash: row.passwordHash ?? "" } : null;
}

async function refuseAsBusy(attemptKey: string): Promise<SignInResult> {
  await uncountPasswordAttempt(attemptKey);
  return { ok: false, refusal: "busy" };
}

async function isPermitted(email: string, restrictTo: SignInRestriction): Promise<boolean> {
  const [user] = await database()
    .select({ id: users.id })
    .from(users)
    .where(eq(users.email, email));
  if (!user) return false;
  if (typeof restrictTo === "function") return await restrictTo(user.id);
  const rows = await database()
    .select({ role: userRoles.role })
    .from(userRoles)
    .where(and(eq(userRoles.userId, user.id), eq(userRoles.role, restrictTo)));
  // An invited admin signs in here to set up two-step login.
  return rows.length > 0 || (restrictTo === "admin" && (await isAwaitingTwoStep(user.id)));
}
