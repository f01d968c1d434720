import { eq } from "drizzle-orm";
import { findUserByEmail, recordAgreement } from "#accounts/accounts.server.ts";
import { isId } from "#domain/id.ts";
import { writeAudit } from "#platform/audit/audit.server.ts";
import { now } from "#platform/clock.server.ts";
import { type Tx, transaction } from "#platform/database.server.ts";
import { createCreatorAccount, findCreatorRow } from "../create-creator.server.ts";
import { isNameTaken, lockCreatorNames, normaliseDisplayName } from "../creator-names.server.ts";
import { sendInvitation } from "../invitations/send-invitation.server.ts";
import { tipsterApplications } from "../tables.server.ts";

export type DecideApplicationResult =
  | { ok: true }
  | {
      ok: false;
      refusal:
        | "no-such-application"
        | "already-declined"
        | "already-approved"
        | "already-a-creator"
        | "display-name-taken";
    };

/**
 * Approves an application for an admin and emails the applicant. A new address gets an
 * account and a link to set its password; a user with an account must accept the role.
 * `displayName` replaces the requested name if that is taken.
 */
export async function approveApplication(
  actorId: string,
  applicationId: string,
  { displayName }: { displayName?: string } = {},
): Promise<DecideApplicationResult> {
  if (!isId(applicationId)) return { ok: false, refusal: "no-such-application" };
  return await transaction((tx) => approve(tx, actorId, applicationId, displayName));
}

async function approve(
  tx: Tx,
  actorId: string,
  applicationId: string,
  otherName?: string,
): Promise<DecideApplicationResult> {
  const [application] = await tx
    .select()
    .from(tipsterApplications)
    .where(eq(tipsterApplications.id, applicationId))
    .for("update");
  if (!application) return { ok: false, refusal: "no-such-application" };
  if (application.status === "approved") return { ok: true };
  if (application.status === "declined") return { ok: false, refusal: "already-declined" };

  const displayName = normaliseDisplayName(otherName || application.displayName);
  await lockCreatorNames(tx);
  if (await isNameTaken(tx, displayName)) return { ok: false, refusal: "display-name-taken" };
  const existing = await findUserByEmail(application.email, tx);
  if (existing && (await findCreatorRow(tx, existing.id)))
    return { ok: false, refusal: "already-a-creator" };

  const userId =
    existing?.id ??
    (await createCreatorAccount(
      tx,
      {
        email: application.email,
        name: application.fullName,
        agreedAt: application.agreedAt,
      },
      {
        kind: "tipster",
        displayName,
        specialization: application.specialization,
        bio: application.bio,
        approvedBy: actorId,
      },
    ));
  // The address was registered concurrently: retry, so that its owner is asked to accept the role.
  if (userId === null) return approve(tx, actorId, applicationId, otherName);
  if (application.agreedAt) await recordAgreement(tx, userId, application.agreedAt);
  const at = now();
  await tx
    .update(tipsterApplications)
    .set({ status: "approved", displayName, decidedAt: at, decidedBy: actorId, userId })
    .where(eq(tipsterApplications.id, applicationId));
  await writeAudit(tx, { actorId, action: "approve-application", subject: applicationId });
  await sendInvitation(
    tx,
    { id: userId, name: application.fullName, email: application.email },
    { kind: "tipster", displayName },
    existing !== null,
  );
  return { ok: true };
}
