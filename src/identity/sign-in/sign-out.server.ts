import { transaction } from "#platform/database.server.ts";
import { expireSessionCookie } from "../auth.server.ts";
import { expireOwnCookies } from "../browsers.server.ts";
import { sessionToken } from "../session-token.server.ts";
import { endSession, endSessions } from "../sessions.server.ts";

/**
 * Ends this browser's session and returns headers that clear its cookies and storage. Idempotent.
 */
export async function signOut(request: Request): Promise<Headers> {
  const token = sessionToken(request);
  if (token) await endSession(token);
  return await removeSession(request);
}

/** Ends every session of a user, including this browser's. */
export async function signOutEverywhere(userId: string, request: Request): Promise<Headers> {
  await transaction((tx) => endSessions(tx, userId));
  return await removeSession(request);
}

/**
 * Returns headers that clear the cookies and storage of this site. Keeps the known-browser cookie,
 * without which an attacker's guesses could lock the user out. Clear-Site-Data does not list
 * cookies, because that would also delete those of neighbouring hosts.
 */
export async function removeSession(request: Request): Promise<Headers> {
  const headers = await expireSessionCookie();
  for (const line of expireOwnCookies(request)) headers.append("Set-Cookie", line);
  headers.set("Clear-Site-Data", '"storage"');
  return headers;
}
