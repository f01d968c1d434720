import { and } from "drizzle-orm";
import { writeAudit } from "#platform/audit/audit.server.ts";
import { now } from "#platform/clock.server.ts";
import { type Tx, transaction } from "#platform/database.server.ts";
import { notifyAdmins } from "../admins/notify-admins.server.ts";
import { isCommonPassword } from "../password/common-passwords.server.ts";
import { hashPassword } from "../password/password-hash.server.ts";
import { createUserInTransaction } from "../registration/create-user.server.ts";
import { grantRole } from "../roles.server.ts";
import { adminInvitations } from "../tables.server.ts";
import { readTwoStep } from "../two-step/recovery-codes.server.ts";
import { findUserByEmail } from "../users.server.ts";
import type { Viewer } from "../viewer.server.ts";
import {
  type AdminInvitation,
  findInvitationByToken,
  hasToken,
  isAcceptable,
  refuseSuspended,
} from "./admin-invitations.server.ts";

/** The state of an invitation link for the viewer in this browser. */
export type AdminInvitationState =
  /** Unknown, expired, used, replaced or cancelled; which of these is not revealed. */
  | { state: "invalid" }
  /** The viewer has accepted this invitation already. */
  | { state: "accepted" }
  /** The address has no account: accepting creates it. */
  | { state: "new-account"; email: string }
  /** The address has an account: its owner must log in first. */
  | { state: "log-in"; email: string }
  /** The viewer is logged in with another address. */
  | { state: "other-account"; email: string }
  /** The viewer may accept. */
  | { state: "accept"; email: string };

/** Returns the state of an invitation link for a viewer. Changes nothing. */
export async function readAdminInvitation(
  token: string,
  viewer: Viewer | null,
): Promise<AdminInvitationState> {
  const invitation = await findInvitationByToken(token);
  if (!invitation || invitation.endedAt) return { state: "invalid" };
  if (invitation.acceptedAt)
    return { state: viewer && invitation.acceptedBy === viewer.id ? "accepted" : "invalid" };
  if (invitation.expiresAt <= now()) return { state: "invalid" };
  const { email } = invitation;
  if (viewer) return { state: viewer.email === email ? "accept" : "other-account", email };
  return { state: (await findUserByEmail(email)) ? "log-in" : "new-account", email };
}

type Refusal =
  | "invalid-link"
  | "other-account"
  /** The address has an account, whose owner must log in. */
  | "log-in"
  | "not-confirmed"
  | "suspended"
  | "weak-password"
  | "busy";

export type AcceptAdminInvitationResult =
  | { ok: true; userId: string }
  | { ok: false; refusal: Refusal };

/**
 * Accepts an invitation as the viewer, who must be logged in with the invited address. Idempotent
 * for that user. Grants the role at once if two-step login is on, otherwise when it is turned on.
 */
export async function acceptAdminInvitation(
  token: string,
  viewer: Viewer,
): Promise<AcceptAdminInvitationResult> {
  const invitation = await readAdminInvitation(token, viewer);
  if (invitation.state === "accepted") return { ok: true, userId: viewer.id };
  if (invitation.state === "invalid") return { ok: false, refusal: "invalid-link" };
  return await refuseSuspended(async (tx): Promise<AcceptAdminInvitationResult> => {
    // All transactions lock the user before the invitation, so that they cannot deadlock.
    const user = await findUserByEmail(invitation.email, tx);
    if (!user || user.id !== viewer.id) return { ok: false, refusal: "other-account" };
    // Someone else may have registered the address.
    if (!user.emailVerified) return { ok: false, refusal: "not-confirmed" };
    const accepted = await accept(tx, token, user);
    if (!accepted) {
      const current = await findInvitationByToken(token, tx);
      const isMine = current?.acceptedBy === user.id && !current.endedAt;
      return isMine ? { ok: true, userId: user.id } : { ok: false, refusal: "invalid-link" };
    }
    if (await readTwoStep(user.id, tx))
      await grantRole(tx, { userId: user.id, role: "admin", actorId: accepted.invitedBy });
    return { ok: true, userId: user.id };
  });
}

/**
 * Accepts an invitation for an address without an account: creates the account with a password. The
 * link confirms the address. The caller must have verified that the terms were accepted.
 */
export async function acceptAdminInvitationWithNewAccount(
  token: string,
  { name, password }: { name: string; password: string },
): Promise<AcceptAdminInvitationResult> {
  if (isCommonPassword(password)) return { ok: false, refusal: "weak-password" };
  const invitation = await readAdminInvitation(token, null);
  if (invitation.state === "log-in") return { ok: false, refusal: "log-in" };
  if (invitation.state !== "new-account") return { ok: false, refusal: "invalid-link" };
  const passwordHash = await hashPassword(password);
  if (!passwordHash) return { ok: false, refusal: "busy" };
  const { email } = invitation;
  const account = { email, name, passwordHash, verified: true, agreedAt: now() };
  return await transaction(async (tx): Promise<AcceptAdminInvitationResult> => {
    const userId = await createUserInTransaction(tx, account);
    // The address was registered in the meantime, for example because this form was submitted twice.
    if (!userId) return { ok: false, refusal: "log-in" };
    // Rolls the new account back.
    if (!(await accept(tx, token, { id: userId, name, email }))) throw new InvitationEnded();
    return { ok: true, userId };
  }).catch((error: unknown): AcceptAdminInvitationResult => {
    if (error instanceof InvitationEnded) return { ok: false, refusal: "invalid-link" };
    throw error;
  });
}

/** The invitation was cancelled or replaced while the password was hashed. */
class InvitationEnded extends Error {}

/** Marks an invitation as accepted, audits it and tells the admins. Returns null if it is not open. */
async function accept(
  tx: Tx,
  token: string,
  user: { id: string; name: string; email: string },
): Promise<AdminInvitation | null> {
  const [accepted] = await tx
    .update(adminInvitations)
    .set({ acceptedAt: now(), acceptedBy: user.id })
    .where(and(hasToken(token), isAcceptable()))
    .returning();
  if (!accepted) return null;
  await writeAudit(tx, {
    actorId: user.id,
    action: "accept-admin-invitation",
    subject: user.id,
    details: { invitation: accepted.id },
  });
  await notifyAdmins(
    tx,
    { event: "accepted", person: user.name, email: user.email },
    { exceptUserId: user.id },
  );
  return accepted;
}
