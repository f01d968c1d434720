import { data } from "react-router";
import { parseForm, readField } from "#platform/parse-form.ts";
import type { MessageResult } from "./form-results.ts";
import { emailFormInput } from "./identity.input.ts";
import { EMAIL_REQUIRED, TOO_MANY_EMAILS, tooManyAttemptsMessage } from "./messages.ts";
import type { EmailRequestResult } from "./request-email.server.ts";

/**
 * Handles a form that requests an email for an address. The response is the same whether or not the
 * account exists.
 */
export async function handleEmailRequest(
  form: FormData,
  requestEmail: (email: string) => Promise<EmailRequestResult>,
  successMessage: string,
) {
  const values = { email: readField(form, "email") };
  if (!values.email.trim())
    return data<MessageResult>({ ok: false, errors: { email: EMAIL_REQUIRED } }, { status: 422 });
  const parsed = parseForm(emailFormInput, form);
  if (!parsed.ok)
    return data<MessageResult>({ ok: false, errors: parsed.errors, values }, { status: 422 });
  const result = await requestEmail(parsed.values.email);
  if (result.ok)
    return data<MessageResult>({ ok: true, message: successMessage, values: parsed.values });
  if (result.refusal === "too-many-attempts")
    return data<MessageResult>(
      { ok: false, message: tooManyAttemptsMessage(), values },
      { status: 429 },
    );
  return data<MessageResult>(
    { ok: false, message: TOO_MANY_EMAILS, values },
    { status: 429, headers: { "Retry-After": String(result.retryAfterSeconds) } },
  );
}
