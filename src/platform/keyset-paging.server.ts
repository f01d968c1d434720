import { type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { isId } from "#domain/id.ts";

// Keyset paging: a cursor identifies the last row of a page, and the next page starts after it. A
// list whose cursor is missing or malformed starts at the beginning.

/** A sort order of a list whose rows `key` identifies, with the comparison that finds later rows. */
export type SortOrder = { orderBy: string; key: string; comparison: "<" | ">" };

/** Returns the ascending order by SQL columns or expressions, the last of which must be unique. */
export function ascending(...columns: string[]): SortOrder {
  const key = columns.join(", ");
  return { orderBy: key, key, comparison: ">" };
}

/** Returns the descending order by SQL columns or expressions, the last of which must be unique. */
export function descending(...columns: string[]): SortOrder {
  return {
    orderBy: columns.map((column) => `${column} desc`).join(", "),
    key: columns.join(", "),
    comparison: "<",
  };
}

/**
 * Adds the condition that rows come after the one whose id is the cursor. `from` is the FROM clause
 * that contains the columns of the order, and `idColumn` the column of the id in it.
 */
export function addCursor(
  query: { bind(value: unknown): string; addCondition(condition: string): void },
  { key, comparison }: SortOrder,
  cursor: string | null | undefined,
  { from, idColumn }: { from: string; idColumn: string },
): void {
  if (cursor && isId(cursor))
    query.addCondition(
      `(${key}) ${comparison} (select ${key} from ${from} where ${idColumn} = ${query.bind(cursor)})`,
    );
}

/**
 * Returns the condition of `addCursor` for the query builder: rows after the one whose id is the cursor,
 * sorted by an instant and the id of one table.
 */
export function isAfterCursor(
  instant: PgColumn,
  id: PgColumn,
  cursor: string | null | undefined,
  order: "newest" | "oldest" = "newest",
): SQL | undefined {
  if (!cursor || !isId(cursor)) return undefined;
  const comparison = sql.raw(order === "newest" ? "<" : ">");
  return sql`(${instant}, ${id}) ${comparison} (select ${instant}, ${id} from ${id.table} where ${id} = ${cursor})`;
}

/**
 * Splits the rows of a query with `limit + 1` into the page and the cursor of the next page, which
 * is null on the last page.
 */
export function toPage<Row, Cursor>(
  rows: Row[],
  limit: number,
  getCursor: (row: Row) => Cursor,
): { page: Row[]; next: Cursor | null } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { page, next: last !== undefined && rows.length > limit ? getCursor(last) : null };
}

/** Formats the sort key of a row as a cursor for a URL, for a list that is not sorted by one table. */
export function formatCursor(...parts: (string | number)[]): string {
  return parts.join("_");
}

/** Parses a cursor by one function for each part. Returns null if it is missing or malformed. */
export function parseCursor<Parts extends unknown[]>(
  text: string | null | undefined,
  ...parsers: { [Index in keyof Parts]: (part: string) => Parts[Index] | null }
): Parts | null {
  const parts = text?.split("_") ?? [];
  if (parts.length !== parsers.length) return null;
  const values = parsers.map((parse, index) => parse(parts[index] ?? ""));
  return values.includes(null) ? null : (values as Parts);
}

/** Parses an id of a cursor. */
export function parseIdPart(part: string): string | null {
  return isId(part) ? part : null;
}

/** Returns the parser for a non-negative integer of a cursor with at most `maxDigits` digits. */
export function parseIntegerPart(maxDigits: number): (part: string) => number | null {
  return (part) => (/^\d+$/.test(part) && part.length <= maxDigits ? Number(part) : null);
}
