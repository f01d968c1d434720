import * as v from "valibot";
import { trimInvisible, unambiguousName } from "#platform/readable-input.ts";
import { TERMS_NOT_ACCEPTED } from "./messages.ts";

// Used by the forms in the browser and by the server, so both show the same messages.

/**
 * The address format that all mail servers accept (RFC 5321), with top-level domains of other alphabets
 * in their encoded form. Applied after trimming and lower-casing.
 */
const EMAIL_PATTERN =
  /^(?!\.)(?!.*\.\.)[a-z0-9_'+.-]{0,63}[a-z0-9_+-]@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{0,58}[a-z0-9])$/;

export const PASSWORD_MIN_LENGTH = 6;
export const PASSWORD_MAX_LENGTH = 128;

/**
 * The general shape of an email address. Only one of its parts can match each character, so that
 * the time to reject a text is proportional to its length.
 */
const EMAIL_SHAPE = /^[^\s@]+@[^\s@][^\s@.]*\.[^\s@]+$/;
const EMAIL_MAX_LENGTH = 254;

const MALFORMED_EMAIL = "Please enter a valid email address";
const INVALID_EMAIL = "Invalid email address. Please check your email.";
const PASSWORD_TOO_SHORT = "Password must be at least 6 characters long";

/** An email address, trimmed and in lower case. */
export const emailInput = v.pipe(
  v.string(MALFORMED_EMAIL),
  // Before the transformations, which end the validation of a text that is too long.
  v.maxLength(EMAIL_MAX_LENGTH, INVALID_EMAIL),
  trimInvisible,
  v.toLowerCase(),
  v.regex(EMAIL_SHAPE, MALFORMED_EMAIL),
  v.regex(EMAIL_PATTERN, INVALID_EMAIL),
  v.check((address) => !isReservedEmail(address), INVALID_EMAIL),
);

/** Line breaks, NUL and other control characters, which do not belong in names. */
const CONTROL_CHARACTERS = /\p{Cc}/u;

/** Whether an address is undeliverable (RFC 2606). Closed accounts have such addresses. */
function isReservedEmail(address: string): boolean {
  return address.toLowerCase().endsWith(".invalid");
}

/** A person's name, trimmed. */
export const nameInput = v.pipe(
  v.string("Please enter your full name"),
  v.trim(),
  v.minLength(1, "Please enter your full name"),
  v.maxLength(120, "Name must be at most 120 characters long"),
  v.check(
    (name) => !CONTROL_CHARACTERS.test(name),
    "Name must not contain control characters. Please type it again.",
  ),
  unambiguousName("Name"),
);

/** A new password, exactly as typed. */
export const passwordInput = v.pipe(
  v.string(PASSWORD_TOO_SHORT),
  v.minLength(PASSWORD_MIN_LENGTH, PASSWORD_TOO_SHORT),
  v.maxLength(PASSWORD_MAX_LENGTH, "Password must be at most 128 characters long"),
);

/** Confirmation of being 18 or older and agreeing to the terms; required. */
export const termsAcceptedInput = v.pipe(
  v.optional(v.union([v.boolean(), v.string()]), false),
  v.check((value) => value === true || value === "on" || value === "yes", TERMS_NOT_ACCEPTED),
  v.transform(() => true as const),
);

/** The registration form. */
export const registerInput = v.object({
  name: nameInput,
  email: emailInput,
  password: passwordInput,
  agreed: termsAcceptedInput,
});

/** The sign-in form. The password is not validated beyond its length. */
export const signInInput = v.object({ email: emailInput, password: passwordInput });

/** Forms with only an email address: resending the confirmation, forgotten password. */
export const emailFormInput = v.object({ email: emailInput });

/** The form that sets a new password through a link. */
export const newPasswordInput = v.object({ password: passwordInput });

/** The form that sets the first password of an account created by an admin. */
export const firstPasswordInput = v.object({ password: passwordInput, agreed: termsAcceptedInput });
