import type { FormResult } from "#platform/form-result.ts";

/** The result of the sign-in and registration forms. A successful registration redirects instead. */
export type AccountFormResult = FormResult<{ name: string; target: string }>;

/** The result of a form that requests an email. */
export type EmailRequestFormResult = FormResult<{ message: string; values: { email: string } }>;
