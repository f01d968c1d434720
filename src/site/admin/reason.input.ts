import * as v from "valibot";

/** Why the operator does something: kept with it for good. */
export const reasonInput = v.pipe(
  v.string("Please give the reason."),
  v.trim(),
  v.nonEmpty("Please give the reason."),
  v.maxLength(300, "Please use at most 300 characters for the reason."),
);
