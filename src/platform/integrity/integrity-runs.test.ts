import { expect, it } from "vitest";
import { pool } from "#platform/database.server.ts";
import { makeUser } from "#test/factories.ts";
import { checkAllInvariants, readLastChecks } from "./integrity-runs.server.ts";

it("raises the statement timeout for the check and resets it on the connection", async () => {
  const readStatementTimeout = async () =>
    (await pool().query("show statement_timeout")).rows[0].statement_timeout;
  const timeoutBefore = await readStatementTimeout();
  await checkAllInvariants.run({}, { isLast: true });
  // The pool has opened one connection so far, so the check used this one.
  expect(pool().totalCount).toBe(1);
  expect(await readStatementTimeout()).toBe(timeoutBefore);
});

it("checks the other invariants when the query of one fails, and reports that one", async () => {
  const { id } = await makeUser();
  await pool().query("update users set email = $2 where id = $1", [id, `${id}@closed.invalid`]);
  await pool().query("alter table late_holds rename to hidden_late_holds");
  try {
    await checkAllInvariants.run({}, { isLast: true });
  } finally {
    await pool().query("alter table hidden_late_holds rename to late_holds");
  }
  const { lastFull } = await readLastChecks();
  expect(lastFull?.failures.map(({ invariant }) => invariant)).toEqual([
    "31-disputed-earnings-are-not-paid",
    "32-closed-accounts-are-empty",
  ]);
});
