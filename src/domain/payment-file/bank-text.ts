import anyAscii from "any-ascii";

const UNSUPPORTED_CHARACTERS = /[^A-Za-z0-9 .\-/&()]+/g;

/**
 * Converts a text to the character set of bank systems: Latin letters without accents, digits, spaces and a
 * few symbols, never a symbol first. The result contains no delimiter, line break or spreadsheet
 * formula.
 */
export function toBankText(text: string, maxLength: number): string {
  return anyAscii(text)
    .replace(UNSUPPORTED_CHARACTERS, " ")
    .replace(/ +/g, " ")
    .replace(/^[^A-Za-z0-9]+/, "")
    .slice(0, maxLength)
    .trim();
}
