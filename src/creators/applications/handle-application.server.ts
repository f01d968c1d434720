import { data, type RouterContextProvider } from "react-router";
import { viewerOf } from "#identity/identity.server.ts";
import { now } from "#platform/clock.server.ts";
import { requestDetailsOf } from "#platform/http/request.server.ts";
import { withinLimit } from "#platform/rate-limits.server.ts";
import { readForm } from "#platform/read-form.ts";
import type { ApplicationFormResult, CreatorLoginResult } from "../sign-in/creator-login-result.ts";
import { applicationInput, MISSING } from "./application.input.ts";
import {
  APPLICATIONS,
  applicationKey,
  NAME_TAKEN,
  pendingMessage,
  TOO_MANY_APPLICATIONS,
} from "./application-messages.ts";
import { findOpenApplication } from "./applications.server.ts";
import { applyAsTipster } from "./apply-as-tipster.server.ts";

/** Answers the application form. */
export async function handleApplication({
  form,
  context,
}: {
  form: FormData;
  context: Readonly<RouterContextProvider>;
}) {
  const read = readForm(applicationInput, form);
  if (!read.ok) return refuse(form, 422, validationError(read.errors));
  // Only its owner is told of an application that waits; to everybody else sending again looks the same.
  const viewer = await viewerOf(context);
  const waiting =
    viewer?.email === read.values.email ? await findOpenApplication(viewer.email) : null;
  if (waiting) return refuse(form, 409, { message: pendingMessage(waiting.sentAt), errors: {} });
  const { clientAddress } = requestDetailsOf(context);
  if (!(await withinLimit(applicationKey(clientAddress), APPLICATIONS)))
    return refuse(form, 429, { message: TOO_MANY_APPLICATIONS, errors: {} });
  const answer = await applyAsTipster(read.values, {
    // The form says that applying agrees.
    agreedAt: now(),
  });
  if (!answer.ok) return refuse(form, 409, { errors: { displayName: NAME_TAKEN } });
  return data<ApplicationFormResult>({ ok: true });
}

/** What is missing, else the first thing wrong, above the form; each field says its own. */
export function validationError(
  errors: Record<string, string>,
): Omit<CreatorLoginResult, "values"> {
  const said = Object.values(errors);
  return {
    title: "Validation Error",
    message: said.includes(MISSING) ? MISSING : said[0],
    errors,
  };
}

function refuse(form: FormData, status: number, answer: Omit<CreatorLoginResult, "values">) {
  const values = Object.fromEntries(
    [...form].filter((field): field is [string, string] => typeof field[1] === "string"),
  );
  return data<ApplicationFormResult>({ ok: false, ...answer, values }, { status });
}
