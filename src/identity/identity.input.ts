import * as v from "valibot";
import { NOT_AGREED } from "./messages.ts";

// Used by the forms in the browser and by the server, so both show the same messages.

/** The address format that all mail servers accept. Applied after trimming and lower-casing. */
const ADDRESS = /^(?!\.)(?!.*\.\.)[a-z0-9_'+.-]*[a-z0-9_+-]@(?:[a-z0-9][a-z0-9-]*\.)+[a-z]{2,}$/;

export const PASSWORD_MIN = 6;
export const PASSWORD_MAX = 128;

/** The general shape of an email address. */
const ADDRESS_LIKE = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

const NO_ADDRESS = "Please enter a valid email address";
const INVALID_ADDRESS = "Invalid email address. Please check your email.";
const PASSWORD_TOO_SHORT = "Password must be at least 6 characters long";

/** An email address, trimmed and in lower case. */
export const emailInput = v.pipe(
  v.string(NO_ADDRESS),
  v.trim(),
  v.toLowerCase(),
  v.regex(ADDRESS_LIKE, NO_ADDRESS),
  v.maxLength(254, INVALID_ADDRESS),
  v.regex(ADDRESS, INVALID_ADDRESS),
  v.check((address) => !isReservedAddress(address), INVALID_ADDRESS),
);

/** Line breaks, NUL and other control characters, which do not belong in names. */
const CONTROL_CHARACTERS = /\p{Cc}/u;

/** Whether an address is undeliverable (RFC 2606). Closed accounts have such addresses. */
export function isReservedAddress(address: string): boolean {
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
);

/** A new password, exactly as typed. */
export const passwordInput = v.pipe(
  v.string(PASSWORD_TOO_SHORT),
  v.minLength(PASSWORD_MIN, PASSWORD_TOO_SHORT),
  v.maxLength(PASSWORD_MAX, "Password must be at most 128 characters long"),
);

/** Confirmation of being 18 or older and agreeing to the terms; required. */
export const agreedInput = v.pipe(
  v.optional(v.union([v.boolean(), v.string()]), false),
  v.check((value) => value === true || value === "on" || value === "yes", NOT_AGREED),
  v.transform(() => true as const),
);

/** The registration form. */
export const registerInput = v.object({
  name: nameInput,
  email: emailInput,
  password: passwordInput,
  agreed: agreedInput,
});

/** The sign-in form. The password is not validated beyond its length. */
export const signInInput = v.object({ email: emailInput, password: passwordInput });

/** Forms with only an email address: resending the confirmation, forgotten password. */
export const addressInput = v.object({ email: emailInput });

/** The form that sets a new password through a link. */
export const newPasswordInput = v.object({ password: passwordInput });

/** The form that sets the first password of an account created by an admin. */
export const firstPasswordInput = v.object({ password: passwordInput, agreed: agreedInput });
