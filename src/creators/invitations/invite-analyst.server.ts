import { eq } from "drizzle-orm";
import { writeAudit } from "#audit/audit.server.ts";
import {
  createUserInTransaction,
  findUserByEmail,
  grantRole,
  setPasswordLink,
} from "#identity/identity.server.ts";
import { now } from "#platform/clock.server.ts";
import { type Tx, transaction } from "#platform/database.server.ts";
import { env } from "#platform/env.server.ts";
import { enqueueMail } from "#platform/mail/mailer.server.ts";
import { createCreator } from "../create-creator.server.ts";
import { isNameTaken, lockCreatorNames, normaliseDisplayName } from "../creator-names.server.ts";
import { analystInvitations, creators } from "../tables.server.ts";
import { analystInvitedMail } from "./analyst-invited.email.tsx";
import { findInvitation } from "./invitations.server.ts";
import type { InviteAnalystInput } from "./invite-analyst.input.ts";

export type InviteAnalystResult =
  | {
      ok: true;
      userId: string;
      /** They have an account and are an analyst once they accept. */
      isWaiting: boolean;
    }
  | { ok: false; refusal: "display-name-taken" | "already-a-creator" | "not-confirmed" };

/**
 * Invites someone to write as an analyst and mails them the way in, for the operator: a new address
 * sets a password and is one from then on, someone who has an account accepts the role in it. An
 * account that nobody has confirmed is refused, for it may be a stranger's. Twice is once.
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
  { name, email, displayName: wished }: InviteAnalystInput,
): Promise<InviteAnalystResult> {
  const displayName = normaliseDisplayName(wished);
  await lockCreatorNames(tx);
  const known = await findUserByEmail(email, tx);
  const creator = known ? await creatorOf(tx, known.id) : undefined;
  if (known && creator) {
    const isSame = creator.kind === "analyst" && creator.displayName === displayName;
    return isSame
      ? { ok: true, userId: known.id, isWaiting: false }
      : { ok: false, refusal: "already-a-creator" };
  }
  if (known && !known.emailVerified) return { ok: false, refusal: "not-confirmed" };
  if (await isNameTaken(tx, displayName)) return { ok: false, refusal: "display-name-taken" };
  if (known) {
    const invited = await findInvitation(tx, known.id);
    if (invited?.kind !== "analyst" || invited.displayName !== displayName) {
      await askToWrite(tx, { userId: known.id, displayName, invitedBy: actorId });
      await noteInvitation(tx, { actorId, userId: known.id, displayName });
      await mailInvitation(tx, { ...known, email }, displayName, true);
    }
    return { ok: true, userId: known.id, isWaiting: true };
  }
  const userId = await createUserInTransaction(tx, {
    email,
    name,
    passwordHash: null,
    verified: false,
    agreedAt: null,
  });
  // The address was taken while we looked: whoever has it now is invited.
  if (userId === null) return await invite(tx, actorId, { name, email, displayName });
  await createCreator(tx, { userId, kind: "analyst", displayName, approvedBy: actorId });
  await grantRole(tx, { userId, role: "analyst", actorId });
  await noteInvitation(tx, { actorId, userId, displayName });
  await mailInvitation(tx, { id: userId, email, name }, displayName, false);
  return { ok: true, userId, isWaiting: false };
}

/** An account waits for its owner's yes; asked again, the latest display name is the one that counts. */
async function askToWrite(
  tx: Tx,
  invitation: { userId: string; displayName: string; invitedBy: string },
): Promise<void> {
  const asked = { ...invitation, invitedAt: now(), withdrawnAt: null };
  await tx
    .insert(analystInvitations)
    .values(asked)
    .onConflictDoUpdate({ target: analystInvitations.userId, set: asked });
}

async function noteInvitation(
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
 * Mails the way in once more to a creator who has not set a password yet, or to whoever has not accepted
 * to be an analyst, within the caller's transaction. False where nobody waits for one.
 */
export async function resendInvitation(
  tx: Tx,
  user: { id: string; email: string; name: string; emailVerified: boolean },
): Promise<boolean> {
  const creator = await creatorOf(tx, user.id);
  if (creator && !user.emailVerified) {
    await mailInvitation(tx, user, creator.displayName, false);
    return true;
  }
  const invited = creator ? null : await findInvitation(tx, user.id);
  if (invited?.kind !== "analyst") return false;
  await mailInvitation(tx, user, invited.displayName, true);
  return true;
}

async function mailInvitation(
  tx: Tx,
  user: { id: string; email: string; name: string },
  displayName: string,
  hasAccount: boolean,
): Promise<void> {
  await enqueueMail(tx, {
    to: user.email,
    userId: user.id,
    kind: "analyst-invited",
    ...(await analystInvitedMail({
      name: user.name,
      displayName,
      hasAccount,
      link: hasAccount ? `${env().appUrl}/tipster-invitation` : await setPasswordLink(tx, user.id),
    })),
  });
}

async function creatorOf(tx: Tx, userId: string) {
  const [creator] = await tx
    .select({ kind: creators.kind, displayName: creators.displayName })
    .from(creators)
    .where(eq(creators.userId, userId));
  return creator;
}
