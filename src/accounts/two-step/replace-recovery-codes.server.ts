import { writeAudit } from "#platform/audit/audit.server.ts";
import { transaction } from "#platform/database.server.ts";
import { type ReauthenticationResult, reauthenticate } from "../password/reauthenticate.server.ts";
import { lockUser } from "../users.server.ts";
import type { Viewer } from "../viewer.server.ts";
import { createRecoveryCodes, readTwoStep } from "./recovery-codes.server.ts";
import { sendTwoStepEmail } from "./send-two-step-email.server.ts";

export type ReplaceRecoveryCodesResult =
  | { ok: true; recoveryCodes: string[] }
  | { ok: false; refusal: Exclude<ReauthenticationResult, "correct"> | "already-off" };

/** Creates new recovery codes after verifying the viewer's password. The old codes stop working. */
export async function replaceRecoveryCodes(
  viewer: Viewer,
  password: string,
): Promise<ReplaceRecoveryCodesResult> {
  const check = await reauthenticate(viewer.id, password);
  if (check !== "correct") return { ok: false, refusal: check };
  const recoveryCodes = await transaction(async (tx) => {
    await lockUser(tx, viewer.id);
    if (!(await readTwoStep(viewer.id, tx))) return null;
    await writeAudit(tx, { actorId: viewer.id, action: "make-recovery-codes", subject: viewer.id });
    await sendTwoStepEmail(tx, viewer, "new-codes");
    return await createRecoveryCodes(tx, viewer.id);
  });
  return recoveryCodes ? { ok: true, recoveryCodes } : { ok: false, refusal: "already-off" };
}
