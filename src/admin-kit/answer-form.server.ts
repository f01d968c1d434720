import { data } from "react-router";
import { hasUnsupportedCharacters, isDatabaseUnavailable } from "#platform/database.server.ts";
import { log } from "#platform/log.server.ts";
import type { FormAnswer } from "./form-answer.ts";
import { failureOf } from "./with-load-error.server.ts";

/** Returns the success response of an admin form. */
export function saved(message: string) {
  return data<FormAnswer>({ ok: true, message });
}

/** Returns the error response of an admin form, with its input and the errors. */
export function wrong(
  form: FormData,
  refusal: { message?: string; errors?: Record<string, string>; status?: number },
) {
  const { status = 422, ...said } = refusal;
  return data<FormAnswer>({ ok: false, ...said, values: textsOf(form) }, { status });
}

/**
 * Runs the work of a form. Returns a 500 response with `failed` and the error message when it
 * throws, but rethrows a database outage and unsupported characters.
 */
export async function withFormError<Answer>(
  form: FormData,
  failed: string,
  work: () => Promise<Answer>,
): Promise<Answer | ReturnType<typeof wrong>> {
  try {
    return await work();
  } catch (error) {
    if (
      !(error instanceof Error) ||
      isDatabaseUnavailable(error) ||
      hasUnsupportedCharacters(error)
    )
      throw error;
    log.error({ error }, failed);
    return wrong(form, { message: failureOf(failed, error), status: 500 });
  }
}

function textsOf(form: FormData): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [name, value] of form)
    if (typeof value === "string" && name !== "password") values[name] = value;
  return values;
}
