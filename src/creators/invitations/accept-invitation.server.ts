import { grantRole, lockUser, readUsers, recordAgreement } from "#accounts/accounts.server.ts";
import { now } from "#platform/clock.server.ts";
import { transaction } from "#platform/database.server.ts";
import { createCreator, findCreatorRow } from "../create-creator.server.ts";
import { lockCreatorNames } from "../creator-names.server.ts";
import { findInvitation } from "./invitations.server.ts";

export type AcceptInvitationResult =
  | { ok: true; slug: string }
  | { ok: false; refusal: "not-invited" | "not-confirmed" | "display-name-taken" };

/**
 * Makes the signed-in user an analyst or tipster when they accept their invitation or approved
 * application. Accepting records agreement to the terms. `displayName` replaces the proposed name
 * if that is taken. Idempotent. Refuses an unconfirmed address, because someone else may have
 * registered it.
 */
export async function acceptInvitation(
  userId: string,
  { displayName }: { displayName?: string } = {},
): Promise<AcceptInvitationResult> {
  return await transaction(async (tx): Promise<AcceptInvitationResult> => {
    // Also serialises acceptance and cancellation of the invitation.
    await lockCreatorNames(tx);
    // Locks the account, so that one that is being closed gets no role.
    await lockUser(tx, userId);
    const invitation = await findInvitation(tx, userId);
    if (!invitation) return { ok: false, refusal: "not-invited" };
    const creator = await findCreatorRow(tx, userId);
    // Accepting again does not lift a suspension.
    if (creator) {
      return creator.suspendedAt
        ? { ok: false, refusal: "not-invited" }
        : { ok: true, slug: creator.slug };
    }
    if (!(await readUsers([userId], tx)).get(userId)?.emailVerified)
      return { ok: false, refusal: "not-confirmed" };
    const { kind, specialization, bio, invitedBy } = invitation;
    const created = await createCreator(tx, {
      userId,
      kind,
      displayName: displayName || invitation.displayName,
      specialization,
      bio,
      approvedBy: invitedBy,
    });
    if (!created.ok) return created;
    await grantRole(tx, { userId, role: kind, actorId: invitedBy ?? userId });
    await recordAgreement(tx, userId, now());
    return created;
  });
}
