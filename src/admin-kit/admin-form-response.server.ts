import { data, type RouterContextProvider } from "react-router";
import type { Viewer } from "#accounts/accounts.server.ts";
import { failureMessage } from "#platform/failure-message.server.ts";
import { type FormOptions, handleForm, type WriteResult } from "#platform/handle-form.server.ts";
import { readFormValues } from "#platform/parse-form.ts";
import type { AdminFormResult } from "./admin-form-result.ts";
import { refuseWithoutCode } from "./refuse-without-code.server.ts";

/** Returns the success response of an admin form. */
export function formSuccess(message: string, values?: Record<string, string>) {
  return data<AdminFormResult>({ ok: true, message, values });
}

/** Returns the error response of an admin form, with its input and the errors. */
export function formError(
  form: FormData,
  details: Pick<AdminFormResult, "message" | "errors" | "conflicts"> & { status?: number },
) {
  const { status = 422, ...errorDetails } = details;
  return data<AdminFormResult>(
    { ok: false, ...errorDetails, values: readTextFields(form) },
    { status },
  );
}

type AdminFormOptions<Input, R extends WriteResult, Done> = Omit<
  FormOptions<Input, R, Done>,
  "failed" | "keep"
> & {
  request: Request;
  context: Readonly<RouterContextProvider>;
  /** Requires a code of two-step login. */
  needsCode?: boolean;
  /** Precedes the message of an unexpected error, which is thrown without it. */
  failed?: string;
};

/**
 * Handles an admin form as `handleForm` does, after its code of two-step login if it needs one. A refused form keeps all
 * values but passwords and codes.
 */
export async function handleAdminForm<Input, R extends WriteResult, Done>(
  admin: Viewer,
  {
    request,
    context,
    needsCode = false,
    check,
    failed,
    ...options
  }: AdminFormOptions<Input, R, Done>,
) {
  const form = await request.formData();
  return await handleForm(form, {
    ...options,
    check: async (input) => {
      const refusal = await check?.(input);
      if (refusal || !needsCode) return refusal ?? null;
      const codeRefusal = await refuseWithoutCode(admin, context, form);
      return codeRefusal && { errors: { code: codeRefusal[0] }, status: codeRefusal[1] };
    },
    failed: failed ? (error) => failureMessage(error, failed, "admin") : undefined,
    keep: Object.keys(readTextFields(form)),
  });
}

/**
 * Runs `work`. Returns a 500 response with `errorPrefix` and the error message when it
 * throws, but rethrows a database outage and unsupported characters.
 */
export async function withFormError<Result>(
  form: FormData,
  errorPrefix: string,
  work: () => Promise<Result>,
): Promise<Result | ReturnType<typeof formError>> {
  try {
    return await work();
  } catch (error) {
    return formError(form, failureMessage(error, errorPrefix, "admin"));
  }
}

function readTextFields(form: FormData): Record<string, string> {
  const { password: _, code: __, ...values } = readFormValues(form);
  return values;
}
