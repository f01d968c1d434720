import * as v from "valibot";

/** Invisible characters: zero-width, fillers, direction marks, controls. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{C}\p{Zl}\p{Zp}\u2800]/u;
/** Invisible characters that belong to what they follow: in emoji, and between Arabic letters. */
const JOINERS =
  /(?<=\p{Extended_Pictographic})[\uFE0E\uFE0F]|(?<=[0-9#*])\uFE0F(?=\u20E3)|(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F)\u200D(?=\p{Extended_Pictographic})|(?<=\p{Script=Arabic})\u200C(?=\p{Script=Arabic})/gu;
const SPACE = /\s/;
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;
const LATIN = /\p{Script=Latin}/u;
const OTHER_LETTER = /(?![\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}])\p{L}/u;

function hasHiddenCharacters(text: string): boolean {
  const rest = text.replace(JOINERS, "");
  return INVISIBLE.test(rest) || (rest !== "" && !VISIBLE.test(rest));
}

/**
 * Requires a name without hidden characters and with letters of one alphabet only, so that no one can
 * imitate another name with look-alike letters.
 */
export const unambiguousName = (field: string) =>
  v.check(
    (name: string) => !hasHiddenCharacters(name) && !(LATIN.test(name) && OTHER_LETTER.test(name)),
    `${field} must use letters of one alphabet and no hidden characters`,
  );

/** Requires a text without hidden characters, such as marks that reverse it. Lines and tabs are allowed. */
export const readableText = (field: string) =>
  v.check(
    (text: string) => !hasHiddenCharacters(text.replace(/[\r\n\t]/g, "")),
    `${field} must not contain hidden characters`,
  );

/** Removes spaces and invisible characters from both ends, where pasting leaves them. */
export const trimInvisible = v.transform((text: string) => {
  const characters = [...text];
  const isVisible = (character: string) => !SPACE.test(character) && !INVISIBLE.test(character);
  const start = characters.findIndex(isVisible);
  return start < 0 ? "" : characters.slice(start, characters.findLastIndex(isVisible) + 1).join("");
});
