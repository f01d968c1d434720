import { expect, test } from "vitest";
import { pool } from "./database.server.ts";
import { createQueryParts, fullTextQuery, likePrefix } from "./query-parts.server.ts";

test("numbers placeholders in the order in which values are bound", () => {
  const { bind, addCondition, where, values } = createQueryParts();
  addCondition(`a = ${bind(1)}`);
  addCondition(`b > ${bind("x")}`);
  expect(where()).toBe("where a = $1 and b > $2");
  expect(values).toEqual([1, "x"]);
});

test("returns an empty WHERE clause without conditions", () => {
  expect(createQueryParts().where()).toBe("");
});

test.each([
  ["Thandi", "'thandi':*"],
  ["  thandi   mok ", "'thandi':* & 'mok':*"],
  ["thandi@exam", "'thandi@exam':*"],
  ["O'Brien", "'obrien':*"],
  ["', ':* | '", null],
  ["", null],
  [null, null],
])("converts the search text %j to the tsquery %j", (search, expected) => {
  expect(fullTextQuery(search)).toBe(expected);
});

test.each([
  ["Thandi", "'thandi':*"],
  ["O'Brien", "'obrien':*"],
  ["a\\' | 'b", "'a':* & 'b':*"],
  ["100% !(x) & y", "'100':* & 'x':* & 'y':*"],
  ["é:*", "'é':*"],
  ["a:ABCD <-> b", "'aabcd':* & 'b':*"],
])(
  "PostgreSQL parses the tsquery for %j as words that must all occur",
  async (search, expected) => {
    const { rows } = await pool().query("select $1::tsquery::text as query", [
      fullTextQuery(search),
    ]);
    expect(rows[0].query).toBe(expected);
  },
);

test.each(["--;", "' | '", "!()&|:*<->\\", " \t\n"])("finds no word in %j", (search) => {
  expect(fullTextQuery(search)).toBeNull();
});

test("uses the first six words only", () => {
  expect(fullTextQuery("a b c d e f g")).toBe("'a':* & 'b':* & 'c':* & 'd':* & 'e':* & 'f':*");
});

test("matches names and email addresses by the prefix of every word", async () => {
  const { rows } = await pool().query(
    "select to_tsvector('simple', 'Thandi Mokoena thandi.m@example.test') @@ $1::tsquery as found",
    [fullTextQuery("mok thandi.m@ex")],
  );
  expect(rows[0].found).toBe(true);
  const { rows: otherRows } = await pool().query(
    "select to_tsvector('simple', 'Thandi Mokoena thandi.m@example.test') @@ $1::tsquery as found",
    [fullTextQuery("mok johan")],
  );
  expect(otherRows[0].found).toBe(false);
});

test("escapes the wildcards of LIKE", () => {
  expect(likePrefix("a_b%c\\d")).toBe("a\\_b\\%c\\\\d%");
});
