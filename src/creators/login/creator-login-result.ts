/** The result of a tipster or analyst login that did not redirect. */
export type CreatorLoginResult = {
  /** The kind of problem, shown above the message. */
  title?: string;
  message?: string;
  errors: Partial<Record<string, string>>;
  values: Record<string, string>;
};

/** The result of the application form. */
export type ApplicationFormResult = { ok: true } | ({ ok: false } & CreatorLoginResult);
