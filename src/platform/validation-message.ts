import * as v from "valibot";

type Issues = [v.BaseIssue<unknown>, ...v.BaseIssue<unknown>[]];

/** The validator's default messages, for schemas without their own. */
const DEFAULT_MESSAGE = /^Invalid [\w ]+: (?:Expected|Received) /;

/** Returns the message for an invalid body: the schema's own, or one with the name of the field. */
export function validationMessage([issue]: Issues): string {
  if (!DEFAULT_MESSAGE.test(issue.message)) return issue.message;
  const field = v.getDotPath(issue);
  if (field === null) return "Send a JSON object.";
  return issue.received === "undefined"
    ? `${field} is missing`
    : `${field} has the wrong type or format`;
}
