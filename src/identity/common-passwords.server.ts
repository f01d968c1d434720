import { dictionary } from "@zxcvbn-ts/language-common";
import { PASSWORD_MIN } from "./identity.input.ts";

const REFUSED = 10_000;

let common: Set<string> | null = null;

/** Whether a password is among the first that anyone would try, in whatever case it is written. */
export function isCommonPassword(password: string): boolean {
  // The list is ordered by how often each is found in what has leaked.
  common ??= new Set(
    dictionary["passwords-common"].filter((each) => each.length >= PASSWORD_MIN).slice(0, REFUSED),
  );
  return common.has(password.toLowerCase());
}
