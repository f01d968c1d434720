import { eq } from "drizzle-orm";
import { isId } from "#domain/id.ts";
import { readUsers, revokeRole } from "#identity/identity.server.ts";
import { now } from "#platform/clock.server.ts";
import { transaction } from "#platform/database.server.ts";
import { env } from "#platform/env.server.ts";
import { enqueueEmail } from "#platform/mail/mailer.server.ts";
import { publishNotice } from "#platform/notify.server.ts";
import { notifyCreator } from "./notify-creator.server.ts";
import { suspendedEmail } from "./suspended.email.tsx";
import { creators } from "./tables.server.ts";

export type SuspensionResult = { ok: true } | { ok: false; refusal: "not-a-creator" };

/**
 * Suspends a creator, for the operator: takes their race cards off sale, hides them from lists and
 * ends their sessions. Opened race cards stay open and earnings stay due. The creator is notified
 * by email.
 */
export async function suspendCreator(
  actorId: string,
  creatorId: string,
  reason = "",
): Promise<SuspensionResult> {
  if (!isId(creatorId)) return { ok: false, refusal: "not-a-creator" };
  const result = await transaction(async (tx): Promise<SuspensionResult> => {
    const [creator] = await tx
      .select({ kind: creators.kind, suspendedAt: creators.suspendedAt })
      .from(creators)
      .where(eq(creators.userId, creatorId))
      .for("no key update");
    if (!creator) return { ok: false, refusal: "not-a-creator" };
    if (creator.suspendedAt) return { ok: true };
    const at = now();
    await tx
      .update(creators)
      .set({ suspendedAt: at, updatedAt: at })
      .where(eq(creators.userId, creatorId));
    await revokeRole(tx, { userId: creatorId, role: creator.kind, actorId });
    const user = (await readUsers([creatorId], tx)).get(creatorId);
    if (user)
      await enqueueEmail(tx, {
        to: user.email,
        userId: creatorId,
        kind: "creator-suspended",
        ...(await suspendedEmail({
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
      { byMail: false },
    );
    return { ok: true };
  });
  if (result.ok) await publishNotice("race-cards");
  return result;
}
