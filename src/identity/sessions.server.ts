import { and, eq, ne } from "drizzle-orm";
import { writeAudit } from "#audit/audit.server.ts";
import { database, type Tx, transaction } from "#platform/database.server.ts";
import { beginSession } from "./auth.server.ts";
import { sessions } from "./tables.server.ts";
import { lockUser, readUsers } from "./users.server.ts";

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

/**
 * Lets a session go on under a token of its own from now on; the headers carry its cookie. Whoever has a
 * copy of the old one is out. None where the session is over already.
 */
export async function renewSession(token: string): Promise<Headers> {
  const [session] = await database()
    .select({ userId: sessions.userId, codeVerifiedAt: sessions.codeVerifiedAt })
    .from(sessions)
    .where(eq(sessions.token, token));
  if (!session) return new Headers();
  const isCodeGiven = session.codeVerifiedAt !== null;
  return await startSession(session.userId, { currentToken: token, isCodeGiven });
}

/** Ends one session; its cookie is worth nothing from then on. */
export async function endSession(token: string): Promise<void> {
  await database().delete(sessions).where(eq(sessions.token, token));
}

/** Ends every session of a user, or every other than one. Answers how many there were. */
export async function endSessions(
  tx: Tx,
  userId: string,
  { exceptToken }: { exceptToken?: string | null } = {},
): Promise<number> {
  const ended = await tx
    .delete(sessions)
    .where(
      and(eq(sessions.userId, userId), exceptToken ? ne(sessions.token, exceptToken) : undefined),
    )
    .returning({ id: sessions.id });
  return ended.length;
}

export type EndSessionsResult =
  | { ok: true; ended: number }
  | { ok: false; refusal: "no-such-user" };

/**
 * Ends every session of a user, for the operator, and writes it down: whoever is in is out with their
 * next request. Where there is none left nothing is done.
 */
export async function endSessionsOf(actorId: string, userId: string): Promise<EndSessionsResult> {
  return await transaction(async (tx): Promise<EndSessionsResult> => {
    await lockUser(tx, userId);
    if (!(await readUsers([userId], tx)).has(userId)) return { ok: false, refusal: "no-such-user" };
    const ended = await endSessions(tx, userId);
    if (ended > 0)
      await writeAudit(tx, {
        actorId,
        action: "end-sessions",
        subject: userId,
        details: { ended },
      });
    return { ok: true, ended };
  });
}
