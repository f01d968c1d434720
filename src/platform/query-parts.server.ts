/**
 * Puts a query together whose conditions depend on what was asked for. It is sent unprepared, so that
 * the plan fits the values: what finds few rows is looked up, what finds many is walked in order.
 */
export function queryParts() {
  const values: unknown[] = [];
  const conditions: string[] = [];
  return {
    values,
    /** Takes a value in and answers its place in the text: $1, $2, … */
    place(value: unknown): string {
      values.push(value);
      return `$${values.length}`;
    },
    /** Adds a condition that every row has to meet. */
    meet(condition: string): void {
      conditions.push(condition);
    },
    /** The conditions as they stand in the text. */
    where(): string {
      return conditions.length > 0 ? `where ${conditions.join(" and ")}` : "";
    },
  };
}

/**
 * What someone typed into a search box as a tsquery: each word may be the beginning of one. Null when
 * there is no word in it. It goes with to_tsvector('simple', …) and has to be cast, never parsed.
 */
export function fullTextQuery(search: string | null | undefined): string | null {
  const words = (search ?? "")
    .normalize("NFC")
    .toLowerCase()
    .split(/\s+/)
    .map((word) => word.replace(/[^\p{L}\p{N}@._+-]/gu, ""))
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
    .slice(0, 6);
  return words.length > 0 ? words.map((word) => `'${word}':*`).join(" & ") : null;
}

/** Text as the beginning of what `like` finds, with its wildcards meaning themselves. */
export function likePrefix(text: string): string {
  return `${text.replace(/[\\%_]/g, "\\$&")}%`;
}
