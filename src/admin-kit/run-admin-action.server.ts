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

/** The question, or what makes it of the form; null where the form cannot be accepted anyway. */
type AskFirst<Params> =
  | Question
  | ((asked: { params: Params; form: FormData }) => Promise<Question | null>);

type Outcome = { ok: true; message: string } | { ok: false; message: string; status: number };

/** It is done: what the admin is told. */
export function done(message: string): Outcome {
  return { ok: true, message };
}

/** It is refused: what the admin is told, and the status of it. */
export function actionRefused(message: string, status = 409): Outcome {
  return { ok: false, message, status };
}

/**
 * Answers one button of the admin's: asks who presses it and, before what cannot be taken back,
 * whether they are sure; then does the work. Where that fails, the database's own words follow `failed`.
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

/** Where the button was: an address of the admin area, whatever the form says. */
function backOf(form: FormData): string {
  const back = returnTarget(textOf(form, "back"));
  return /^\/admin(?:[/?#]|$)/.test(back) ? back : "/admin";
}

/** What the question sends once more; never a password, which no page repeats. */
function fieldsOf(form: FormData): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [name, value] of form)
    if (name !== "back" && name !== "password" && typeof value === "string") fields[name] = value;
  return fields;
}
