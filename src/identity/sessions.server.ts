import { and, eq, ne } from "drizzle-orm";
import { database, type Tx } from "#platform/database.server.ts";
import { beginSession } from "./auth.server.ts";
import { sessions } from "./tables.server.ts";

/**
 * Begins a session for someone who has shown who they are, and ends the one this browser had. The
 * headers carry its cookie. Call it when what it follows from is committed.
 */
export async function startSession(
  userId: string,
  {
    currentToken = null,
    isCodeGiven = false,
  }: { currentToken?: string | null; isCodeGiven?: boolean } = {},
): Promise<Headers> {
  const headers = await beginSession(userId, isCodeGiven);
  if (currentToken) await endSession(currentToken);
  return headers;
}

/** Ends one session; its cookie is worth nothing from then on. */
export async function endSession(token: string): Promise<void> {
  await database().delete(sessions).where(eq(sessions.token, token));
}

/** Ends every session of a user, or every other than one. */
export async function endSessions(
  tx: Tx,
  userId: string,
  { exceptToken }: { exceptToken?: string | null } = {},
): Promise<void> {
  await tx
    .delete(sessions)
    .where(
      and(eq(sessions.userId, userId), exceptToken ? ne(sessions.token, exceptToken) : undefined),
    );
}
