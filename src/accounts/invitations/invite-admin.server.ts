import { and, eq } from "drizzle-orm";
import { isId } from "#domain/id.ts";
import { writeAudit } from "#platform/audit/audit.server.ts";
import { now } from "#platform/clock.server.ts";
import { type Tx, transaction } from "#platform/database.server.ts";
import { enqueueEmail } from "#platform/mail/mailer.server.ts";
import { tryConsumeEmailLimit } from "#platform/rate-limits.server.ts";
import { notifyAdmins } from "../admins/notify-admins.server.ts";
import { revokeRole } from "../roles.server.ts";
import { adminInvitations } from "../tables.server.ts";
import { findUserByEmail, readUsers } from "../users.server.ts";
import {
  type AdminInvitation,
  createInvitationToken,
  isAdmin,
  isOpen,
  lockAcceptedInvitation,
  lockAdmins,
  readAdminInvitationEmails,
  refuseSuspended,
} from "./admin-invitations.server.ts";
import { renderInvitationEmail } from "./invitation.email.tsx";

export type InviteAdminResult =
  | { ok: true; invitationId: string }
  | { ok: false; refusal: "not-permitted" | "already-an-admin" | "suspended" };

/**
 * Invites an admin by email. The result is the same
 * whether or not the address has an account. Refuses admins and suspended creators. Idempotent: an
 * address with a valid invitation is not emailed again; an expired invitation is renewed.
 */
export async function inviteAdmin(actorId: string, email: string): Promise<InviteAdminResult> {
  return await refuseSuspended(async (tx): Promise<InviteAdminResult> => {
    await lockAdmins(tx);
    if (!(await isAdmin(tx, actorId))) return { ok: false, refusal: "not-permitted" };
    const existing = await findUserByEmail(email, tx);
    if (existing && (await isAdmin(tx, existing.id)))
      return { ok: false, refusal: "already-an-admin" };
    const [open] = await tx
      .select()
      .from(adminInvitations)
      .where(and(eq(adminInvitations.email, email), isOpen));
    if (open && open.expiresAt > now()) return { ok: true, invitationId: open.id };
    if (open) {
      await renew(tx, actorId, open);
      return { ok: true, invitationId: open.id };
    }
    const { stored, link } = createInvitationToken();
    const [created] = await tx
      .insert(adminInvitations)
      .values({ email, ...stored, invitedBy: actorId, invitedAt: now() })
      .returning({ id: adminInvitations.id });
    if (!created) throw new Error("failed to store the invitation");
    await writeAudit(tx, { actorId, action: "invite-admin", subject: created.id });
    await sendInvitation(tx, actorId, { email, link });
    const actor = (await readUsers([actorId], tx)).get(actorId)?.name ?? "An admin";
    await notifyAdmins(tx, { event: "invited", actor, email });
    return { ok: true, invitationId: created.id };
  });
}

export type ResendAdminInvitationResult =
  | { ok: true }
  | {
      ok: false;
      refusal: "not-permitted" | "no-such-invitation" | "too-many-emails" | "suspended";
    };

/** Emails a new link for an open invitation, which replaces the previous link. */
export async function resendAdminInvitation(
  actorId: string,
  invitationId: string,
): Promise<ResendAdminInvitationResult> {
  const email = isId(invitationId)
    ? (await readAdminInvitationEmails([invitationId])).get(invitationId)
    : undefined;
  if (!email) return { ok: false, refusal: "no-such-invitation" };
  if (!(await tryConsumeEmailLimit(email))) return { ok: false, refusal: "too-many-emails" };
  return await refuseSuspended(async (tx): Promise<ResendAdminInvitationResult> => {
    await lockAdmins(tx);
    if (!(await isAdmin(tx, actorId))) return { ok: false, refusal: "not-permitted" };
    const [invitation] = await tx
      .select()
      .from(adminInvitations)
      .where(and(eq(adminInvitations.id, invitationId), isOpen))
      .for("update");
    if (!invitation) return { ok: false, refusal: "no-such-invitation" };
    await renew(tx, actorId, invitation);
    return { ok: true };
  });
}

export type CancelAdminInvitationResult =
  | { ok: true }
  | { ok: false; refusal: "not-permitted" | "no-such-invitation" | "accepted" };

/** Cancels an invitation that has not been accepted. Idempotent. */
export async function cancelAdminInvitation(
  actorId: string,
  invitationId: string,
): Promise<CancelAdminInvitationResult> {
  if (!isId(invitationId)) return { ok: false, refusal: "no-such-invitation" };
  return await transaction(async (tx): Promise<CancelAdminInvitationResult> => {
    await lockAdmins(tx);
    if (!(await isAdmin(tx, actorId))) return { ok: false, refusal: "not-permitted" };
    const [invitation] = await tx
      .select()
      .from(adminInvitations)
      .where(eq(adminInvitations.id, invitationId))
      .for("update");
    if (!invitation) return { ok: false, refusal: "no-such-invitation" };
    if (invitation.acceptedAt) return { ok: false, refusal: "accepted" };
    if (invitation.endedAt) return { ok: true };
    await tx
      .update(adminInvitations)
      .set({ endedAt: now() })
      .where(eq(adminInvitations.id, invitationId));
    await writeAudit(tx, { actorId, action: "cancel-admin-invitation", subject: invitationId });
    return { ok: true };
  });
}

/**
 * Revokes the role of a creator who is suspended, with the reason, and cancels an invitation to be an admin. Keeps an
 * existing admin role.
 */
export async function revokeCreatorRole(
  tx: Tx,
  change: Parameters<typeof revokeRole>[1] & { actorId: string },
): Promise<void> {
  await revokeRole(tx, change);
  await cancelInvitationOfUser(tx, change);
}

/** Cancels the open or accepted invitation of a user who does not have the role yet. */
async function cancelInvitationOfUser(
  tx: Tx,
  { userId, actorId }: { userId: string; actorId: string },
): Promise<void> {
  const user = (await readUsers([userId], tx)).get(userId);
  if (!user) return;
  const accepted = await lockAcceptedInvitation(tx, userId);
  const ended = await tx
    .update(adminInvitations)
    .set({ endedAt: now() })
    .where(
      accepted && !(await isAdmin(tx, userId))
        ? eq(adminInvitations.id, accepted.id)
        : and(eq(adminInvitations.email, user.email), isOpen),
    )
    .returning({ id: adminInvitations.id });
  for (const { id } of ended)
    await writeAudit(tx, { actorId, action: "cancel-admin-invitation", subject: id });
}

/** Replaces the link of an open invitation and emails the new one. */
async function renew(tx: Tx, actorId: string, { id, email }: AdminInvitation): Promise<void> {
  const { stored, link } = createInvitationToken();
  await tx.update(adminInvitations).set(stored).where(eq(adminInvitations.id, id));
  await writeAudit(tx, { actorId, action: "resend-admin-invitation", subject: id });
  await sendInvitation(tx, actorId, { email, link });
}

async function sendInvitation(
  tx: Tx,
  actorId: string,
  { email, link }: { email: string; link: string },
): Promise<void> {
  const inviter = (await readUsers([actorId], tx)).get(actorId)?.name ?? "An admin";
  const content = await renderInvitationEmail({
    subject: "You're invited to be a Furlong admin",
    heading: "You're invited to be an admin",
    paragraphs: [
      `${inviter} has invited you to help run Furlong as an admin. Use the link to accept. It works once, for seven days.`,
      "You also need an authenticator app on your phone. The admin area opens once you have set up two-step login.",
    ],
    button: "View the invitation",
    link,
  });
  await enqueueEmail(tx, { to: email, userId: null, kind: "admin-invited", ...content });
}
