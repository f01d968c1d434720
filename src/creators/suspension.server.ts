import { eq } from "drizzle-orm";
import {
  grantRole,
  lockUser,
  readUsers,
  revokeCreatorRole,
  type User,
} from "#accounts/accounts.server.ts";
import { isId } from "#domain/id.ts";
import { now } from "#platform/clock.server.ts";
import { type Tx, transaction } from "#platform/database.server.ts";
import { env } from "#platform/env.server.ts";
import { enqueueEmail } from "#platform/mail/mailer.server.ts";
import { publishUpdate } from "#platform/notify.server.ts";
import { notifyCreator } from "./notify-creator.server.ts";
import { renderReinstatedEmail } from "./reinstated.email.tsx";
import { renderSuspendedEmail } from "./suspended.email.tsx";
import { creators } from "./tables.server.ts";

export type SuspensionResult =
  | { ok: true }
  | { ok: false; refusal: "not-a-creator" | "yourself" | "closed" };

/**
 * Suspends a creator for an admin: takes their race cards off sale, hides them from lists and
 * ends their sessions. Opened race cards stay open and earnings stay due. Cancels an invitation to be an
 * admin, but keeps an existing admin role. Notifies the creator by email and on the dashboard. Refuses the
 * creator as the admin. Idempotent.
 */
export async function suspendCreator(
  actorId: string,
  creatorId: string,
  reason = "",
): Promise<SuspensionResult> {
  if (creatorId === actorId) return { ok: false, refusal: "yourself" };
  return await changeSuspension(creatorId, now(), async (tx, role, user) => {
    await revokeCreatorRole(tx, { userId: creatorId, role, actorId, reason: reason.trim() });
    if (user)
      await enqueueEmail(tx, {
        to: user.email,
        userId: creatorId,
        kind: "creator-suspended",
        ...(await renderSuspendedEmail({
          name: user.name,
          earnings: `${env().appUrl}/tipster-dashboard/earnings`,
          reason: reason.trim(),
        })),
      });
    await notifyCreator(
      tx,
      {
        creatorId,
        title: "Your account is suspended",
        message: "your cards are off sale, and you cannot publish tips or enter results for now.",
        reason,
      },
      { sendsEmail: false },
    );
  });
}

/**
 * Reinstates a suspended creator for an admin: puts their race cards back on sale and notifies them by
 * email and on the dashboard. Refuses the creator as the admin, and a closed account. Idempotent.
 */
export async function reinstateCreator(
  actorId: string,
  creatorId: string,
): Promise<SuspensionResult> {
  if (creatorId === actorId) return { ok: false, refusal: "yourself" };
  return await changeSuspension(creatorId, null, async (tx, role, user) => {
    await grantRole(tx, { userId: creatorId, role, actorId });
    if (user)
      await enqueueEmail(tx, {
        to: user.email,
        userId: creatorId,
        kind: "creator-reinstated",
        ...(await renderReinstatedEmail({
          name: user.name,
          dashboard: `${env().appUrl}/tipster-dashboard`,
        })),
      });
    await notifyCreator(
      tx,
      {
        creatorId,
        title: "Your suspension has been lifted",
        message:
          "race cards with races still to run are back on sale, and you can publish tips and enter results again.",
      },
      { sendsEmail: false },
    );
  });
}

/** Sets or clears the suspension and applies its effects in one transaction, unless nothing changes. */
async function changeSuspension(
  creatorId: string,
  suspendedAt: Date | null,
  applyEffects: (
    tx: Tx,
    role: typeof creators.$inferSelect.kind,
    user: User | undefined,
  ) => Promise<void>,
): Promise<SuspensionResult> {
  if (!isId(creatorId)) return { ok: false, refusal: "not-a-creator" };
  const result = await transaction(async (tx): Promise<SuspensionResult> => {
    // Locks the account, so that one that is being closed gets no role.
    await lockUser(tx, creatorId);
    const [creator] = await tx
      .select({ kind: creators.kind, suspendedAt: creators.suspendedAt })
      .from(creators)
      .where(eq(creators.userId, creatorId))
      .for("no key update");
    if (!creator) return { ok: false, refusal: "not-a-creator" };
    if ((creator.suspendedAt === null) === (suspendedAt === null)) return { ok: true };
    const user = (await readUsers([creatorId], tx)).get(creatorId);
    if (user?.isClosed) return { ok: false, refusal: "closed" };
    await tx
      .update(creators)
      .set({ suspendedAt, updatedAt: now() })
      .where(eq(creators.userId, creatorId));
    await applyEffects(tx, creator.kind, user);
    return { ok: true };
  });
  if (result.ok) await publishUpdate("race-cards");
  return result;
}
