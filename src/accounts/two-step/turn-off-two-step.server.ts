import { eq } from "drizzle-orm";
import { writeAudit } from "#platform/audit/audit.server.ts";
import { transaction } from "#platform/database.server.ts";
import { lockAcceptedInvitation } from "../invitations/admin-invitations.server.ts";
import { type ReauthenticationResult, reauthenticate } from "../password/reauthenticate.server.ts";
import { twoStepKeys } from "../tables.server.ts";
import { lockUser } from "../users.server.ts";
import type { Viewer } from "../viewer.server.ts";
import { sendTwoStepEmail } from "./send-two-step-email.server.ts";

export type TurnOffTwoStepResult =
  | { ok: true }
  | { ok: false; refusal: Exclude<ReauthenticationResult, "correct"> | "already-off" | "required" };

/**
 * Turns two-step login off after verifying the viewer's password. Refuses an admin who was invited,
 * because their role requires it.
 */
export async function turnOffTwoStep(
  viewer: Viewer,
  password: string,
): Promise<TurnOffTwoStepResult> {
  const check = await reauthenticate(viewer.id, password);
  if (check !== "correct") return { ok: false, refusal: check };
  return await transaction(async (tx): Promise<TurnOffTwoStepResult> => {
    await lockUser(tx, viewer.id);
    if (await lockAcceptedInvitation(tx, viewer.id)) return { ok: false, refusal: "required" };
    const [deleted] = await tx
      .delete(twoStepKeys)
      .where(eq(twoStepKeys.userId, viewer.id))
      .returning({ userId: twoStepKeys.userId });
    if (!deleted) return { ok: false, refusal: "already-off" };
    await writeAudit(tx, { actorId: viewer.id, action: "turn-off-two-step", subject: viewer.id });
    await sendTwoStepEmail(tx, viewer, "off");
    return { ok: true };
  });
}
