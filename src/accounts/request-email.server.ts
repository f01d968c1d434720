import { transaction } from "#platform/database.server.ts";
import { enqueueEmail } from "#platform/mail/mailer.server.ts";
import { enqueue, type Job } from "#platform/queue.server.ts";
import {
  consumeEmailLimit,
  createAddressKey,
  EMAIL_REQUEST_LIMIT,
  isWithinLimit,
} from "#platform/rate-limits.server.ts";
import { createEmailLink } from "./email-links.server.ts";
import { renderResetPasswordEmail } from "./password/reset-password.email.tsx";
import { sendConfirmationAgain } from "./registration/send-confirmation.server.ts";
import { findUserByEmail } from "./users.server.ts";

export type EmailRequestResult =
  | { ok: true }
  | { ok: false; refusal: "too-many-attempts" }
  | { ok: false; refusal: "too-many-emails"; retryAfterSeconds: number };
type EmailRequest = { email: string; kind: "confirmation" | "new-password" };

/**
 * Sends the confirmation email of an unconfirmed account again. The result is the same whether or
 * not the account exists.
 */
export function resendConfirmation(
  email: string,
  clientAddress: string,
): Promise<EmailRequestResult> {
  return requestEmail({ email, kind: "confirmation" }, clientAddress);
}

/**
 * Sends an email with a link to reset the password. The result is the same whether or not the
 * account exists.
 */
export function requestPasswordReset(
  email: string,
  clientAddress: string,
): Promise<EmailRequestResult> {
  return requestEmail({ email, kind: "new-password" }, clientAddress);
}

async function requestEmail(
  request: EmailRequest,
  clientAddress: string,
): Promise<EmailRequestResult> {
  if (!(await isWithinLimit(createAddressKey("ask", clientAddress), EMAIL_REQUEST_LIMIT)))
    return { ok: false, refusal: "too-many-attempts" };
  const purpose = request.kind === "new-password" ? request.kind : undefined;
  const retryAfterSeconds = await consumeEmailLimit(request.email, purpose);
  if (retryAfterSeconds !== null)
    return { ok: false, refusal: "too-many-emails", retryAfterSeconds };
  // A job finds the account, so that the response time does not reveal whether it exists.
  await transaction((tx) => enqueue(tx, sendRequestedEmail, request));
  return { ok: true };
}

/** Sends the requested email if the address has an account. */
export const sendRequestedEmail: Job<EmailRequest> = {
  name: "send-requested-email",
  async run({ email, kind }) {
    await transaction(async (tx) => {
      const user = await findUserByEmail(email, tx);
      if (!user) return;
      if (kind === "confirmation") {
        if (!user.emailVerified) await sendConfirmationAgain(tx, user.id);
        return;
      }
      const link = await createEmailLink(tx, { userId: user.id, email, purpose: "reset-password" });
      const content = await renderResetPasswordEmail({ name: user.name, link });
      await enqueueEmail(tx, { to: email, userId: null, kind: "reset-password", ...content });
    });
  },
};
