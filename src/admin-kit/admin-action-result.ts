/** What is asked before something that cannot be taken back. */
export type Question = {
  title: string;
  message: string;
  confirmText: string;
  /** Asks for a reason, which the person it concerns is told. */
  asksReason?: boolean;
  /** False where nothing is lost by it; the button is then not red. */
  isDestructive?: boolean;
};

/** What came of one press of a button, or the question that stands before it. */
export type AdminActionResult = {
  ok: boolean;
  message: string;
  /** Where the button was. */
  back: string;
  /** Set where nothing has been done yet: the same form again, with `sure`, does it. */
  question?: Question;
  fields?: Record<string, string>;
};
