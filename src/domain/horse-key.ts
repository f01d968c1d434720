/** Returns the horse's name without spaces, punctuation and case. The same rule as `horse_key` in SQL. */
export function toHorseKey(horseName: string): string {
  return horseName.replace(/[^A-Za-z0-9]/g, "").toLowerCase();
}

/** The largest number of letters in which a misspelt name differs. */
const MAX_DIFFERENT_LETTERS = 2;

/** Returns true if two names are the same but for at most two letters that differ, are missing or extra. */
export function isMisspelling(horseName: string, otherName: string): boolean {
  const [from, to] = [toHorseKey(horseName), toHorseKey(otherName)];
  // Wagner-Fischer: the distances between the beginnings of the two names, one row for each letter.
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
