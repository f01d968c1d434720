/** What came of a form of the admin's: done, or what is wrong as a whole and field by field. */
export type FormAnswer = {
  ok: boolean;
  message?: string;
  errors?: Record<string, string>;
  /** What was typed, for a page that is shown again. */
  values?: Record<string, string>;
};
