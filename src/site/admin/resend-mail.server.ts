import { writeAudit } from "#audit/audit.server.ts";
import { resendInvitation } from "#creators/creators.server.ts";
import { findUserByEmail, sendConfirmation } from "#identity/identity.server.ts";
import { type Tx, transaction } from "#platform/database.server.ts";
import { findMail } from "#platform/mail/list-mails.server.ts";
import { sendAgain } from "#platform/mail/mailer.server.ts";

export type ResendMailAnswer =
  | { ok: true }
  | { ok: false; refusal: "no-such-mail" | "waiting" | "no-text" | "not-needed" };

/**
 * Sends a mail again, for the operator. What carried a link is made anew where its text is not kept;
 * a link that nobody needs any more is not.
 */
export async function resendMail(actorId: string, mailId: string): Promise<ResendMailAnswer> {
  return await transaction(async (tx): Promise<ResendMailAnswer> => {
    const outcome = await sendAgain(tx, mailId);
    if (outcome === "no-such-mail" || outcome === "waiting") return { ok: false, refusal: outcome };
    if (outcome === "no-text") {
      const made = await makeAnew(tx, mailId);
      if (made !== "made") return { ok: false, refusal: made };
    }
    await writeAudit(tx, { actorId, action: "resend-mail", subject: mailId });
    return { ok: true };
  });
}

async function makeAnew(tx: Tx, mailId: string): Promise<"made" | "no-text" | "not-needed"> {
  const mail = await findMail(mailId, tx);
  if (!mail) return "no-text";
  const user = await findUserByEmail(mail.recipient, tx);
  switch (mail.kind) {
    case "confirm-email":
      if (!user || user.emailVerified) return "not-needed";
      await sendConfirmation(tx, user.id);
      return "made";
    case "tipster-approved":
    case "analyst-invited":
      return user && (await resendInvitation(tx, user)) ? "made" : "not-needed";
    default:
      return "no-text";
  }
}
