/** A submission without a response, whose form stays on the page with its input. */
export type FailedSubmission = {
  /** `not-sent`: the request was not sent. `no-response`: the server may have received it. */
  reason: "not-sent" | "no-response";
  /** The form's own message, from `data-not-sent` or `data-no-response`. */
  message: string | null;
  hasFields: boolean;
};

/** Selects the fields of a form that a user can fill in. */
export const FIELD_SELECTOR = "input:not([type=hidden]), textarea, select";

/** Returns the text that explains a failed submission to the user. */
export function deliveryMessage({ reason, message, hasFields }: FailedSubmission): string {
  const fieldsNotice = hasFields ? "What you typed is still here: " : "";
  const sentences =
    reason === "not-sent"
      ? [
          "No connection. Nothing was sent.",
          message,
          `${fieldsNotice}try again when you're back online.`,
        ]
      : [
          "We got no answer.",
          message ?? "Your request may not have arrived.",
          `${fieldsNotice}check your connection and try again.`,
        ];
  const sentencesWithText = sentences.filter(Boolean);
  const lastSentence = sentencesWithText.pop() ?? "";
  return [...sentencesWithText, lastSentence.charAt(0).toUpperCase() + lastSentence.slice(1)].join(
    " ",
  );
}
