import { and, eq } from "drizzle-orm";
import { isId } from "#domain/id.ts";
import { writeAudit } from "#platform/audit/audit.server.ts";
import { now } from "#platform/clock.server.ts";
import { transaction, violatedConstraint } from "#platform/database.server.ts";
import { enqueueEmail } from "#platform/mail/mailer.server.ts";
import {
  isAdmin,
  isOpen,
  lockAcceptedInvitation,
  lockAdmins,
} from "../invitations/admin-invitations.server.ts";
import { revokeRole } from "../roles.server.ts";
import { endSessions } from "../sessions.server.ts";
import { adminInvitations } from "../tables.server.ts";
import { lockUser, readUsers } from "../users.server.ts";
import { renderAdminRemovedEmail } from "./admin-removed.email.tsx";
import { notifyAdmins } from "./notify-admins.server.ts";

export type RemoveAdminResult =
  | { ok: true }
  | {
      ok: false;
      refusal: "not-permitted" | "not-an-admin" | "last-admin";
    };

/**
 * Removes an admin, or lets an admin step down. The removed admin
 * keeps the account. Ends their sessions and cancels the open invitations that they sent.
 * The database refuses to remove the last admin.
 */
export async function removeAdmin(
  actorId: string,
  userId: string,
  reason: string,
): Promise<RemoveAdminResult> {
  if (!isId(userId)) return { ok: false, refusal: "not-an-admin" };
  try {
    return await transaction(async (tx): Promise<RemoveAdminResult> => {
      await lockAdmins(tx);
      if (!(await isAdmin(tx, actorId))) return { ok: false, refusal: "not-permitted" };
      await lockUser(tx, userId);
      const accepted = await lockAcceptedInvitation(tx, userId);
      const user = (await readUsers([userId], tx)).get(userId);
      if (!user || !(accepted || (await isAdmin(tx, userId))))
        return { ok: false, refusal: "not-an-admin" };
      if (accepted)
        await tx
          .update(adminInvitations)
          .set({ endedAt: now() })
          .where(eq(adminInvitations.id, accepted.id));
      await tx
        .update(adminInvitations)
        .set({ endedAt: now() })
        .where(and(eq(adminInvitations.invitedBy, userId), isOpen));
      await revokeRole(tx, { userId, role: "admin", actorId });
      await endSessions(tx, userId);
      await writeAudit(tx, {
        actorId,
        action: "remove-admin",
        subject: userId,
        details: { reason },
      });
      await enqueueEmail(tx, {
        to: user.email,
        userId,
        kind: "admin-removed",
        ...(await renderAdminRemovedEmail({ name: user.name, reason })),
      });
      const removed = { person: user.name, email: user.email, reason };
      const actor = (await readUsers([actorId], tx)).get(actorId)?.name ?? "An admin";
      await notifyAdmins(
        tx,
        actorId === userId
          ? { event: "stepped-down", ...removed }
          : { event: "removed", actor, ...removed },
        { exceptUserId: userId },
      );
      return { ok: true };
    });
  } catch (error) {
    if (violatedConstraint(error) === "user_roles_keep_last_admin")
      return { ok: false, refusal: "last-admin" };
    throw error;
  }
}
