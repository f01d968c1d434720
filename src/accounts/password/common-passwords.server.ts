import { dictionary } from "@zxcvbn-ts/language-common";
import { PASSWORD_MIN_LENGTH } from "../accounts.input.ts";

const MAX_COMMON_PASSWORDS = 10_000;

/**
 * Words associated with this site. A password made of one of them plus digits or symbols is
 * refused.
 */
const SITE_WORDS = new Set([
  "furlong",
  "furlongtips",
  "racing",
  "horseracing",
  "racecard",
  "tipster",
  "analyst",
  "punter",
  "admin",
]);

let commonPasswords: Set<string> | null = null;

/** Whether a password is among the most common ones, ignoring case. */
export function isCommonPassword(password: string): boolean {
  // The list is sorted by frequency in leaked password data.
  commonPasswords ??= new Set(
    dictionary["passwords-common"]
      .filter((password) => password.length >= PASSWORD_MIN_LENGTH)
      .slice(0, MAX_COMMON_PASSWORDS),
  );
  const normalised = password.toLowerCase();
  return commonPasswords.has(normalised) || SITE_WORDS.has(normalised.replace(/\P{L}/gu, ""));
}
