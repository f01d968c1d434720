import { findUserByEmail, sendConfirmation } from "#accounts/accounts.server.ts";
import { resendInvitation } from "#creators/creators.server.ts";
import { isId } from "#domain/id.ts";
import { writeAudit } from "#platform/audit/audit.server.ts";
import { type Tx, transaction } from "#platform/database.server.ts";
import { findEmail } from "#platform/mail/list-emails.server.ts";
import { resendEmail } from "#platform/mail/mailer.server.ts";

export type ResendEmailResult =
  | { ok: true }
  | { ok: false; refusal: "no-such-email" | "waiting" | "no-text" | "not-needed" };

/**
 * Resends an email for an admin. If the text is no longer stored, a new email with a new link is
 * created while the link is still needed.
 */
export async function resendEmailAsAdmin(
  actorId: string,
  emailId: string,
): Promise<ResendEmailResult> {
  if (!isId(emailId)) return { ok: false, refusal: "no-such-email" };
  return await transaction(async (tx): Promise<ResendEmailResult> => {
    const outcome = await resendEmail(tx, emailId);
    if (outcome === "no-such-email" || outcome === "waiting")
      return { ok: false, refusal: outcome };
    if (outcome === "no-text") {
      const recreated = await recreateEmail(tx, emailId);
      if (recreated !== "created") return { ok: false, refusal: recreated };
    }
    await writeAudit(tx, { actorId, action: "resend-email", subject: emailId });
    return { ok: true };
  });
}

async function recreateEmail(
  tx: Tx,
  emailId: string,
): Promise<"created" | "no-text" | "not-needed"> {
  const email = await findEmail(emailId, tx);
  if (!email) return "no-text";
  const user = await findUserByEmail(email.recipient, tx);
  switch (email.kind) {
    case "confirm-email":
      if (!user || user.emailVerified) return "not-needed";
      await sendConfirmation(tx, user.id);
      return "created";
    case "tipster-approved":
    case "analyst-invited":
      return user && (await resendInvitation(tx, user)) ? "created" : "not-needed";
    default:
      return "no-text";
  }
}
