/**
 * Builds a query whose conditions depend on its filters. It is not a prepared statement, so that
 * the plan fits the values: selective filters use an index lookup, others an ordered scan.
 */
export function createQueryParts() {
  const values: unknown[] = [];
  const conditions: string[] = [];
  return {
    values,
    /** Adds a value and returns its placeholder: $1, $2, … */
    bind(value: unknown): string {
      values.push(value);
      return `$${values.length}`;
    },
    /** Adds a condition that every row must meet. */
    addCondition(condition: string): void {
      conditions.push(condition);
    },
    /** Returns the WHERE clause, or an empty string without conditions. */
    where(): string {
      return conditions.length > 0 ? `where ${conditions.join(" and ")}` : "";
    },
  };
}

/** The part of a search text that is used. Applied first: normalising takes quadratic time. */
const MAX_SEARCH_LENGTH = 200;

/**
 * Converts a search text to a tsquery that matches words by prefix; null when it contains no word.
 * Use it with to_tsvector('simple', …) and a cast, not with to_tsquery.
 */
export function fullTextQuery(search: string | null | undefined): string | null {
  const words = (search ?? "")
    .slice(0, MAX_SEARCH_LENGTH)
    .normalize("NFC")
    .toLowerCase()
    .split(/\s+/)
    .map((word) => word.replace(/[^\p{L}\p{N}@._+-]/gu, ""))
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
    .slice(0, 6);
  return words.length > 0 ? words.map((word) => `'${word}':*`).join(" & ") : null;
}

/** Returns a LIKE pattern for texts that start with `text`, with its wildcards escaped. */
export function likePrefix(text: string): string {
  return `${text.replace(/[\\%_]/g, "\\$&")}%`;
}
