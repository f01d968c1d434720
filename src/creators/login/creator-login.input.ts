import * as v from "valibot";
import { trimInvisible } from "#platform/readable-input.ts";

const EMAIL_AND_PASSWORD_REQUIRED = "Email and password are required";

/** A missing field gets the same message as an empty one. */
const withEmptyDefault = <Schema extends v.GenericSchema<string, string>>(schema: Schema) =>
  v.optional(schema, "");

/** The tipster login form. */
export const tipsterLoginInput = v.object({
  email: withEmptyDefault(
    v.pipe(
      v.string(EMAIL_AND_PASSWORD_REQUIRED),
      trimInvisible,
      v.toLowerCase(),
      v.nonEmpty(EMAIL_AND_PASSWORD_REQUIRED),
    ),
  ),
  password: withEmptyDefault(
    v.pipe(
      v.string(EMAIL_AND_PASSWORD_REQUIRED),
      v.nonEmpty(EMAIL_AND_PASSWORD_REQUIRED),
      v.minLength(6, "Password must be at least 6 characters long"),
    ),
  ),
});

const EMAIL_AND_CODE_REQUIRED = "Please enter your analyst email and access code";

/** The analyst login form. The access code is the account's password. */
export const analystLoginInput = v.object({
  email: withEmptyDefault(
    v.pipe(
      v.string(EMAIL_AND_CODE_REQUIRED),
      trimInvisible,
      v.toLowerCase(),
      v.nonEmpty(EMAIL_AND_CODE_REQUIRED),
    ),
  ),
  accessCode: withEmptyDefault(
    v.pipe(v.string(EMAIL_AND_CODE_REQUIRED), v.nonEmpty(EMAIL_AND_CODE_REQUIRED)),
  ),
});
