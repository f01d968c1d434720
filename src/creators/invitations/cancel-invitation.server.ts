import { and, eq, isNull } from "drizzle-orm";
import { isId } from "#domain/id.ts";
import { writeAudit } from "#platform/audit/audit.server.ts";
import { now } from "#platform/clock.server.ts";
import { transaction } from "#platform/database.server.ts";
import { lockCreatorNames } from "../creator-names.server.ts";
import { analystInvitations, creators } from "../tables.server.ts";

export type CancelInvitationResult =
  | { ok: true }
  | { ok: false; refusal: "no-such-invitation" | "accepted" };

/** Cancels an analyst invitation that has not been accepted, for an admin. Idempotent. */
export async function cancelInvitation(
  actorId: string,
  userId: string,
): Promise<CancelInvitationResult> {
  if (!isId(userId)) return { ok: false, refusal: "no-such-invitation" };
  return await transaction(async (tx): Promise<CancelInvitationResult> => {
    await lockCreatorNames(tx);
    const [invitation] = await tx
      .select({ acceptedBy: creators.userId })
      .from(analystInvitations)
      .leftJoin(creators, eq(creators.userId, analystInvitations.userId))
      .where(eq(analystInvitations.userId, userId));
    if (!invitation) return { ok: false, refusal: "no-such-invitation" };
    if (invitation.acceptedBy) return { ok: false, refusal: "accepted" };
    const [cancelled] = await tx
      .update(analystInvitations)
      .set({ cancelledAt: now() })
      .where(and(eq(analystInvitations.userId, userId), isNull(analystInvitations.cancelledAt)))
      .returning({ userId: analystInvitations.userId });
    if (cancelled)
      await writeAudit(tx, { actorId, action: "withdraw-invitation", subject: userId });
    return { ok: true };
  });
}
