import { findUserByEmail, type User } from "#accounts/accounts.server.ts";
import { writeAudit } from "#platform/audit/audit.server.ts";
import { now } from "#platform/clock.server.ts";
import { type Tx, transaction } from "#platform/database.server.ts";
import { createCreatorAccount, findCreatorRow } from "../create-creator.server.ts";
import { isNameTaken, lockCreatorNames, normaliseDisplayName } from "../creator-names.server.ts";
import { analystInvitations } from "../tables.server.ts";
import { findInvitation } from "./invitations.server.ts";
import type { InviteAnalystInput } from "./invite-analyst.input.ts";
import { sendInvitation } from "./send-invitation.server.ts";

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
  const creator = existing && (await findCreatorRow(tx, existing.id));
  if (creator) {
    const isSame = creator.kind === "analyst" && creator.displayName === displayName;
    return isSame
      ? { ok: true, userId: creator.userId, isPending: false }
      : { ok: false, refusal: "already-a-creator" };
  }
  if (existing && !existing.emailVerified) return { ok: false, refusal: "not-confirmed" };
  if (await isNameTaken(tx, displayName)) return { ok: false, refusal: "display-name-taken" };
  const invitation = { kind: "analyst", displayName } as const;
  const invited = existing && (await findInvitation(tx, existing.id));
  if (existing && invited?.kind === "analyst" && invited.displayName === displayName)
    return { ok: true, userId: existing.id, isPending: true };
  const userId =
    existing?.id ??
    (await createCreatorAccount(
      tx,
      { email, name, agreedAt: null },
      { ...invitation, approvedBy: actorId },
    ));
  // The address was registered concurrently: retry to invite its owner.
  if (userId === null) return await invite(tx, actorId, { name, email, displayName });
  if (existing) await saveInvitation(tx, { userId, displayName, invitedBy: actorId });
  await writeAudit(tx, {
    actorId,
    action: "invite-analyst",
    subject: userId,
    details: { displayName },
  });
  const isPending = existing !== null;
  await sendInvitation(tx, existing ?? { id: userId, email, name }, invitation, isPending);
  return { ok: true, userId, isPending };
}

/** Stores an invitation for an existing account. A new invitation replaces the display name. */
async function saveInvitation(
  tx: Tx,
  invitation: { userId: string; displayName: string; invitedBy: string },
): Promise<void> {
  const values = { ...invitation, invitedAt: now(), cancelledAt: null };
  await tx
    .insert(analystInvitations)
    .values(values)
    .onConflictDoUpdate({ target: analystInvitations.userId, set: values });
}

/**
 * Sends the invitation or approval again to a creator without a password or to a user who has not
 * accepted the role, in the caller's transaction. Returns false if there is nothing to send.
 */
export async function resendInvitation(tx: Tx, user: User): Promise<boolean> {
  const creator = await findCreatorRow(tx, user.id);
  const invitation = creator ?? (await findInvitation(tx, user.id));
  if (!invitation || (creator && user.emailVerified)) return false;
  await sendInvitation(tx, user, invitation, creator === null);
  return true;
}
