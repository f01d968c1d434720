import { eq } from "drizzle-orm";
import { writeAudit } from "#audit/audit.server.ts";
import { transaction } from "#platform/database.server.ts";
import { type CheckPasswordResult, checkPassword } from "../password/check-password.server.ts";
import { twoStepKeys } from "../tables.server.ts";
import { lockUser } from "../users.server.ts";
import type { Viewer } from "../viewer.server.ts";
import { sendTwoStepEmail } from "./send-two-step-email.server.ts";

export type TurnOffTwoStepResult =
  | { ok: true }
  | { ok: false; refusal: Exclude<CheckPasswordResult, "right"> | "already-off" };

/** Turns two-step login off for a viewer who enters the password. */
export async function turnOffTwoStep(
  viewer: Viewer,
  password: string,
): Promise<TurnOffTwoStepResult> {
  const check = await checkPassword(viewer.id, password);
  if (check !== "right") return { ok: false, refusal: check };
  const isOff = await transaction(async (tx) => {
    await lockUser(tx, viewer.id);
    const [deleted] = await tx
      .delete(twoStepKeys)
      .where(eq(twoStepKeys.userId, viewer.id))
      .returning({ userId: twoStepKeys.userId });
    if (!deleted) return false;
    await writeAudit(tx, { actorId: viewer.id, action: "turn-off-two-step", subject: viewer.id });
    await sendTwoStepEmail(tx, viewer, "off");
    return true;
  });
  return isOff ? { ok: true } : { ok: false, refusal: "already-off" };
}
