import { eq } from "drizzle-orm";
import {
  createPasswordLink,
  createUserInTransaction,
  findUserByEmail,
  grantRole,
} from "#identity/identity.server.ts";
import { writeAudit } from "#platform/audit/audit.server.ts";
import { now } from "#platform/clock.server.ts";
import { type Tx, transaction } from "#platform/database.server.ts";
import { env } from "#platform/env.server.ts";
import { enqueueEmail } from "#platform/mail/mailer.server.ts";
import { readSaleTerms } from "#wallet/wallet.server.ts";
import { createCreator } from "../create-creator.server.ts";
import { isNameTaken, lockCreatorNames, normaliseDisplayName } from "../creator-names.server.ts";
import { analystInvitations, creators } from "../tables.server.ts";
import { renderAnalystInvitedEmail } from "./analyst-invited.email.tsx";
import { findInvitation } from "./invitations.server.ts";
import type { InviteAnalystInput } from "./invite-analyst.input.ts";

export type InviteAnalystResult =
  | {
      ok: true;
      userId: string;
      /** The user has an account and becomes an analyst by accepting. */
      isPending: boolean;
    }
  | { ok: false; refusal: "display-name-taken" | "already-a-creator" | "not-confirmed" };

/**
 * Invites an analyst by email for an admin. A new address gets an account and a link to set its
 * password; a user with an account must accept the role. Refuses an unconfirmed account, which someone
 * else may have registered. Idempotent.
 */
export async function inviteAnalyst(
  actorId: string,
  input: InviteAnalystInput,
): Promise<InviteAnalystResult> {
  return await transaction((tx) => invite(tx, actorId, input));
}

async function invite(
  tx: Tx,
  actorId: string,
  { name, email, displayName: requestedName }: InviteAnalystInput,
): Promise<InviteAnalystResult> {
  const displayName = normaliseDisplayName(requestedName);
  await lockCreatorNames(tx);
  const existing = await findUserByEmail(email, tx);
  const creator = existing ? await findCreatorOfUser(tx, existing.id) : undefined;
  if (existing && creator) {
    const isSame = creator.kind === "analyst" && creator.displayName === displayName;
    return isSame
      ? { ok: true, userId: existing.id, isPending: false }
      : { ok: false, refusal: "already-a-creator" };
  }
  if (existing && !existing.emailVerified) return { ok: false, refusal: "not-confirmed" };
  if (await isNameTaken(tx, displayName)) return { ok: false, refusal: "display-name-taken" };
  if (existing) {
    const invited = await findInvitation(tx, existing.id);
    if (invited?.kind !== "analyst" || invited.displayName !== displayName) {
      await saveInvitation(tx, { userId: existing.id, displayName, invitedBy: actorId });
      await auditInvitation(tx, { actorId, userId: existing.id, displayName });
      await sendInvitationEmail(tx, { ...existing, email }, displayName, true);
    }
    return { ok: true, userId: existing.id, isPending: true };
  }
  const userId = await createUserInTransaction(tx, {
    email,
    name,
    passwordHash: null,
    verified: false,
    agreedAt: null,
  });
  // The address was registered concurrently: retry to invite its owner.
  if (userId === null) return await invite(tx, actorId, { name, email, displayName });
  await createCreator(tx, { userId, kind: "analyst", displayName, approvedBy: actorId });
  await grantRole(tx, { userId, role: "analyst", actorId });
  await auditInvitation(tx, { actorId, userId, displayName });
  await sendInvitationEmail(tx, { id: userId, email, name }, displayName, false);
  return { ok: true, userId, isPending: false };
}

/** Stores an invitation for an existing account. A new invitation replaces the display name. */
async function saveInvitation(
  tx: Tx,
  invitation: { userId: string; displayName: string; invitedBy: string },
): Promise<void> {
  const values = { ...invitation, invitedAt: now(), withdrawnAt: null };
  await tx
    .insert(analystInvitations)
    .values(values)
    .onConflictDoUpdate({ target: analystInvitations.userId, set: values });
}

async function auditInvitation(
  tx: Tx,
  { actorId, userId, displayName }: { actorId: string; userId: string; displayName: string },
): Promise<void> {
  await writeAudit(tx, {
    actorId,
    action: "invite-analyst",
    subject: userId,
    details: { displayName },
  });
}

/**
 * Sends the invitation email again to a creator without a password or to an invited user, in the
 * caller's transaction. Returns false if there is nothing to send.
 */
export async function resendInvitation(
  tx: Tx,
  user: { id: string; email: string; name: string; emailVerified: boolean },
): Promise<boolean> {
  const creator = await findCreatorOfUser(tx, user.id);
  if (creator && !user.emailVerified) {
    await sendInvitationEmail(tx, user, creator.displayName, false);
    return true;
  }
  const invited = creator ? null : await findInvitation(tx, user.id);
  if (invited?.kind !== "analyst") return false;
  await sendInvitationEmail(tx, user, invited.displayName, true);
  return true;
}

async function sendInvitationEmail(
  tx: Tx,
  user: { id: string; email: string; name: string },
  displayName: string,
  hasAccount: boolean,
): Promise<void> {
  await enqueueEmail(tx, {
    to: user.email,
    userId: user.id,
    kind: "analyst-invited",
    ...(await renderAnalystInvitedEmail({
      name: user.name,
      displayName,
      hasAccount,
      earningCents: (await readSaleTerms(now(), tx)).earningCents,
      link: hasAccount
        ? `${env().appUrl}/tipster-invitation`
        : await createPasswordLink(tx, user.id),
    })),
  });
}

async function findCreatorOfUser(tx: Tx, userId: string) {
  const [creator] = await tx
    .select({ kind: creators.kind, displayName: creators.displayName })
    .from(creators)
    .where(eq(creators.userId, userId));
  return creator;
}
