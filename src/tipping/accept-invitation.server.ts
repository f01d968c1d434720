import { and, desc, eq } from "drizzle-orm";
import { grantRole, recordAgreement } from "#identity/identity.server.ts";
import { now } from "#platform/clock.server.ts";
import { transaction } from "#platform/database.server.ts";
import { makeCreator } from "./make-creator.server.ts";
import { creators, tipsterApplications } from "./tables.server.ts";

export type AcceptInvitationAnswer =
  | { ok: true; slug: string }
  | { ok: false; refusal: "not-invited" | "display-name-taken" };

/**
 * Makes the signed-in user the tipster their approved application says, once they have said yes; with
 * another display name where somebody else has come to use theirs meanwhile. Twice is once.
 */
export async function acceptInvitation(
  userId: string,
  { displayName }: { displayName?: string } = {},
): Promise<AcceptInvitationAnswer> {
  return await transaction(async (tx): Promise<AcceptInvitationAnswer> => {
    const [application] = await tx
      .select()
      .from(tipsterApplications)
      .where(
        and(eq(tipsterApplications.userId, userId), eq(tipsterApplications.status, "approved")),
      )
      .orderBy(desc(tipsterApplications.createdAt))
      .limit(1);
    if (!application) return { ok: false, refusal: "not-invited" };
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
    const made = await makeCreator(tx, {
      userId,
      kind: "tipster",
      displayName: displayName || application.displayName,
      specialization: application.specialization,
      bio: application.bio,
      approvedBy: application.decidedBy,
    });
    if (!made.ok) return made;
    await grantRole(tx, { userId, role: "tipster", actorId: application.decidedBy ?? userId });
    await recordAgreement(tx, userId, now());
    return made;
  });
}
