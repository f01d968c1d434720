/** Formats a number of races: '1 race', '8 races'. */
export function formatRaceCount(count: number): string {
  return count === 1 ? "1 race" : `${count} races`;
}
