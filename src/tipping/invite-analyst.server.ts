import { eq } from "drizzle-orm";
import {
  createUserInTransaction,
  findUserByEmail,
  grantRole,
  setPasswordLink,
  writeAudit,
} from "#identity/identity.server.ts";
import { type Tx, transaction } from "#platform/database.server.ts";
import { env } from "#platform/env.server.ts";
import { queueMail } from "#platform/mailer.server.ts";
import { analystInvitedMail } from "./analyst-invited.email.tsx";
import { isNameTaken, lockCreatorNames, tidyName } from "./creator-names.server.ts";
import type { InviteAnalystInput } from "./invite-analyst.input.ts";
import { makeCreator } from "./make-creator.server.ts";
import { creators } from "./tables.server.ts";

export type InviteAnalystAnswer =
  | { ok: true; userId: string }
  | { ok: false; refusal: "display-name-taken" | "already-a-creator" | "not-confirmed" };

/**
 * Makes someone an analyst and mails them the way in, for the operator: a new address sets a password,
 * someone who has an account uses theirs. An account that nobody has confirmed is refused, for it may
 * be a stranger's. Twice is once.
 */
export async function inviteAnalyst(
  actorId: string,
  input: InviteAnalystInput,
): Promise<InviteAnalystAnswer> {
  return await transaction((tx) => invite(tx, actorId, input));
}

async function invite(
  tx: Tx,
  actorId: string,
  { name, email, displayName: wished }: InviteAnalystInput,
): Promise<InviteAnalystAnswer> {
  const displayName = tidyName(wished);
  await lockCreatorNames(tx);
  const known = await findUserByEmail(email, tx);
  const creator = known ? await creatorOf(tx, known.id) : undefined;
  if (known && creator) {
    const isSame = creator.kind === "analyst" && creator.displayName === displayName;
    return isSame ? { ok: true, userId: known.id } : { ok: false, refusal: "already-a-creator" };
  }
  if (known && !known.emailVerified) return { ok: false, refusal: "not-confirmed" };
  if (await isNameTaken(tx, displayName)) return { ok: false, refusal: "display-name-taken" };
  const userId =
    known?.id ??
    (await createUserInTransaction(tx, {
      email,
      name,
      passwordHash: null,
      verified: false,
      agreedAt: null,
    }));
  // The address was taken while we looked: whoever has it now is invited.
  if (userId === null) return await invite(tx, actorId, { name, email, displayName });
  await makeCreator(tx, { userId, kind: "analyst", displayName, approvedBy: actorId });
  await grantRole(tx, { userId, role: "analyst", actorId });
  await writeAudit(tx, {
    actorId,
    act: "invite-analyst",
    subject: userId,
    details: { displayName },
  });
  await mailInvitation(tx, { id: userId, email, name: known?.name ?? name }, displayName, !!known);
  return { ok: true, userId };
}

/**
 * Mails the way in once more to a creator who has not set a password yet, within the caller's
 * transaction. False where there is nobody who waits for one.
 */
export async function inviteAgain(
  tx: Tx,
  user: { id: string; email: string; name: string; emailVerified: boolean },
): Promise<boolean> {
  const creator = await creatorOf(tx, user.id);
  if (!creator || user.emailVerified) return false;
  await mailInvitation(tx, user, creator.displayName, false);
  return true;
}

async function mailInvitation(
  tx: Tx,
  user: { id: string; email: string; name: string },
  displayName: string,
  hasAccount: boolean,
): Promise<void> {
  await queueMail(tx, {
    to: user.email,
    userId: user.id,
    kind: "analyst-invited",
    ...(await analystInvitedMail({
      name: user.name,
      displayName,
      hasAccount,
      link: hasAccount ? `${env().appUrl}/analyst` : await setPasswordLink(tx, user.id),
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
