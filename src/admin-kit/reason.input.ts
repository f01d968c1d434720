import * as v from "valibot";

/** The reason for an admin action, stored permanently in the audit log. */
export const reasonInput = v.pipe(
  v.string("Please enter a reason."),
  v.trim(),
  v.nonEmpty("Please enter a reason."),
  v.maxLength(300, "Reason must be at most 300 characters long."),
);

const optionalReason = v.fallback(v.pipe(v.string(), v.trim(), v.maxLength(300)), "");

/** Returns the optional reason of a form; empty when it is missing or too long. */
export function readReason(form: FormData): string {
  return v.parse(optionalReason, form.get("reason"));
}
