/**
 * Returns a text as it is searched: in lower case, without accents, with spaces for punctuation. The same rule as
 * `fold_search_text` in SQL.
 */
export function foldSearchText(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .replace(/[!-/:-@[-`{-~\u2018\u2019]+/g, " ")
    .toLowerCase();
}
