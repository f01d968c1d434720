import { data, type RouterContextProvider } from "react-router";
import { findViewer } from "#identity/identity.server.ts";
import { now } from "#platform/clock.server.ts";
import { getRequestDetails } from "#platform/http/request.server.ts";
import { parseForm } from "#platform/parse-form.ts";
import { isWithinLimit } from "#platform/rate-limits.server.ts";
import type { ApplicationFormResult, CreatorLoginResult } from "../login/creator-login-result.ts";
import { applicationInput, REQUIRED_FIELDS_MISSING } from "./application.input.ts";
import {
  APPLICATION_LIMIT,
  applicationLimitKey,
  NAME_TAKEN,
  pendingMessage,
  TOO_MANY_APPLICATIONS,
} from "./application-messages.ts";
import { findOpenApplication } from "./applications.server.ts";
import { applyAsTipster } from "./apply-as-tipster.server.ts";

/** Handles the application form. */
export async function handleApplication({
  form,
  context,
}: {
  form: FormData;
  context: Readonly<RouterContextProvider>;
}) {
  const parsed = parseForm(applicationInput, form);
  if (!parsed.ok) return refuse(form, 422, validationError(parsed.errors));
  // Only the owner of the address sees that an application is open. To others, a repeated application
  // appears to succeed, so that they cannot find out who has applied.
  const viewer = await findViewer(context);
  const waiting =
    viewer?.email === parsed.values.email ? await findOpenApplication(viewer.email) : null;
  if (waiting) return refuse(form, 409, { message: pendingMessage(waiting.sentAt), errors: {} });
  const { clientAddress } = getRequestDetails(context);
  if (!(await isWithinLimit(applicationLimitKey(clientAddress), APPLICATION_LIMIT)))
    return refuse(form, 429, { message: TOO_MANY_APPLICATIONS, errors: {} });
  const result = await applyAsTipster(parsed.values, {
    // The form states that applying agrees to the terms.
    agreedAt: now(),
  });
  if (!result.ok) return refuse(form, 409, { errors: { displayName: NAME_TAKEN } });
  return data<ApplicationFormResult>({ ok: true });
}

/** Returns the message above the form (missing fields first) and the messages by field. */
export function validationError(
  errors: Record<string, string>,
): Omit<CreatorLoginResult, "values"> {
  const messages = Object.values(errors);
  return {
    title: "Validation Error",
    message: messages.includes(REQUIRED_FIELDS_MISSING) ? REQUIRED_FIELDS_MISSING : messages[0],
    errors,
  };
}

function refuse(form: FormData, status: number, result: Omit<CreatorLoginResult, "values">) {
  const values = Object.fromEntries(
    [...form].filter((field): field is [string, string] => typeof field[1] === "string"),
  );
  return data<ApplicationFormResult>({ ok: false, ...result, values }, { status });
}
