/** A form that was not delivered and stays on the page. */
export type UndeliveredForm = {
  /** `not-sent`: it did not leave the browser. `no-response`: it may have arrived. */
  reason: "not-sent" | "no-response";
  /** The form's own message, from `data-not-sent` or `data-no-response`. */
  note: string | null;
  hasFields: boolean;
};

/** Returns the message about a form that was not delivered. */
export function deliveryMessage({ reason, note, hasFields }: UndeliveredForm): string {
  const fieldsNotice = hasFields ? "What you typed is still here: " : "";
  const sentences =
    reason === "not-sent"
      ? [
          "No connection. Nothing was sent.",
          note,
          `${fieldsNotice}try again when you're back online.`,
        ]
      : [
          "We got no answer.",
          note ?? "Your request may not have arrived.",
          `${fieldsNotice}check your connection and try again.`,
        ];
  const sentencesWithText = sentences.filter(Boolean);
  const lastSentence = sentencesWithText.pop() ?? "";
  return [...sentencesWithText, lastSentence.charAt(0).toUpperCase() + lastSentence.slice(1)].join(
    " ",
  );
}
