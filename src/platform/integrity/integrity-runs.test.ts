import { afterEach, expect, it } from "vitest";
import { freezeClock, now } from "#platform/clock.server.ts";
import { pool } from "#platform/database.server.ts";
import { makeUser } from "#test/factories.ts";
import {
  checkAllInvariants,
  checkRecentInvariants,
  readLastChecks,
} from "./integrity-runs.server.ts";

afterEach(() => freezeClock(null));

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

it("keeps the runs of a week, and deletes older ones at the next check of all rows", async () => {
  await pool().query("delete from integrity_checks");
  const at = now();
  const daysAgo = (days: number) => new Date(at.getTime() - days * 24 * 60 * 60_000);
  for (const days of [400, 8, 6])
    await pool().query(
      "insert into integrity_checks (scope, checked_at, failures) values ('recent', $1, '[]')",
      [daysAgo(days)],
    );
  const listTimes = async () =>
    (await pool().query("select checked_at from integrity_checks order by checked_at")).rows.map(
      (row) => row.checked_at,
    );
  freezeClock(at);
  await checkRecentInvariants.run({}, { isLast: true });
  expect(await listTimes()).toEqual([daysAgo(400), daysAgo(8), daysAgo(6), at]);
  await checkAllInvariants.run({}, { isLast: true });
  expect(await listTimes()).toEqual([daysAgo(6), at, at]);
});
