import { handleForm } from "#platform/handle-form.server.ts";
import { readField } from "#platform/parse-form.ts";
import { emailFormInput } from "./accounts.input.ts";
import { EMAIL_REQUIRED, tooManyAttemptsMessage } from "./messages.ts";
import type { EmailRequestResult } from "./request-email.server.ts";
import { refuseTooManyEmails } from "./sign-in/sign-in-refusal.server.ts";

/**
 * Handles a form that requests an email for an address. The response is the same whether or not the
 * account exists.
 */
export async function handleEmailRequest(
  form: FormData,
  requestEmail: (email: string) => Promise<EmailRequestResult>,
  message: string,
) {
  const isEmpty = readField(form, "email").trim() === "";
  return await handleForm(form, {
    input: emailFormInput,
    invalid: (errors) => ({ errors: isEmpty ? { email: EMAIL_REQUIRED } : errors }),
    run: ({ email }) => requestEmail(email),
    done: (_, values) => ({ ok: true as const, message, values }),
    refusals: (refused) =>
      refused.refusal === "too-many-attempts"
        ? [tooManyAttemptsMessage(), 429]
        : refuseTooManyEmails(refused.retryAfterSeconds),
    keep: isEmpty ? [] : ["email"],
  });
}
