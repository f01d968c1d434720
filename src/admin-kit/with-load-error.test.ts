import { expect, it } from "vitest";
import { pool } from "#platform/database.server.ts";
import {
  SALES_ERROR_MESSAGES,
  TIPS_ERROR_MESSAGES,
  VENUES_ERROR_MESSAGES,
  withLoadError,
} from "./with-load-error.server.ts";

it("names the missing table and the command that creates it", async () => {
  for (const [words, table] of [
    [SALES_ERROR_MESSAGES, "Database table 'coin_purchases' not found."],
    [VENUES_ERROR_MESSAGES, "Venues table not found."],
    [TIPS_ERROR_MESSAGES, "Tips table not found."],
  ] as const)
    expect(
      (await withLoadError(pool().query("select 1 from no_such_table"), words)).errorMessage,
    ).toMatch(new RegExp(`^${table.replaceAll(".", "\\.")} Please run npm start`));
});

it("returns the message of a database error", async () => {
  const failing = () => pool().query("select 1 / 0");
  expect((await withLoadError(failing(), SALES_ERROR_MESSAGES)).errorMessage).toBe(
    "Database error: division by zero",
  );
  expect((await withLoadError(failing(), VENUES_ERROR_MESSAGES)).errorMessage).toBe(
    "Failed to load venues: division by zero",
  );
});

it("refers to the console for an unknown error", async () => {
  const failing = () => Promise.reject(new Error("odd"));
  expect((await withLoadError(failing(), SALES_ERROR_MESSAGES)).errorMessage).toBe(
    "Failed to load sales data. Please check the console for details.",
  );
  expect((await withLoadError(failing(), VENUES_ERROR_MESSAGES)).errorMessage).toBe(
    "Failed to load venues. Please check the console for details.",
  );
});
