/** Returns the value at a percentile given as a fraction (nearest rank); NaN for an empty list. */
export function percentile(values: readonly number[], fraction: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const index = Math.min(sorted.length - 1, Math.ceil(sorted.length * fraction) - 1);
  return sorted[Math.max(0, index)] ?? Number.NaN;
}

/** Counts each distinct value and formats the counts: '1 × 200, 199 × 402'. */
export function tally(values: readonly (string | number)[]): string {
  const counts = new Map<string | number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1))
    .map(([value, count]) => `${count} × ${value}`)
    .join(", ");
}

/** Returns all n! permutations of n items. */
export function permutations<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((first, index) =>
    permutations(items.filter((_, otherIndex) => otherIndex !== index)).map((remaining) => [
      first,
      ...remaining,
    ]),
  );
}
