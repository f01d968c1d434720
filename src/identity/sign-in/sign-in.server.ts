import { and, eq } from "drizzle-orm";
import { database } from "#platform/database.server.ts";
import {
  accountKey,
  addressKey,
  resetPasswordAttempts,
  returnPasswordAttempt,
  SIGN_INS,
  takePasswordAttempt,
  withinLimit,
} from "#platform/rate-limits.server.ts";
import { signInWithPassword } from "../auth.server.ts";
import { knownBrowserCookie, readKnownBrowser } from "../browsers.server.ts";
import {
  hashPassword,
  nullIfHashQueueFull,
  verifyHash,
  withSignInSlot,
} from "../password/password-hash.server.ts";
import { sessionToken } from "../session-token.server.ts";
import { endSession } from "../sessions.server.ts";
import { credentials, twoStepKeys, userRoles, users } from "../tables.server.ts";
import { passwordStepCookie } from "../two-step/password-step-cookie.server.ts";
import { signInWithCode } from "../two-step/verify-code.server.ts";
import { type Role, type Viewer, viewerOfUser } from "../viewer.server.ts";

export type SignInResult =
  | { ok: true; viewer: Viewer; headers: Headers }
  | {
      ok: false;
      refusal: "wrong-credentials" | "not-at-this-door" | "not-confirmed" | "busy";
    }
  | { ok: false; refusal: "wrong-code" }
  /** The password is right; the headers let this browser bring the code to /login/code. */
  | { ok: false; refusal: "code-needed"; headers: Headers }
  | { ok: false; refusal: "too-many-tries"; retryAfterSeconds: number };

/** Whom a door is for: those who have a role, or those its keeper knows by their id. */
type Door = Exclude<Role, "user"> | ((userId: string) => Promise<boolean>);

/**
 * Signs in with address and password: a new session, whose cookie the headers carry, and an end to
 * the one this browser had. Through a door only whom it is for comes in.
 */
export async function signIn(given: {
  email: string;
  password: string;
  /** The second step along with the first, where the account has one. */
  code?: string;
  door?: Door;
  request: Request;
  clientAddress: string;
}): Promise<SignInResult> {
  const answer = await withSignInSlot(() => signInInTurn(given));
  return answer ?? { ok: false, refusal: "busy" };
}

async function signInInTurn(given: Parameters<typeof signIn>[0]): Promise<SignInResult> {
  const { email, password, code, door, request, clientAddress } = given;
  if (!(await withinLimit(addressKey("sign-in", clientAddress), SIGN_INS)))
    return { ok: false, refusal: "too-many-tries", retryAfterSeconds: SIGN_INS.seconds };
  const tries = accountKey(email, readKnownBrowser(request, email));
  const waitSeconds = await takePasswordAttempt(tries);
  if (waitSeconds) return { ok: false, refusal: "too-many-tries", retryAfterSeconds: waitSeconds };

  if (door && !(await isFor(email, door))) {
    // Takes as long as looking at a password, so that it does not tell whom the door is for.
    const hash = await hashPassword(password);
    return hash ? { ok: false, refusal: "not-at-this-door" } : await busy(tries);
  }
  const second = await secondStepOf(email);
  if (second) {
    const isRight = await nullIfHashQueueFull(verifyHash(second.passwordHash, password));
    if (isRight === null) return await busy(tries);
    if (!isRight) return { ok: false, refusal: "wrong-credentials" };
    await resetPasswordAttempts([tries]);
    if (code) return await withCode(second.userId, code, request);
    const headers = new Headers();
    headers.append("Set-Cookie", passwordStepCookie(second.userId, second.passwordHash));
    return { ok: false, refusal: "code-needed", headers };
  }
  const answer = await nullIfHashQueueFull(signInWithPassword(email, password));
  if (!answer) return await busy(tries);
  if (!answer.ok) {
    if (answer.refusal === "not-confirmed") await resetPasswordAttempts([tries]);
    return answer;
  }

  await resetPasswordAttempts([tries]);
  const currentToken = sessionToken(request);
  if (currentToken) await endSession(currentToken);
  const viewer = await viewerOfUser(answer.userId);
  if (!viewer) return { ok: false, refusal: "wrong-credentials" };
  answer.headers.append("Set-Cookie", knownBrowserCookie(request, email));
  return { ok: true, viewer, headers: answer.headers };
}

async function withCode(userId: string, code: string, request: Request): Promise<SignInResult> {
  const answer = await signInWithCode(userId, code, request);
  if (answer.ok || answer.refusal !== "password-first") return answer;
  return { ok: false, refusal: "wrong-credentials" };
}

/** The account of an address that signs in with a code after the password. */
async function secondStepOf(email: string) {
  const [row] = await database()
    .select({ userId: users.id, passwordHash: credentials.password })
    .from(users)
    .innerJoin(twoStepKeys, eq(twoStepKeys.userId, users.id))
    .innerJoin(credentials, eq(credentials.userId, users.id))
    .where(and(eq(users.email, email), eq(credentials.providerId, "credential")));
  return row ? { userId: row.userId, passwordHash: row.passwordHash ?? "" } : null;
}

async function busy(tries: string): Promise<SignInResult> {
  await returnPasswordAttempt(tries);
  return { ok: false, refusal: "busy" };
}

async function isFor(email: string, door: Door): Promise<boolean> {
  const [user] = await database()
    .select({ id: users.id })
    .from(users)
    .where(eq(users.email, email));
  if (!user) return false;
  if (typeof door === "function") return await door(user.id);
  const rows = await database()
    .select({ role: userRoles.role })
    .from(userRoles)
    .where(and(eq(userRoles.userId, user.id), eq(userRoles.role, door)));
  return rows.length > 0;
}
