/** What a refused form shows: what is wrong, and the values to fill it in with again. */
export type RefusedForm = {
  ok: false;
  /** Why the write was refused, for screens that show more than the message. */
  refusal?: string;
  title?: string;
  /** Concerns the whole form. */
  message?: string;
  /** By field name. */
  errors?: Record<string, string>;
  /** Never contain a password or a code. */
  values: Record<string, string>;
};

/** The result of a form that did not redirect: `Done` after its write, or what is wrong. */
export type FormResult<Done = unknown> = ({ ok: true } & Done) | RefusedForm;
