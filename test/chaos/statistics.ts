/** The value below which so large a share of the values lies; not a number where there are none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  const index = Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1);
  return sorted[Math.max(0, index)] ?? Number.NaN;
}

/** How often each value occurs, as words: '1 × 200, 199 × 402'. */
export function tally(values: readonly (string | number)[]): string {
  const counts = new Map<string | number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .sort(([one], [other]) => (String(one) < String(other) ? -1 : 1))
    .map(([value, count]) => `${count} × ${value}`)
    .join(", ");
}

/** Every order of some things: n things have n! of them. */
export function everyOrder<T>(things: readonly T[]): T[][] {
  if (things.length === 0) return [[]];
  return things.flatMap((first, index) =>
    everyOrder(things.filter((_, other) => other !== index)).map((rest) => [first, ...rest]),
  );
}
