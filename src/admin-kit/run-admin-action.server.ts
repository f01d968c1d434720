import { data, type RouterContextProvider } from "react-router";
import type { Viewer } from "#identity/identity.server.ts";
import { resolveReturnTarget } from "#identity/identity.ui.tsx";
import { hasUnsupportedCharacters, isDatabaseUnavailable } from "#platform/database.server.ts";
import { log } from "#platform/log.server.ts";
import { readField } from "#platform/parse-form.ts";
import type { AdminActionResult, Confirmation } from "./admin-action-result.ts";
import { refuseWithoutCode } from "./refuse-without-code.server.ts";
import { requireAdmin } from "./require-admin.server.ts";
import { formatFailure } from "./with-load-error.server.ts";

type ActionRequest<Params> = {
  request: Request;
  params: Params;
  context: Readonly<RouterContextProvider>;
};

/** The confirmation, or a function that creates it; null when the form is invalid anyway. */
type ConfirmationOption<Params> =
  | Confirmation
  | ((args: { admin: Viewer; params: Params; form: FormData }) => Promise<Confirmation | null>);

type Outcome = { ok: true; message: string } | { ok: false; message: string; status: number };

type ActionOptions<Params> = {
  confirmation?: ConfirmationOption<Params>;
  errorPrefix?: string;
  /** Runs the work only with a code of two-step login, because it moves money. */
  needsCode?: boolean;
};

/** Returns a successful outcome with the message for the admin. */
export function actionSucceeded(message: string): Outcome {
  return { ok: true, message };
}

/** Returns a failed outcome with the message for the admin and the response status. */
export function actionRefused(message: string, status = 409): Outcome {
  return { ok: false, message, status };
}

/**
 * Runs an admin action: requires an admin, returns the confirmation first if there is one and the
 * form lacks `confirmed`, checks the code of an action that needs one, then runs `work`. When `work`
 * throws, responds with 500, `errorPrefix` and the error message, but rethrows a database outage and
 * unsupported characters.
 */
export async function runAdminAction<Params>(
  { request, params, context }: ActionRequest<Params>,
  work: (input: { admin: Viewer; params: Params; form: FormData }) => Promise<Outcome>,
  {
    confirmation: confirmationOption,
    errorPrefix = "The action failed",
    needsCode = false,
  }: ActionOptions<Params> = {},
) {
  const admin = await requireAdmin(context);
  const form = await request.formData();
  const returnPath = readReturnPath(form);
  const confirmation =
    typeof confirmationOption === "function"
      ? await confirmationOption({ admin, params, form })
      : confirmationOption;
  if (confirmation && readField(form, "confirmed") !== "yes")
    return data<AdminActionResult>({
      ok: false,
      message: "",
      returnPath,
      confirmation,
      fields: readResubmittedFields(form),
    });
  const codeRefusal = needsCode ? await refuseWithoutCode(admin, context, form) : null;
  if (codeRefusal) {
    const [codeError, status] = codeRefusal;
    return data<AdminActionResult>(
      {
        ok: false,
        message: codeError,
        codeError,
        returnPath,
        ...(confirmation ? { confirmation, fields: readResubmittedFields(form) } : {}),
      },
      { status },
    );
  }
  const outcome = await catchErrors(work({ admin, params, form }), errorPrefix);
  return data<AdminActionResult>(
    { ok: outcome.ok, message: outcome.message, returnPath },
    { status: outcome.ok ? 200 : outcome.status },
  );
}

async function catchErrors(work: Promise<Outcome>, errorPrefix: string): Promise<Outcome> {
  try {
    return await work;
  } catch (error) {
    if (
      !(error instanceof Error) ||
      isDatabaseUnavailable(error) ||
      hasUnsupportedCharacters(error)
    )
      throw error;
    log.error({ error }, errorPrefix);
    return actionRefused(formatFailure(errorPrefix, error), 500);
  }
}

/** Returns the path to return to: `/admin` unless the form names a path in the admin area. */
function readReturnPath(form: FormData): string {
  const returnPath = resolveReturnTarget(readField(form, "back"));
  return /^\/admin(?:[/?#]|$)/.test(returnPath) ? returnPath : "/admin";
}

const NOT_RESUBMITTED = ["back", "code", "confirmed", "password"];

/** Returns the fields that the confirmation sends again; never a code or password. */
function readResubmittedFields(form: FormData): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [name, value] of form)
    if (!NOT_RESUBMITTED.includes(name) && typeof value === "string") fields[name] = value;
  return fields;
}
