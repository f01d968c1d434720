/** Returns the horse's name in lower case with letters and digits only, as `horse_key` in SQL does. */
export function toHorseKey(horseName: string): string {
  return horseName.replace(/[^A-Za-z0-9]/g, "").toLowerCase();
}

/**
 * Returns the horse's name without case, accents, punctuation and spaces, and without a country at its end: `elnino` for
 * "El Niño (SAF)". Two runners of a race may differ by country alone.
 */
export function foldHorseName(horseName: string): string {
  return toHorseKey(horseName.normalize("NFKD").replace(/\s*\([A-Za-z]{2,3}\)\s*$/, ""));
}

/**
 * Returns true if the names agree: they are equal when folded, or only misspelt, and no other runner of the race has a
 * nearer name.
 */
export function isSameHorseName(
  horseName: string,
  runnerName: string,
  otherRunners: readonly string[] = [],
): boolean {
  const [from, to] = [foldHorseName(horseName), foldHorseName(runnerName)];
  if (from === "" || to === "") return false;
  const distance = measureDistance(from, to);
  return (
    distance <= countAllowedMistakes(Math.min(from.length, to.length)) &&
    otherRunners.every((other) => measureDistance(from, foldHorseName(other)) >= distance)
  );
}

/** The mistakes that a name of a length may have. Names of three letters must be equal. */
function countAllowedMistakes(length: number): number {
  if (length <= 3) return 0;
  if (length <= 5) return 1;
  return length <= 10 ? 2 : 3;
}

/** Returns how many letters are wrong, missing, extra or exchanged with their neighbour (Damerau-Levenshtein distance). */
function measureDistance(from: string, to: string): number {
  // Each row has the distances between prefixes of the two names, the two newest rows first.
  let [previous, distances]: number[][] = [[], Array.from({ length: to.length + 1 }, (_, i) => i)];
  for (let row = 1; row <= from.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const isEqual = from[row - 1] === to[column - 1];
      const isExchanged = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      next.push(
        Math.min(
          (distances?.[column - 1] ?? 0) + (isEqual ? 0 : 1),
          (distances?.[column] ?? 0) + 1,
          (next[column - 1] ?? 0) + 1,
          row > 1 && column > 1 && isExchanged
            ? (previous?.[column - 2] ?? 0) + 1
            : Number.POSITIVE_INFINITY,
        ),
      );
    }
    [previous, distances] = [distances, next];
  }
  return distances?.at(-1) ?? 0;
}
