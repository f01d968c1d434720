import * as v from "valibot";

const REQUIRED = "Email and password are required";

/** A field that was left out is as good as empty, and said so in the same words. */
const field = <Schema extends v.GenericSchema<string, string>>(schema: Schema) =>
  v.optional(schema, "");

/** The tipsters' door. The password is taken as it is, right or wrong. */
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

/** The analysts' door: the access code is their password. */
export const analystLoginInput = v.object({
  email: field(v.pipe(v.string(BOTH), v.trim(), v.toLowerCase(), v.nonEmpty(BOTH))),
  accessCode: field(v.pipe(v.string(BOTH), v.nonEmpty(BOTH))),
});
