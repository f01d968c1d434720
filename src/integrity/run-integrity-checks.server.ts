import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type pg from "pg";

/** An invariant that does not hold, with the rows that violate it. */
export type IntegrityFailure = {
  invariant: string;
  statement: string;
  rows: Record<string, unknown>[];
};

const FOLDER = "db/invariants";
const MAX_ROWS = 20;

/**
 * Checks every invariant inside one snapshot, for all rows or for those since an instant. Returns
 * the invariants that do not hold, each with up to twenty violating rows.
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
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith(".sql")).sort();
  const failures: IntegrityFailure[] = [];
  for (const name of names) {
    const text = await readFile(join(FOLDER, name), "utf8");
    const { rows } = await client.query(text, parameters(text, since, at));
    if (rows.length > 0)
      failures.push({
        invariant: name.replace(/\.sql$/, ""),
        statement: statementOf(text),
        rows: rows.slice(0, MAX_ROWS),
      });
  }
  return { invariants: names.length, failures };
}

/**
 * Returns the parameters that a query uses: $1 is the start of the checked period, $2 the current
 * time.
 */
function parameters(text: string, since: Date | null, at: Date): unknown[] {
  const from = since ? since.toISOString() : "-infinity";
  if (text.includes("$2")) return [from, at.toISOString()];
  return text.includes("$1") ? [from] : [];
}

/** Returns the comment at the top of the file, which states the invariant. */
function statementOf(text: string): string {
  const lines = text.split("\n");
  const end = lines.findIndex((line) => !line.startsWith("--"));
  return lines
    .slice(0, end)
    .map((line) => line.replace(/^-- ?/, ""))
    .join(" ");
}
