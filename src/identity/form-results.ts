/** What came of the sign-in and the registration form; registering leads on to a page of its own. */
export type AccountFormResult =
  | { ok: true; did: "signed-in"; name: string; target: string }
  | {
      ok: false;
      /** For the form as a whole. */
      message?: string;
      /** By field. */
      errors?: Partial<Record<"name" | "email" | "password" | "agreed", string>>;
      /** What was typed, to be shown again; never the password. */
      values: { name: string; email: string };
    };

/** What came of a form that needs no more than a sentence for an answer. */
export type MessageResult = {
  ok: boolean;
  message?: string;
  errors?: Partial<Record<string, string>>;
  values?: { email?: string };
};
