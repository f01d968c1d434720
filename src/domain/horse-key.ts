/** Returns the horse's name in lower case with letters and digits only, as `horse_key` in SQL does. */
export function toHorseKey(horseName: string): string {
  return horseName.replace(/[^A-Za-z0-9]/g, "").toLowerCase();
}

/** The largest edit distance at which two names count as the same horse. */
const MAX_DIFFERENT_LETTERS = 2;

/** Returns true if at most two letters of the names differ, are missing or are extra (Levenshtein distance). */
export function isMisspelling(horseName: string, otherName: string): boolean {
  const [from, to] = [toHorseKey(horseName), toHorseKey(otherName)];
  // The Wagner-Fischer algorithm: each row has the distances between prefixes of the two names.
  let distances = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [row, letter] of [...from].entries()) {
    const next = [row + 1];
    for (const [column, other] of [...to].entries()) {
      const replaced = (distances[column] ?? 0) + (letter === other ? 0 : 1);
      const removed = (distances[column + 1] ?? 0) + 1;
      next.push(Math.min(replaced, removed, (next[column] ?? 0) + 1));
    }
    distances = next;
  }
  return (distances.at(-1) ?? 0) <= MAX_DIFFERENT_LETTERS;
}
