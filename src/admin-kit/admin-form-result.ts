/** The result of an admin form: a success message, or an error message and errors by field. */
export type AdminFormResult = {
  ok: boolean;
  message?: string;
  errors?: Record<string, string>;
  /** The submitted values, with which the form is rendered again. */
  values?: Record<string, string>;
};
