import { transaction } from "#platform/database.server.ts";
import { expireSessionCookie } from "./auth.server.ts";
import { sessionToken } from "./session-token.server.ts";
import { endSession, endSessions } from "./sessions.server.ts";

/** Ends this browser's session; the headers make it forget everything of ours. Twice is once. */
export async function signOut(request: Request): Promise<Headers> {
  const token = sessionToken(request);
  if (token) await endSession(token);
  return await forgetSession();
}

/** Ends every session of a user, this browser's too. */
export async function signOutEverywhere(userId: string): Promise<Headers> {
  await transaction((tx) => endSessions(tx, userId));
  return await forgetSession();
}

/** The headers that make a browser forget everything of ours. */
export async function forgetSession(): Promise<Headers> {
  const headers = await expireSessionCookie();
  headers.set("Clear-Site-Data", '"cookies", "storage"');
  return headers;
}
