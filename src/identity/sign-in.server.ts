import { and, eq } from "drizzle-orm";
import { database } from "#platform/database.server.ts";
import { signInWithPassword } from "./auth.server.ts";
import { knownBrowser, rememberBrowser } from "./browsers.server.ts";
import {
  accountKey,
  addressKey,
  forgetPasswordTries,
  returnPasswordTry,
  SIGN_INS,
  takePasswordTry,
  withinLimit,
} from "./limits.server.ts";
import { hashPassword, unlessBusy } from "./password-hash.server.ts";
import { sessionToken } from "./session-token.server.ts";
import { endSession } from "./sessions.server.ts";
import { userRoles, users } from "./tables.server.ts";
import { type Role, type Viewer, viewerOfUser } from "./viewer.server.ts";

export type SignInAnswer =
  | { ok: true; viewer: Viewer; headers: Headers }
  | {
      ok: false;
      refusal: "wrong-credentials" | "not-at-this-door" | "not-confirmed" | "busy";
    }
  | { ok: false; refusal: "too-many-tries"; retryAfterSeconds: number };

/**
 * Signs in with address and password: a new session, whose cookie the headers carry, and an end to
 * the one this browser had. Through a door only who has its role comes in.
 */
export async function signIn(given: {
  email: string;
  password: string;
  door?: Exclude<Role, "user">;
  request: Request;
  clientAddress: string;
}): Promise<SignInAnswer> {
  const { email, password, door, request, clientAddress } = given;
  if (!(await withinLimit(addressKey("sign-in", clientAddress), SIGN_INS)))
    return { ok: false, refusal: "too-many-tries", retryAfterSeconds: SIGN_INS.seconds };
  const tries = accountKey(email, knownBrowser(request, email));
  const waitSeconds = await takePasswordTry(tries);
  if (waitSeconds) return { ok: false, refusal: "too-many-tries", retryAfterSeconds: waitSeconds };

  if (door && !(await hasRole(email, door))) {
    // Takes as long as looking at a password, so that it does not tell who has the role.
    const hash = await hashPassword(password);
    return hash ? { ok: false, refusal: "not-at-this-door" } : await busy(tries);
  }
  const answer = await unlessBusy(signInWithPassword(email, password));
  if (!answer) return await busy(tries);
  if (!answer.ok) {
    if (answer.refusal === "not-confirmed") await forgetPasswordTries([tries]);
    return answer;
  }

  await forgetPasswordTries([tries]);
  const currentToken = sessionToken(request);
  if (currentToken) await endSession(currentToken);
  const viewer = await viewerOfUser(answer.userId);
  if (!viewer) return { ok: false, refusal: "wrong-credentials" };
  answer.headers.append("Set-Cookie", rememberBrowser(request, email));
  return { ok: true, viewer, headers: answer.headers };
}

async function busy(tries: string): Promise<SignInAnswer> {
  await returnPasswordTry(tries);
  return { ok: false, refusal: "busy" };
}

async function hasRole(email: string, role: Exclude<Role, "user">): Promise<boolean> {
  const rows = await database()
    .select({ id: users.id })
    .from(users)
    .innerJoin(userRoles, eq(userRoles.userId, users.id))
    .where(and(eq(users.email, email), eq(userRoles.role, role)));
  return rows.length > 0;
}
