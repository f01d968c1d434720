/** Formats a number of races: '1 race', '8 races'. */
export function formatRaceCount(count: number): string {
  return count === 1 ? "1 race" : `${count} races`;
}

/** Formats race numbers for a sentence: 'race 4', 'races 1, 2 and 7'. */
export function formatRaceNumbers(raceNumbers: readonly number[]): string {
  const numbers = [...raceNumbers].sort((one, other) => one - other);
  if (numbers.length === 1) return `race ${numbers[0]}`;
  return `races ${numbers.slice(0, -1).join(", ")} and ${numbers.at(-1)}`;
}
