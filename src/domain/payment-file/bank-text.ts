const ACCENTS = /\p{Mark}/gu;
const NOT_TAKEN = /[^A-Za-z0-9 .\-/&()]+/g;

/**
 * A text as bank systems take it: letters without accents, digits, spaces and a few signs, none of them in
 * first place, so that neither a delimiter, a line end nor a spreadsheet formula can be in it.
 */
export function bankText(text: string, longest: number): string {
  return text
    .normalize("NFKD")
    .replace(ACCENTS, "")
    .replace(NOT_TAKEN, " ")
    .replace(/ +/g, " ")
    .replace(/^[^A-Za-z0-9]+/, "")
    .slice(0, longest)
    .trim();
}
