import { and, eq, isNull } from "drizzle-orm";
import { isId } from "#domain/id.ts";
import { writeAudit } from "#platform/audit/audit.server.ts";
import { now } from "#platform/clock.server.ts";
import { transaction } from "#platform/database.server.ts";
import { lockCreatorNames } from "../creator-names.server.ts";
import { analystInvitations, creators } from "../tables.server.ts";

export type WithdrawInvitationResult =
  | { ok: true }
  | { ok: false; refusal: "no-such-invitation" | "accepted" };

/** Withdraws an analyst invitation that has not been accepted, for an admin. Idempotent. */
export async function withdrawInvitation(
  actorId: string,
  userId: string,
): Promise<WithdrawInvitationResult> {
  if (!isId(userId)) return { ok: false, refusal: "no-such-invitation" };
  return await transaction(async (tx): Promise<WithdrawInvitationResult> => {
    await lockCreatorNames(tx);
    const [invitation] = await tx
      .select({ acceptedBy: creators.userId })
      .from(analystInvitations)
      .leftJoin(creators, eq(creators.userId, analystInvitations.userId))
      .where(eq(analystInvitations.userId, userId));
    if (!invitation) return { ok: false, refusal: "no-such-invitation" };
    if (invitation.acceptedBy) return { ok: false, refusal: "accepted" };
    const [withdrawn] = await tx
      .update(analystInvitations)
      .set({ withdrawnAt: now() })
      .where(and(eq(analystInvitations.userId, userId), isNull(analystInvitations.withdrawnAt)))
      .returning({ userId: analystInvitations.userId });
    if (withdrawn)
      await writeAudit(tx, { actorId, action: "withdraw-invitation", subject: userId });
    return { ok: true };
  });
}
