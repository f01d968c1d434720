import { isId } from "#domain/id.ts";
import { writeAuditOnce } from "#platform/audit/audit.server.ts";
import { transaction } from "#platform/database.server.ts";
import { lockUser, readUsers } from "../users.server.ts";
import type { UserNoteInput } from "./user-note.input.ts";

export type WriteUserNoteResult = { ok: true } | { ok: false; refusal: "no-such-user" | "closed" };

/**
 * Adds an admin's note about a user, or a complaint about them, to the audit log, where it stays. Repeating it at once
 * has no effect.
 */
export async function writeUserNote(
  actorId: string,
  userId: string,
  { kind, text }: UserNoteInput,
): Promise<WriteUserNoteResult> {
  if (!isId(userId)) return { ok: false, refusal: "no-such-user" };
  return await transaction(async (tx): Promise<WriteUserNoteResult> => {
    await lockUser(tx, userId);
    const user = (await readUsers([userId], tx)).get(userId);
    if (!user) return { ok: false, refusal: "no-such-user" };
    if (user.isClosed) return { ok: false, refusal: "closed" };
    const action = kind === "complaint" ? "record-complaint" : "write-note";
    await writeAuditOnce(tx, { actorId, action, subject: userId, details: { text } });
    return { ok: true };
  });
}
