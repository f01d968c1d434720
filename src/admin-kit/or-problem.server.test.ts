import { expect, it } from "vitest";
import { pool } from "#platform/database.server.ts";
import { orProblem, SALES_WORDS, TIPS_WORDS, VENUES_WORDS } from "./or-problem.server.ts";

it("says which table is missing, and which command brings it", async () => {
  for (const [words, table] of [
    [SALES_WORDS, "Database table 'coin_purchases' not found."],
    [VENUES_WORDS, "Venues table not found."],
    [TIPS_WORDS, "Tips table not found."],
  ] as const)
    expect((await orProblem(pool().query("select 1 from no_such_table"), words)).problem).toMatch(
      new RegExp(`^${table.replaceAll(".", "\\.")} Please run npm start`),
    );
});

it("passes on what the database says", async () => {
  const failing = () => pool().query("select 1 / 0");
  expect((await orProblem(failing(), SALES_WORDS)).problem).toBe(
    "Database error: division by zero",
  );
  expect((await orProblem(failing(), VENUES_WORDS)).problem).toBe(
    "Failed to load venues: division by zero",
  );
});

it("leads to the console where nobody knows what happened", async () => {
  const failing = () => Promise.reject(new Error("odd"));
  expect((await orProblem(failing(), SALES_WORDS)).problem).toBe(
    "Failed to load sales data. Please check the console for details.",
  );
  expect((await orProblem(failing(), VENUES_WORDS)).problem).toBe(
    "Failed to load venues. Please check the console for details.",
  );
});
