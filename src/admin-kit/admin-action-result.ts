/** The confirmation shown before an action. */
export type Confirmation = {
  title: string;
  message: string;
  confirmText: string;
  /** Shows a field for the reason, which is sent to the person concerned. */
  hasReasonField?: boolean;
  /** False when the action destroys nothing: the button is then not red. Defaults to true. */
  isDestructive?: boolean;
};

/** The result of an admin action, or the confirmation that it requires first. */
export type AdminActionResult = {
  ok: boolean;
  message: string;
  /** The path of the page that sent the action. */
  returnPath: string;
  /** Set when nothing has been changed yet: sending the form again with `confirmed` runs the action. */
  confirmation?: Confirmation;
  /** Whether the confirmation asks for the code of two-step login, because the action moves money. */
  needsCode?: boolean;
  fields?: Record<string, string>;
  /** Why the code of two-step login was refused. */
  codeError?: string;
};
