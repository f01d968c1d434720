import type { FormResult } from "#platform/form-result.ts";

/** The result of the sign-in and registration forms. A successful registration redirects instead. */
export type AccountFormResult = FormResult<{ name: string; target: string }>;

/** The result of a form whose outcome fits in one message. */
export type MessageResult = {
  ok: boolean;
  message?: string;
  errors?: Partial<Record<string, string>>;
  values?: { email?: string };
};
