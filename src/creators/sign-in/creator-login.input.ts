import * as v from "valibot";

const REQUIRED = "Email and password are required";

/** A missing field gets the same message as an empty one. */
const field = <Schema extends v.GenericSchema<string, string>>(schema: Schema) =>
  v.optional(schema, "");

/** The tipster login form. */
export const tipsterLoginInput = v.object({
  email: field(v.pipe(v.string(REQUIRED), v.trim(), v.toLowerCase(), v.nonEmpty(REQUIRED))),
  password: field(
    v.pipe(
      v.string(REQUIRED),
      v.nonEmpty(REQUIRED),
      v.minLength(6, "Password must be at least 6 characters long"),
    ),
  ),
});

const BOTH = "Please enter your analyst email and access code";

/** The analyst login form. The access code is the account's password. */
export const analystLoginInput = v.object({
  email: field(v.pipe(v.string(BOTH), v.trim(), v.toLowerCase(), v.nonEmpty(BOTH))),
  accessCode: field(v.pipe(v.string(BOTH), v.nonEmpty(BOTH))),
});
