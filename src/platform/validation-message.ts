import * as v from "valibot";

type Issues = [v.BaseIssue<unknown>, ...v.BaseIssue<unknown>[]];

/** What the validator says by itself, where the shape has no words of its own. */
const RAW = /^Invalid [\w ]+: (?:Expected|Received) /;

/** What is wrong with a body, as a sentence: in the shape's own words, else by the name of the field. */
export function validationMessage([issue]: Issues): string {
  if (!RAW.test(issue.message)) return issue.message;
  const field = v.getDotPath(issue);
  if (field === null) return "Send a JSON object.";
  return issue.received === "undefined"
    ? `${field} is missing`
    : `${field} has the wrong type or format`;
}
