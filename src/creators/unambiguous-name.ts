import * as v from "valibot";

/** What no eye sees: signs without width, fillers, marks of direction. */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{C}\u2800]/u;
const LATIN = /\p{Script=Latin}/u;
const OTHER_LETTER = /(?![\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}])\p{L}/u;

/**
 * A name that can be told from every other by reading it: nothing in it is invisible, and its letters are
 * of one alphabet, so that nobody goes by another's name with a letter that only looks the same.
 */
export const unambiguousName = v.check(
  (name: string) => !UNSEEN.test(name) && !(LATIN.test(name) && OTHER_LETTER.test(name)),
  "Use letters from one alphabet only, with no hidden characters",
);
