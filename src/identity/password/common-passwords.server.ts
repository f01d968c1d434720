import { dictionary } from "@zxcvbn-ts/language-common";
import { PASSWORD_MIN } from "../identity.input.ts";

const REFUSED = 10_000;

/** What this place itself brings to mind; no password with nothing but figures and signs around it. */
const OURS = new Set([
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

let common: Set<string> | null = null;

/** Whether a password is among the first that anyone would try here, in whatever case it is written. */
export function isCommonPassword(password: string): boolean {
  // The list is ordered by how often each is found in what has leaked.
  common ??= new Set(
    dictionary["passwords-common"].filter((each) => each.length >= PASSWORD_MIN).slice(0, REFUSED),
  );
  const written = password.toLowerCase();
  return common.has(written) || OURS.has(written.replace(/\P{L}/gu, ""));
}
