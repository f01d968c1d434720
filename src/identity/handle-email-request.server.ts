import { data } from "react-router";
import { readForm, textOf } from "#platform/read-form.ts";
import type { MessageResult } from "./form-results.ts";
import { addressInput } from "./identity.input.ts";
import { ADDRESS_FIRST, TOO_MANY_MAILS, tooManyAttempts } from "./messages.ts";
import type { EmailRequestResult } from "./request-email.server.ts";

/** Answers a form that asks for a mail by an address alone, alike for every address. */
export async function handleEmailRequest(
  form: FormData,
  ask: (email: string) => Promise<EmailRequestResult>,
  done: string,
) {
  const values = { email: textOf(form, "email") };
  if (!values.email.trim())
    return data<MessageResult>({ ok: false, errors: { email: ADDRESS_FIRST } }, { status: 422 });
  const read = readForm(addressInput, form);
  if (!read.ok)
    return data<MessageResult>({ ok: false, errors: read.errors, values }, { status: 422 });
  const answer = await ask(read.values.email);
  if (answer.ok) return data<MessageResult>({ ok: true, message: done, values: read.values });
  if (answer.refusal === "too-many-tries")
    return data<MessageResult>({ ok: false, message: tooManyAttempts(), values }, { status: 429 });
  return data<MessageResult>(
    { ok: false, message: TOO_MANY_MAILS, values },
    { status: 429, headers: { "Retry-After": String(answer.retryAfterSeconds) } },
  );
}
