import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type pg from "pg";

/** One of the things that are always true, and the rows that say otherwise. */
export type IntegrityFailure = {
  invariant: string;
  statement: string;
  rows: Record<string, unknown>[];
};

const FOLDER = "db/books";
const MAX_ROWS = 20;

/**
 * Reads every invariant of the books inside one snapshot: all of them, or as far as they concern what
 * came since an instant. Answers the ones that do not hold, with up to twenty of their rows.
 */
export async function runIntegrityChecks(
  client: pg.ClientBase,
  { since = null, at }: { since?: Date | null; at: Date },
): Promise<{ invariants: number; failures: IntegrityFailure[] }> {
  await client.query("begin transaction isolation level repeatable read read only");
  try {
    return await readInvariants(client, { since, at });
  } finally {
    await client.query("rollback");
  }
}

/** The same within whatever transaction the client is in. */
export async function readInvariants(
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

/** Every query takes since when it looks; those that need to know it take the present as well. */
function parameters(text: string, since: Date | null, at: Date): unknown[] {
  const from = since ? since.toISOString() : "-infinity";
  if (text.includes("$2")) return [from, at.toISOString()];
  return text.includes("$1") ? [from] : [];
}

/** The sentence at the head of the file. */
function statementOf(text: string): string {
  const lines = text.split("\n");
  const end = lines.findIndex((line) => !line.startsWith("--"));
  return lines
    .slice(0, end)
    .map((line) => line.replace(/^-- ?/, ""))
    .join(" ");
}
