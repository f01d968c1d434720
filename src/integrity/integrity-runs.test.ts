import { expect, it } from "vitest";
import { pool } from "#platform/database.server.ts";
import { checkAllInvariants } from "./integrity-runs.server.ts";

it("raises the statement timeout for the check and resets it on the connection", async () => {
  const readStatementTimeout = async () =>
    (await pool().query("show statement_timeout")).rows[0].statement_timeout;
  const timeoutBefore = await readStatementTimeout();
  await checkAllInvariants.run({}, { isLast: true });
  // The pool has opened one connection so far, so the check used this one.
  expect(pool().totalCount).toBe(1);
  expect(await readStatementTimeout()).toBe(timeoutBefore);
});
