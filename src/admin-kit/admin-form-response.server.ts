import { data, type RouterContextProvider } from "react-router";
import type { Viewer } from "#identity/identity.server.ts";
import { failureMessage } from "#platform/failure-message.server.ts";
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

/** Returns the error response of an admin form whose `code` does not confirm the action, otherwise null. */
export async function formErrorWithoutCode(
  admin: Viewer,
  context: Readonly<RouterContextProvider>,
  form: FormData,
) {
  const refusal = await refuseWithoutCode(admin, context, form);
  return refusal && formError(form, { errors: { code: refusal[0] }, status: refusal[1] });
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
