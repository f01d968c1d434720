import { raiseAlert } from "#platform/alerts.server.ts";
import { now } from "#platform/clock.server.ts";
import { pool } from "#platform/database.server.ts";
import type { Job } from "#platform/queue.server.ts";
import { runIntegrityChecks } from "./run-integrity-checks.server.ts";

/** Overlap with the previous check, to include transactions that were open during it. */
const OVERLAP_MS = 2 * 60_000;

const STATEMENT_TIMEOUT_MS = 60 * 60_000;

/** How long a run is kept: long enough to see when a failure began. */
const KEPT_MS = 7 * 24 * 60 * 60_000;

async function runAndRecordChecks(scope: "recent" | "full"): Promise<void> {
  const at = now();
  const client = await pool().connect();
  try {
    // Raises the statement timeout, because the duration of a full check grows with the data and no
    // request waits for it.
    await client.query(`set statement_timeout = ${STATEMENT_TIMEOUT_MS}`);
    const { rows } = await client.query<{ checked_at: Date }>(
      "select checked_at from integrity_checks order by id desc limit 1",
    );
    const last = rows[0]?.checked_at;
    const since = scope === "recent" && last ? new Date(last.getTime() - OVERLAP_MS) : null;
    const { failures } = await runIntegrityChecks(client, { since, at });
    await client.query(
      "insert into integrity_checks (scope, checked_since, checked_at, failures) values ($1, $2, $3, $4)",
      [scope, since, at, JSON.stringify(failures)],
    );
    if (scope === "full")
      await client.query("delete from integrity_checks where checked_at < $1", [
        new Date(at.getTime() - KEPT_MS),
      ]);
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

/** Checks the rows since the last check, every minute. */
export const checkRecentInvariants: Job = {
  name: "check-recent-invariants",
  schedule: "* * * * *",
  run: () => runAndRecordChecks("recent"),
};

/** Checks all rows, every night, and deletes the runs of more than a week ago. */
export const checkAllInvariants: Job = {
  name: "check-all-invariants",
  schedule: "10 3 * * *",
  expireInSeconds: 4 * 60 * 60,
  run: () => runAndRecordChecks("full"),
};

/** A run of the integrity checks, with the invariants that failed. */
export type IntegrityCheckRun = {
  scope: "recent" | "full";
  checkedAt: Date;
  failures: { invariant: string; statement: string; rows: number }[];
};

export type LastChecks = {
  last: IntegrityCheckRun | null;
  lastFull: IntegrityCheckRun | null;
  /** The failures of either, each invariant once. */
  failures: IntegrityCheckRun["failures"];
};

/**
 * Returns the last integrity check and the last full one; null before the first. A failure of the full one counts until
 * the next full one, because recent checks do not read the older rows.
 */
export async function readLastChecks(): Promise<LastChecks> {
  const [last, lastFull] = await Promise.all([
    readNewestRun("true"),
    readNewestRun("scope = 'full'"),
  ]);
  const failures = new Map(
    [last, lastFull]
      .flatMap((run) => run?.failures ?? [])
      .map((failure) => [failure.invariant, failure]),
  );
  return { last, lastFull, failures: [...failures.values()] };
}

async function readNewestRun(
  condition: "true" | "scope = 'full'",
): Promise<IntegrityCheckRun | null> {
  const { rows } = await pool().query<IntegrityCheckRun>(
    `select scope, checked_at as "checkedAt",
       coalesce((select jsonb_agg(jsonb_build_object('invariant', f ->> 'invariant',
           'statement', f ->> 'statement', 'rows', jsonb_array_length(f -> 'rows')))
         from jsonb_array_elements(failures) f), '[]') as failures
     from integrity_checks where ${condition} order by id desc limit 1`,
  );
  return rows[0] ?? null;
}
