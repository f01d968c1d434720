import { raiseAlert } from "#platform/alerts.server.ts";
import { now } from "#platform/clock.server.ts";
import { pool } from "#platform/database.server.ts";
import type { Job } from "#platform/queue.server.ts";
import { runIntegrityChecks } from "./run-integrity-checks.server.ts";

/** So much is read again each time: what was still being written when the last check looked. */
const OVERLAP_MS = 2 * 60_000;

const MAX_STATEMENT_MS = 60 * 60_000;

async function check(scope: "recent" | "full"): Promise<void> {
  const at = now();
  const client = await pool().connect();
  try {
    // Reading everything takes as long as there is much; nobody waits for it.
    await client.query(`set statement_timeout = ${MAX_STATEMENT_MS}`);
    const { rows } = await client.query<{ checked_at: Date }>(
      "select checked_at from books_checks order by id desc limit 1",
    );
    const last = rows[0]?.checked_at;
    const since = scope === "recent" && last ? new Date(last.getTime() - OVERLAP_MS) : null;
    const { failures } = await runIntegrityChecks(client, { since, at });
    await client.query(
      "insert into books_checks (scope, checked_since, checked_at, failures) values ($1, $2, $3, $4)",
      [scope, since, at, JSON.stringify(failures)],
    );
    for (const failure of failures)
      await raiseAlert({
        kind: "integrity",
        subject: failure.invariant,
        message: `${failure.statement} ${failure.rows.length} row(s) fail. Run npm run books to see them.`,
      });
  } finally {
    await client.query("reset statement_timeout").catch(() => {});
    client.release();
  }
}

/** Each minute, what came since the last check. */
export const checkRecentInvariants: Job = {
  name: "check-recent-books",
  schedule: "* * * * *",
  run: () => check("recent"),
};

/** Each night, everything. */
export const checkAllInvariants: Job = {
  name: "check-all-books",
  schedule: "10 3 * * *",
  run: () => check("full"),
};
