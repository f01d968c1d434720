/** The result of an admin form: a success message, or an error message and errors by field. */
export type AdminFormResult = {
  ok: boolean;
  message?: string;
  errors?: Record<string, string>;
  /** The values with which the form is rendered again: the submitted ones, or those that a save changed. */
  values?: Record<string, string>;
  /** The values that someone else changed differently meanwhile, of which the user chooses. */
  conflicts?: readonly { name: string; label: string; mine: string; theirs: string }[];
};
