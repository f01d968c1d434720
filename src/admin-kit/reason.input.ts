import * as v from "valibot";

/** The reason for an admin action, stored permanently in the audit log. */
export const reasonInput = v.pipe(
  v.string("Please enter a reason."),
  v.trim(),
  v.nonEmpty("Please enter a reason."),
  v.maxLength(300, "Reason must be at most 300 characters long."),
);

/** A form with a required reason. */
export const reasonForm = v.object({ reason: reasonInput });

/** The optional reason of an admin action; empty when it is missing or too long. */
export const optionalReason = v.fallback(v.pipe(v.string(), v.trim(), v.maxLength(300)), "");

/** A field that says "yes" or anything else. */
export const yesInput = v.fallback(
  v.pipe(
    v.string(),
    v.transform((value) => value === "yes"),
  ),
  false,
);
