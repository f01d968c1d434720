import { eq } from "drizzle-orm";
import { grantRole, readUsers, recordAgreement } from "#identity/identity.server.ts";
import { now } from "#platform/clock.server.ts";
import { transaction } from "#platform/database.server.ts";
import { createCreator } from "../create-creator.server.ts";
import { lockCreatorNames } from "../creator-names.server.ts";
import { creators } from "../tables.server.ts";
import { findInvitation } from "./invitations.server.ts";

export type AcceptInvitationResult =
  | { ok: true; slug: string }
  | { ok: false; refusal: "not-invited" | "not-confirmed" | "display-name-taken" };

/**
 * Makes the signed-in user the analyst they were invited to be, or the tipster their approved
 * application says, once they have said yes and agreed to the terms by it, which is written down; with
 * another display name where somebody else has come to use theirs meanwhile. Twice is once. Not in an
 * account whose address nobody has confirmed: a stranger can have opened it in the applicant's place.
 */
export async function acceptInvitation(
  userId: string,
  { displayName }: { displayName?: string } = {},
): Promise<AcceptInvitationResult> {
  return await transaction(async (tx): Promise<AcceptInvitationResult> => {
    // Whoever withdraws the invitation waits for this too.
    await lockCreatorNames(tx);
    const invitation = await findInvitation(tx, userId);
    if (!invitation) return { ok: false, refusal: "not-invited" };
    const [creator] = await tx
      .select({ slug: creators.slug, suspendedAt: creators.suspendedAt })
      .from(creators)
      .where(eq(creators.userId, userId));
    // Accepting again is not a way back in for someone who has been suspended since.
    if (creator) {
      return creator.suspendedAt
        ? { ok: false, refusal: "not-invited" }
        : { ok: true, slug: creator.slug };
    }
    if (!(await readUsers([userId], tx)).get(userId)?.emailVerified)
      return { ok: false, refusal: "not-confirmed" };
    const { kind, specialization, bio, invitedBy } = invitation;
    const made = await createCreator(tx, {
      userId,
      kind,
      displayName: displayName || invitation.displayName,
      specialization,
      bio,
      approvedBy: invitedBy,
    });
    if (!made.ok) return made;
    await grantRole(tx, { userId, role: kind, actorId: invitedBy ?? userId });
    await recordAgreement(tx, userId, now());
    return made;
  });
}
