export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/**
 * Returns the JSON of a value with sorted keys and without spaces, as RFC 8785 writes it. Numbers must be integers
 * and keys ASCII, for which `JSON.stringify` and RFC 8785 agree.
 */
export function toCanonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(toCanonicalJson).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const members = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${toCanonicalJson(member)}`);
  return `{${members.join(",")}}`;
}
