import { eq } from "drizzle-orm";
import { isId } from "#domain/id.ts";
import { grantRole, readUsers } from "#identity/identity.server.ts";
import { now } from "#platform/clock.server.ts";
import { transaction } from "#platform/database.server.ts";
import { env } from "#platform/env.server.ts";
import { enqueueEmail } from "#platform/mail/mailer.server.ts";
import { publishNotice } from "#platform/notify.server.ts";
import { notifyCreator } from "./notify-creator.server.ts";
import { reinstatedEmail } from "./reinstated.email.tsx";
import type { SuspensionResult } from "./suspend-creator.server.ts";
import { creators } from "./tables.server.ts";

/**
 * Reinstates a suspended creator, for the operator: their race cards go back on sale, and they are
 * notified by email and on the dashboard.
 */
export async function reinstateCreator(
  actorId: string,
  creatorId: string,
): Promise<SuspensionResult> {
  if (!isId(creatorId)) return { ok: false, refusal: "not-a-creator" };
  const result = await transaction(async (tx): Promise<SuspensionResult> => {
    const [creator] = await tx
      .select({ kind: creators.kind, suspendedAt: creators.suspendedAt })
      .from(creators)
      .where(eq(creators.userId, creatorId))
      .for("no key update");
    if (!creator) return { ok: false, refusal: "not-a-creator" };
    if (!creator.suspendedAt) return { ok: true };
    await tx
      .update(creators)
      .set({ suspendedAt: null, updatedAt: now() })
      .where(eq(creators.userId, creatorId));
    await grantRole(tx, { userId: creatorId, role: creator.kind, actorId });
    const user = (await readUsers([creatorId], tx)).get(creatorId);
    if (user)
      await enqueueEmail(tx, {
        to: user.email,
        userId: creatorId,
        kind: "creator-reinstated",
        ...(await reinstatedEmail({
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
      { byMail: false },
    );
    return { ok: true };
  });
  if (result.ok) await publishNotice("race-cards");
  return result;
}
