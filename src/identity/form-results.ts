/**
 * The result of the sign-in and registration forms. A successful registration redirects instead.
 */
export type AccountFormResult =
  | { ok: true; outcome: "signed-in"; name: string; target: string }
  | {
      ok: false;
      /** Concerns the whole form. */
      message?: string;
      /** By field name. */
      errors?: Partial<Record<"name" | "email" | "password" | "agreed", string>>;
      /** The submitted values, shown again in the form. Never includes the password. */
      values: { name: string; email: string };
    };

/** The result of a form whose outcome fits in one message. */
export type MessageResult = {
  ok: boolean;
  message?: string;
  errors?: Partial<Record<string, string>>;
  values?: { email?: string };
};

/** The result of the form that changes the password. */
export type ChangePasswordFormResult = {
  ok: boolean;
  message?: string;
  errors: Partial<Record<string, string>>;
};
