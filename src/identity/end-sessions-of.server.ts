import { writeAudit } from "#audit/audit.server.ts";
import { transaction } from "#platform/database.server.ts";
import { lockUser, readUsers } from "./find-user.server.ts";
import { endSessions } from "./sessions.server.ts";

export type EndSessionsAnswer =
  | { ok: true; ended: number }
  | { ok: false; refusal: "no-such-user" };

/**
 * Ends every session of a user, for the operator, and writes it down: whoever is in is out with their
 * next request. Where there is none left nothing is done.
 */
export async function endSessionsOf(actorId: string, userId: string): Promise<EndSessionsAnswer> {
  return await transaction(async (tx): Promise<EndSessionsAnswer> => {
    await lockUser(tx, userId);
    if (!(await readUsers([userId], tx)).has(userId)) return { ok: false, refusal: "no-such-user" };
    const ended = await endSessions(tx, userId);
    if (ended > 0)
      await writeAudit(tx, { actorId, act: "end-sessions", subject: userId, details: { ended } });
    return { ok: true, ended };
  });
}
