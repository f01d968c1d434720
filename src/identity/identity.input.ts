import * as v from "valibot";
import { NOT_AGREED } from "./messages.ts";

// One shape for both sides: the form shows what the server will say.

/** What an address may look like: what every mail server takes. Checked after it is trimmed and lowered. */
const ADDRESS = /^(?!\.)(?!.*\.\.)[a-z0-9_'+.-]*[a-z0-9_+-]@(?:[a-z0-9][a-z0-9-]*\.)+[a-z]{2,}$/;

export const PASSWORD_MIN = 6;
export const PASSWORD_MAX = 128;

/** What everybody takes for an address. */
const ADDRESS_LIKE = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

const NO_ADDRESS = "Please enter a valid email address";
const INVALID_ADDRESS = "Invalid email address. Please check your email.";
const PASSWORD_TOO_SHORT = "Password must be at least 6 characters long";

/** An e-mail address, trimmed and in lower case. */
export const emailInput = v.pipe(
  v.string(NO_ADDRESS),
  v.trim(),
  v.toLowerCase(),
  v.regex(ADDRESS_LIKE, NO_ADDRESS),
  v.maxLength(254, INVALID_ADDRESS),
  v.regex(ADDRESS, INVALID_ADDRESS),
  v.check((address) => !isReservedAddress(address), INVALID_ADDRESS),
);

/** Line breaks, zero bytes and other characters that no name has and not every record can hold. */
const CONTROL_CHARACTERS = /\p{Cc}/u;

/** Whether an address can reach nobody (RFC 2606); those of closed accounts are such. */
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

/** A password someone chooses: exactly as typed. */
export const passwordInput = v.pipe(
  v.string(PASSWORD_TOO_SHORT),
  v.minLength(PASSWORD_MIN, PASSWORD_TOO_SHORT),
  v.maxLength(PASSWORD_MAX, "Password must be at most 128 characters long"),
);

/** That someone is 18 or older and agrees to the terms: nothing less is taken. */
export const agreedInput = v.pipe(
  v.optional(v.union([v.boolean(), v.string()]), false),
  v.check((value) => value === true || value === "on" || value === "yes", NOT_AGREED),
  v.transform(() => true as const),
);

/** Opening an account. */
export const registerInput = v.object({
  name: nameInput,
  email: emailInput,
  password: passwordInput,
  agreed: agreedInput,
});

/** Signing in: the password is taken as it is, right or wrong. */
export const signInInput = v.object({ email: emailInput, password: passwordInput });

/** What goes by the address alone: another confirmation mail, a forgotten password. */
export const addressInput = v.object({ email: emailInput });

/** Choosing a password by a link. */
export const newPasswordInput = v.object({ password: passwordInput });

/** Choosing the first password of an account that somebody else has begun. */
export const firstPasswordInput = v.object({ password: passwordInput, agreed: agreedInput });
