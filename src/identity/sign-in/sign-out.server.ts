import { transaction } from "#platform/database.server.ts";
import { expireSessionCookie } from "../auth.server.ts";
import { expireSiteCookies } from "../browser-cookies.server.ts";
import { readSessionToken } from "../session-token.server.ts";
import { endSession, endSessions } from "../sessions.server.ts";

/**
 * Ends this browser's session and returns headers that clear its cookies and storage. Idempotent.
 */
export async function signOut(request: Request): Promise<Headers> {
  const token = readSessionToken(request);
  if (token) await endSession(token);
  return await createSignOutHeaders(request);
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
export async function createSignOutHeaders(request: Request): Promise<Headers> {
  const headers = await expireSessionCookie();
  for (const cookie of expireSiteCookies(request)) headers.append("Set-Cookie", cookie);
  headers.set("Clear-Site-Data", '"storage"');
  return headers;
}
