import { isId } from "#domain/id.ts";
import { writeAudit } from "#platform/audit/audit.server.ts";
import { transaction } from "#platform/database.server.ts";
import { dismissFailedEmail } from "#platform/mail/mailer.server.ts";

export type DismissEmailResult =
  | { ok: true }
  | { ok: false; refusal: "no-such-email" | "not-failed" };

/** Dismisses a failed email for an admin, until it is resent and fails again. Idempotent. */
export async function dismissEmail(actorId: string, emailId: string): Promise<DismissEmailResult> {
  if (!isId(emailId)) return { ok: false, refusal: "no-such-email" };
  return await transaction(async (tx): Promise<DismissEmailResult> => {
    const outcome = await dismissFailedEmail(tx, emailId);
    if (outcome === "no-such-email" || outcome === "not-failed")
      return { ok: false, refusal: outcome };
    if (outcome === "dismissed")
      await writeAudit(tx, { actorId, action: "dismiss-email", subject: emailId });
    return { ok: true };
  });
}
