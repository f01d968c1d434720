import {
  type ActionFunctionArgs,
  data,
  type Register,
  type RouterContextProvider,
} from "react-router";
import type * as v from "valibot";
import type { Viewer } from "#accounts/accounts.server.ts";
import { resolveReturnTarget } from "#accounts/accounts.ui.tsx";
import { failureMessage } from "#platform/failure-message.server.ts";
import { parseForm, readField } from "#platform/parse-form.ts";
import type { AdminActionResult, Confirmation } from "./admin-action-result.ts";
import { refuseWithoutCode } from "./refuse-without-code.server.ts";
import { requireAdmin } from "./require-admin.server.ts";

/** What an admin sent to an action, once its fields are valid. */
type Submission<Params, Input> = { admin: Viewer; params: Params; input: Input; form: FormData };

/** The result of the function that an action calls. */
type Result = { ok: true } | { ok: false; refusal: string };

/** A message and its status. A message alone has the status 409. */
type Refusal = string | readonly [message: string, status?: number];

type Success<R extends Result> = Extract<R, { ok: true }>;
type Refused<R extends Result> = Extract<R, { ok: false }>;

type ActionOptions<Params, Input, R extends Result> = {
  /** The fields of the form. An invalid field is refused with its message. */
  input?: v.GenericSchema<unknown, Input>;
  /** The confirmation to ask for first; null to ask for none. */
  confirm?:
    | Confirmation
    | ((submission: Submission<Params, Input>) => Promise<Confirmation | null>);
  /** Requires a code of two-step login, because the action moves money. */
  needsCode?: boolean;
  run: (submission: Submission<Params, Input>) => Promise<R>;
  /** The message when it is done. */
  done: string | ((result: Success<R>, input: Input) => string);
  /** Precedes the message of an error. */
  failed?: string;
  /** The message of each refusal, or a function when it depends on the result. */
  refusals:
    | Record<Refused<R>["refusal"], Refusal>
    | ((result: Refused<R>) => Refusal | Promise<Refusal>);
};

type AdminAction<Params> = (args: {
  request: Request;
  params: Params;
  context: Readonly<RouterContextProvider>;
}) => Promise<ReturnType<typeof data<AdminActionResult>>>;

/**
 * Returns an admin action, which requires an admin, refuses invalid fields, returns the confirmation if there is one and
 * the form lacks `confirmed`, checks the code of an action that needs one, then runs. When it throws, it responds with 500
 * and the message of the error, but rethrows a database outage and unsupported characters.
 */
export function adminAction<Params, Input, R extends Result>({
  input: schema,
  confirm,
  needsCode = false,
  run,
  done,
  failed = "The action failed",
  refusals,
}: ActionOptions<Params, Input, R>): AdminAction<Params> {
  return async ({ request, params, context }) => {
    const admin = await requireAdmin(context);
    const form = await request.formData();
    const returnPath = readReturnPath(form);
    const respond = (result: Omit<AdminActionResult, "returnPath">, status = 200) =>
      data<AdminActionResult>({ ...result, returnPath }, { status });

    const parsed = schema && parseForm(schema, form);
    if (parsed?.ok === false)
      return respond({ ok: false, message: joinErrors(parsed.errors) }, 422);
    const submission = { admin, params, form, input: parsed?.values as Input };

    const confirmation = typeof confirm === "function" ? await confirm(submission) : confirm;
    const asked = confirmation
      ? { confirmation, needsCode, fields: readResubmittedFields(form) }
      : {};
    if (confirmation && readField(form, "confirmed") !== "yes")
      return respond({ ok: false, message: "", ...asked });
    const codeRefusal = needsCode ? await refuseWithoutCode(admin, context, form) : null;
    if (codeRefusal) {
      const [codeError, status] = codeRefusal;
      return respond({ ok: false, message: codeError, codeError, ...asked }, status);
    }

    try {
      const result = await run(submission);
      if (result.ok) {
        const success = result as Success<R>;
        const message = typeof done === "function" ? done(success, submission.input) : done;
        return respond({ ok: true, message });
      }
      const refused = result as Refused<R>;
      const refusal =
        typeof refusals === "function"
          ? await refusals(refused)
          : refusals[refused.refusal as Refused<R>["refusal"]];
      const [message, status = 409] = typeof refusal === "string" ? [refusal] : refusal;
      return respond({ ok: false, message }, status);
    } catch (error) {
      const { status, message } = failureMessage(error, failed, "admin");
      return respond({ ok: false, message }, status);
    }
  };
}

type Page = keyof Register["pages"];

/** Returns the `action` of a route module that serves several admin actions, each at its own path. */
export function adminActions(
  actions: {
    [Path in Page]?: AdminAction<Register["pages"][Path]["params"]>;
  },
) {
  return async ({ request, params, context, pattern }: ActionFunctionArgs) => {
    // The router omits the first slash of a pattern.
    const path = `/${pattern.replace(/^\//, "")}` as Page;
    const action = actions[path] as AdminAction<typeof params> | undefined;
    if (!action) throw new Error(`no admin action at ${path}`);
    return await action({ request, params, context });
  };
}

/** Joins the messages of the fields to sentences. */
function joinErrors(errors: Record<string, string>): string {
  return Object.values(errors)
    .map((message) => (message.endsWith(".") ? message : `${message}.`))
    .join(" ");
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
