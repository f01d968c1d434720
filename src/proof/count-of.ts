import { formatInteger } from "#ui/format-integer.ts";

/** Returns a number with its noun: 1 entry, 12 entries. */
export function countOf(count: number, singular: string, plural = `${singular}s`): string {
  return `${formatInteger(count)} ${count === 1 ? singular : plural}`;
}
