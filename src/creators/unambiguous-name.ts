import * as v from "valibot";

/** Invisible characters: zero-width, fillers, direction marks. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{C}\u2800]/u;
const LATIN = /\p{Script=Latin}/u;
const OTHER_LETTER = /(?![\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}])\p{L}/u;

/**
 * Requires a name without invisible characters and with letters of one alphabet only, so that no
 * one can imitate another name with look-alike letters.
 */
export const unambiguousName = v.check(
  (name: string) => !INVISIBLE.test(name) && !(LATIN.test(name) && OTHER_LETTER.test(name)),
  "Use letters from one alphabet only, with no hidden characters",
);
