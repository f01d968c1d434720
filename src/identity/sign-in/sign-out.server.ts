import { transaction } from "#platform/database.server.ts";
import { expireSessionCookie } from "../auth.server.ts";
import { expireOwnCookies } from "../browsers.server.ts";
import { sessionToken } from "../session-token.server.ts";
import { endSession, endSessions } from "../sessions.server.ts";

/** Ends this browser's session; the headers make it forget what it was for. Twice is once. */
export async function signOut(request: Request): Promise<Headers> {
  const token = sessionToken(request);
  if (token) await endSession(token);
  return await removeSession(request);
}

/** Ends every session of a user, this browser's too. */
export async function signOutEverywhere(userId: string, request: Request): Promise<Headers> {
  await transaction((tx) => endSessions(tx, userId));
  return await removeSession(request);
}

/**
 * The headers that make a browser forget everything of ours, but for the mark that it has been here
 * before: without that, whoever signs out could be kept out by a stranger's guesses. (So cookies are
 * not among what is cleared by name: that takes all of them, those of neighbouring hosts too.)
 */
export async function removeSession(request: Request): Promise<Headers> {
  const headers = await expireSessionCookie();
  for (const line of expireOwnCookies(request)) headers.append("Set-Cookie", line);
  headers.set("Clear-Site-Data", '"storage"');
  return headers;
}
