import { transaction } from "#platform/database.server.ts";
import { enqueueMail } from "#platform/mail/mailer.server.ts";
import { enqueue, type Job } from "#platform/queue.server.ts";
import {
  addressKey,
  countMail,
  REQUESTED_MAILS,
  withinLimit,
} from "#platform/rate-limits.server.ts";
import { createEmailLink } from "./email-links.server.ts";
import { resetPasswordMail } from "./password/reset-password.email.tsx";
import { sendConfirmationAgain } from "./registration/send-confirmation.server.ts";
import { findUserByEmail } from "./users.server.ts";

export type EmailRequestResult =
  | { ok: true }
  | { ok: false; refusal: "too-many-tries" }
  | { ok: false; refusal: "too-many-mails"; retryAfterSeconds: number };
type Asked = { email: string; wanted: "confirmation" | "new-password" };

/** Mails an unconfirmed account its confirmation again. Answers alike for every address. */
export function resendConfirmation(
  email: string,
  clientAddress: string,
): Promise<EmailRequestResult> {
  return ask({ email, wanted: "confirmation" }, clientAddress);
}

/** Mails an account a link to a new password. Answers alike for every address. */
export function requestPasswordReset(
  email: string,
  clientAddress: string,
): Promise<EmailRequestResult> {
  return ask({ email, wanted: "new-password" }, clientAddress);
}

async function ask(asked: Asked, clientAddress: string): Promise<EmailRequestResult> {
  if (!(await withinLimit(addressKey("ask", clientAddress), REQUESTED_MAILS)))
    return { ok: false, refusal: "too-many-tries" };
  const wayIn = asked.wanted === "new-password" ? asked.wanted : undefined;
  const retryAfterSeconds = await countMail(asked.email, wayIn);
  if (retryAfterSeconds !== null)
    return { ok: false, refusal: "too-many-mails", retryAfterSeconds };
  // Whether there is an account is looked up later, so that not even the time it takes tells.
  await transaction((tx) => enqueue(tx, sendRequestedMail, asked));
  return { ok: true };
}

/** Sends what was asked for by an address alone, where there is an account to send it to. */
export const sendRequestedMail: Job<Asked> = {
  name: "send-asked-mail",
  async run({ email, wanted }) {
    await transaction(async (tx) => {
      const user = await findUserByEmail(email, tx);
      if (!user) return;
      if (wanted === "confirmation") {
        if (!user.emailVerified) await sendConfirmationAgain(tx, user.id);
        return;
      }
      const link = await createEmailLink(tx, { userId: user.id, email, purpose: "reset-password" });
      const mail = await resetPasswordMail({ name: user.name, link });
      await enqueueMail(tx, { to: email, userId: null, kind: "reset-password", ...mail });
    });
  },
};
