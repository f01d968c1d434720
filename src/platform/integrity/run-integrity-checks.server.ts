import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type pg from "pg";
import { isDatabaseLost } from "#platform/database.server.ts";
import { redactError } from "#platform/redact-error.server.ts";

/** A violated invariant, with the rows that violate it. */
export type IntegrityFailure = {
  invariant: string;
  statement: string;
  rows: Record<string, unknown>[];
};

const FOLDER = "db/invariants";
const MAX_ROWS = 20;

/**
 * Checks every invariant in one snapshot, for all rows or for rows changed since an instant. Returns the
 * violated invariants, each with up to twenty rows.
 */
export async function runIntegrityChecks(
  client: pg.ClientBase,
  { since = null, at }: { since?: Date | null; at: Date },
): Promise<{ invariants: number; failures: IntegrityFailure[] }> {
  await client.query("begin transaction isolation level repeatable read read only");
  try {
    return await checkInvariants(client, { since, at });
  } finally {
    await client.query("rollback");
  }
}

/** Checks every invariant inside the client's current transaction. */
export async function checkInvariants(
  client: pg.ClientBase,
  { since = null, at }: { since?: Date | null; at: Date },
): Promise<{ invariants: number; failures: IntegrityFailure[] }> {
  const files = (await readdir(FOLDER)).filter((file) => file.endsWith(".sql")).sort();
  const failures: IntegrityFailure[] = [];
  await client.query("savepoint invariant");
  for (const file of files) {
    const failure = await checkInvariant(client, file.replace(/\.sql$/, ""), { since, at });
    if (failure) failures.push(failure);
  }
  return { invariants: files.length, failures };
}

/**
 * Checks one invariant inside the client's current transaction, which has a savepoint named `invariant`. Returns null
 * when it holds.
 */
export async function checkInvariant(
  client: pg.ClientBase,
  invariant: string,
  { since, at }: { since: Date | null; at: Date },
): Promise<IntegrityFailure | null> {
  const sql = await readFile(join(FOLDER, `${invariant}.sql`), "utf8");
  const rows = await listViolations(client, sql, buildParameters(sql, since, at));
  if (rows.length === 0) return null;
  return { invariant, statement: readStatement(sql), rows: rows.slice(0, MAX_ROWS) };
}

/**
 * Returns the rows that violate an invariant. A query that fails counts as violated, and the savepoint is restored,
 * so that the invariants after it are still checked.
 */
async function listViolations(client: pg.ClientBase, sql: string, parameters: unknown[]) {
  try {
    return (await client.query(sql, parameters)).rows;
  } catch (error) {
    if (isDatabaseLost(error)) throw error;
    await client.query("rollback to savepoint invariant");
    return [{ error: redactError(error).split("\n")[0] }];
  }
}

/**
 * Returns the parameters that a query uses: $1 is the start of the checked period, $2 the current
 * time.
 */
function buildParameters(sql: string, since: Date | null, at: Date): unknown[] {
  const start = since ? since.toISOString() : "-infinity";
  if (sql.includes("$2")) return [start, at.toISOString()];
  return sql.includes("$1") ? [start] : [];
}

/** Returns the comment at the top of the file, which states the invariant. */
function readStatement(sql: string): string {
  const lines = sql.split("\n");
  const end = lines.findIndex((line) => !line.startsWith("--"));
  return lines
    .slice(0, end)
    .map((line) => line.replace(/^-- ?/, ""))
    .join(" ");
}
