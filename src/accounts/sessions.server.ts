import { and, desc, eq, lt, ne } from "drizzle-orm";
import { isId } from "#domain/id.ts";
import { writeAudit } from "#platform/audit/audit.server.ts";
import { database, type Tx, transaction } from "#platform/database.server.ts";
import { createSession } from "./auth.server.ts";
import { sessions } from "./tables.server.ts";
import { lockUser, readUsers } from "./users.server.ts";

/**
 * Starts a session for an authenticated user and ends this browser's previous one. Returns the
 * headers that set its cookie. Must be called after the surrounding transaction has committed.
 */
export async function startSession(
  userId: string,
  {
    currentToken = null,
    codeVerifiedAt = null,
  }: { currentToken?: string | null; codeVerifiedAt?: Date | null } = {},
): Promise<Headers> {
  const headers = await createSession(userId, codeVerifiedAt);
  if (currentToken) await endSession(currentToken);
  return headers;
}

/**
 * Replaces the token of a session and returns the headers that set the new cookie, so that copies
 * of the old one stop working. Returns empty headers if the session has ended.
 */
export async function renewSession(token: string): Promise<Headers> {
  const [session] = await database()
    .select({ userId: sessions.userId, codeVerifiedAt: sessions.codeVerifiedAt })
    .from(sessions)
    .where(eq(sessions.token, token));
  if (!session) return new Headers();
  const { userId, codeVerifiedAt } = session;
  return await startSession(userId, { currentToken: token, codeVerifiedAt });
}

/** Returns when the sessions of a user that still exist were started, newest first, optionally only those before `before`. */
export async function listSessionStarts(
  userId: string,
  { before, limit }: { before: Date | null; limit: number },
): Promise<{ id: string; startedAt: Date }[]> {
  return await database()
    .select({ id: sessions.id, startedAt: sessions.createdAt })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), before ? lt(sessions.createdAt, before) : undefined))
    .orderBy(desc(sessions.createdAt), desc(sessions.id))
    .limit(limit);
}

/** Ends one session. */
export async function endSession(token: string): Promise<void> {
  await database().delete(sessions).where(eq(sessions.token, token));
}

/** Ends every session of a user, except optionally one. Returns their number. */
export async function endSessions(
  tx: Tx,
  userId: string,
  { exceptToken }: { exceptToken?: string | null } = {},
): Promise<number> {
  const endedSessions = await tx
    .delete(sessions)
    .where(
      and(eq(sessions.userId, userId), exceptToken ? ne(sessions.token, exceptToken) : undefined),
    )
    .returning({ id: sessions.id });
  return endedSessions.length;
}

export type EndSessionsResult =
  | { ok: true; endedCount: number }
  | { ok: false; refusal: "no-such-user" };

/**
 * Ends every session of a user, for an admin, and audits it. Does nothing if there is no
 * session.
 */
export async function endUserSessions(actorId: string, userId: string): Promise<EndSessionsResult> {
  if (!isId(userId)) return { ok: false, refusal: "no-such-user" };
  return await transaction(async (tx): Promise<EndSessionsResult> => {
    await lockUser(tx, userId);
    if (!(await readUsers([userId], tx)).has(userId)) return { ok: false, refusal: "no-such-user" };
    const endedCount = await endSessions(tx, userId);
    if (endedCount > 0)
      await writeAudit(tx, {
        actorId,
        action: "end-sessions",
        subject: userId,
        details: { ended: endedCount },
      });
    return { ok: true, endedCount };
  });
}
