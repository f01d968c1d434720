import { getTableConfig, PgTable } from "drizzle-orm/pg-core";
import { describe, expect, it } from "vitest";
import { pool } from "#platform/database.server.ts";

const modules = import.meta.glob<Record<string, unknown>>("../src/**/tables.server.ts", {
  eager: true,
});
const tables = Object.values(modules)
  .flatMap((module) => Object.values(module))
  .filter((each) => each instanceof PgTable)
  .map((table) => getTableConfig(table));

describe("the Drizzle table definitions", () => {
  it("are found in the source", () => {
    expect(tables.length).toBeGreaterThan(25);
  });

  it.each(tables)(
    "$name matches the columns that the migrations created",
    async ({ name, columns }) => {
      const { rows } = await pool().query(
        `select column_name, is_nullable = 'NO' as not_null from information_schema.columns
       where table_schema = 'public' and table_name = $1 order by column_name`,
        [name],
      );
      const known = columns
        .map((column) => ({ column_name: column.name, not_null: column.notNull }))
        .sort((a, b) => (a.column_name < b.column_name ? -1 : 1));
      expect(known).toEqual(rows);
    },
  );
});
