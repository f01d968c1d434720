/** The minimum number of letters and digits in a search. Fewer match nearly everything. */
export const MIN_SEARCH_LENGTH = 3;
/** The maximum length of a search: the longest names have 60 characters. */
export const MAX_SEARCH_LENGTH = 60;
/** A longer parameter is not read: spaces and invisible characters count in it too. */
const MAX_PARAMETER_LENGTH = 500;

/** A search as it is run, or why it is not. */
export type Search = { text: string; state: "empty" | "too-short" | "too-long" | "searchable" };

/** Reads the text to search for, without invisible characters and repeated spaces. */
export function parseSearch(
  parameter: string | null,
  { min = MIN_SEARCH_LENGTH, max = MAX_SEARCH_LENGTH } = {},
): Search {
  if (parameter && parameter.length > MAX_PARAMETER_LENGTH) return { text: "", state: "too-long" };
  const text = (parameter ?? "")
    .normalize("NFC")
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
  if (text === "") return { text, state: "empty" };
  if ([...text].length > max) return { text: "", state: "too-long" };
  const letters = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  return { text, state: letters < min ? "too-short" : "searchable" };
}
