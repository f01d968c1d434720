import { expect, test } from "vitest";
import { pool } from "./database.server.ts";
import { queryParts, startingWith, wordsQuery } from "./query-parts.server.ts";

test("values stand in the text as their places, in the order they came", () => {
  const { place, meet, where, values } = queryParts();
  meet(`a = ${place(1)}`);
  meet(`b > ${place("x")}`);
  expect(where()).toBe("where a = $1 and b > $2");
  expect(values).toEqual([1, "x"]);
});

test("without a condition there is no where", () => {
  expect(queryParts().where()).toBe("");
});

test.each([
  ["Thandi", "'thandi':*"],
  ["  thandi   mok ", "'thandi':* & 'mok':*"],
  ["thandi@exam", "'thandi@exam':*"],
  ["O'Brien", "'obrien':*"],
  ["', ':* | '", null],
  ["", null],
  [null, null],
])("%j is searched for as %j", (typed, query) => {
  expect(wordsQuery(typed)).toBe(query);
});

test.each(["Thandi", "O'Brien", "a\\' | 'b", "100% !(x) & y", "é:*", "--;"])(
  "%j is words to the database, whatever it holds",
  async (typed) => {
    const query = wordsQuery(typed);
    if (query) await pool().query("select to_tsvector('simple', '') @@ $1::tsquery", [query]);
  },
);

test("words find the beginnings of names and addresses", async () => {
  const { rows } = await pool().query(
    "select to_tsvector('simple', 'Thandi Mokoena thandi.m@example.test') @@ $1::tsquery as found",
    [wordsQuery("mok thandi.m@ex")],
  );
  expect(rows[0].found).toBe(true);
});

test("wildcards mean themselves", () => {
  expect(startingWith("a_b%c\\d")).toBe("a\\_b\\%c\\\\d%");
});
