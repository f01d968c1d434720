import { data, type RouterContextProvider } from "react-router";
import type { Viewer } from "#identity/identity.server.ts";
import { returnTarget } from "#identity/identity.ui.tsx";
import { hasUnsupportedCharacters, isDatabaseUnavailable } from "#platform/database.server.ts";
import { log } from "#platform/log.server.ts";
import { textOf } from "#platform/read-form.ts";
import type { AdminActionResult, Question } from "./admin-action-result.ts";
import { requireAdmin } from "./require-admin.server.ts";
import { failureOf } from "./with-load-error.server.ts";

type Asked<Params> = {
  request: Request;
  params: Params;
  context: Readonly<RouterContextProvider>;
};

/** The confirmation, or a function that creates it; null when the form is invalid anyway. */
type AskFirst<Params> =
  | Question
  | ((asked: { params: Params; form: FormData }) => Promise<Question | null>);

type Outcome = { ok: true; message: string } | { ok: false; message: string; status: number };

/** Returns a successful outcome with the message for the admin. */
export function done(message: string): Outcome {
  return { ok: true, message };
}

/** Returns a failed outcome with the message for the admin and the response status. */
export function actionRefused(message: string, status = 409): Outcome {
  return { ok: false, message, status };
}

/**
 * Runs an admin action: requires an admin, returns the confirmation first if there is one and the
 * form lacks `sure`, then runs `work`. When `work` throws, responds with 500, `failed` and the
 * error message, but rethrows a database outage and unsupported characters.
 */
export async function runAdminAction<Params>(
  { request, params, context }: Asked<Params>,
  work: (act: { admin: Viewer; params: Params; form: FormData }) => Promise<Outcome>,
  {
    question: given,
    failed = "The action failed",
  }: { question?: AskFirst<Params>; failed?: string } = {},
) {
  const admin = await requireAdmin(context);
  const form = await request.formData();
  const back = backOf(form);
  const question = typeof given === "function" ? await given({ params, form }) : given;
  if (question && textOf(form, "sure") !== "yes")
    return data<AdminActionResult>({
      ok: false,
      message: "",
      back,
      question,
      fields: fieldsOf(form),
    });
  const outcome = await orFailure(work({ admin, params, form }), failed);
  return data<AdminActionResult>(
    { ok: outcome.ok, message: outcome.message, back },
    { status: outcome.ok ? 200 : outcome.status },
  );
}

async function orFailure(work: Promise<Outcome>, failed: string): Promise<Outcome> {
  try {
    return await work;
  } catch (error) {
    if (
      !(error instanceof Error) ||
      isDatabaseUnavailable(error) ||
      hasUnsupportedCharacters(error)
    )
      throw error;
    log.error({ error }, failed);
    return actionRefused(failureOf(failed, error), 500);
  }
}

/** Returns the path to return to: `/admin` unless the form names a path in the admin area. */
function backOf(form: FormData): string {
  const back = returnTarget(textOf(form, "back"));
  return /^\/admin(?:[/?#]|$)/.test(back) ? back : "/admin";
}

/** Returns the fields that the confirmation sends again; never the password. */
function fieldsOf(form: FormData): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [name, value] of form)
    if (name !== "back" && name !== "password" && typeof value === "string") fields[name] = value;
  return fields;
}
