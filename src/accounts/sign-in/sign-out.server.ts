import { transaction } from "#platform/database.server.ts";
import { logFailure } from "#platform/log-failure.server.ts";
import { expireSessionCookie } from "../auth.server.ts";
import { expireOtherCookies } from "../browser-cookies.server.ts";
import { readSessionToken } from "../session-token.server.ts";
import { endSession, endSessions } from "../sessions.server.ts";

/**
 * Ends this browser's session and returns headers that clear its cookies and storage, also if the
 * session could not be ended. Idempotent.
 */
export async function signOut(
  request: Request,
): Promise<{ isComplete: boolean; headers: Headers }> {
  const token = readSessionToken(request);
  const isComplete = await (token ? endSession(token) : Promise.resolve()).then(
    () => true,
    (error: unknown) => {
      logFailure("error", { error }, "failed to end session");
      return false;
    },
  );
  return { isComplete, headers: await createSignOutHeaders(request) };
}

/** Ends every session of a user, including this browser's. */
export async function signOutEverywhere(userId: string, request: Request): Promise<Headers> {
  await transaction((tx) => endSessions(tx, userId));
  return await createSignOutHeaders(request);
}

/**
 * Returns headers that clear the cookies and storage of this site. Keeps the known-browser cookie,
 * without which an attacker's guesses could lock the user out. Clear-Site-Data does not list
 * cookies, because that would also delete those of neighbouring hosts.
 */
async function createSignOutHeaders(request: Request): Promise<Headers> {
  const headers = await expireSessionCookie();
  for (const cookie of expireOtherCookies(request)) headers.append("Set-Cookie", cookie);
  headers.set("Clear-Site-Data", '"storage"');
  return headers;
}
