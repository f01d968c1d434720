import { writeFileSync } from "node:fs";
import type { PoolClient } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pool } from "#platform/database.server.ts";
import {
  GUARD_CASES,
  GUARDED_TABLES,
  type GuardCase,
  isRaisedByGuard,
  makeGuardedRows,
} from "#test/guard-cases.ts";
import { UNREACHABLE_GUARDS } from "#test/unreachable-guards.ts";

type Guard = { name: string; table: string; kind: "constraint" | "index" | "trigger" };

/** Every check, unique constraint, unique index and trigger of the guarded tables. */
async function readGuards(): Promise<Guard[]> {
  const { rows } = await pool().query<Guard>(
    `select conname as name, conrelid::regclass::text as table, 'constraint' as kind
       from pg_constraint where contype in ('c', 'u') and conrelid::regclass::text = any ($1)
     union all
     select tgname, tgrelid::regclass::text, 'trigger' from pg_trigger
       where not tgisinternal and tgrelid::regclass::text = any ($1)
     union all
     select indexrelid::regclass::text, indrelid::regclass::text, 'index' from pg_index i
       where indisunique and indrelid::regclass::text = any ($1)
         and not exists (select from pg_constraint c where c.conindid = i.indexrelid)
     order by 2, 1`,
    [GUARDED_TABLES],
  );
  return rows;
}

/** Runs the statement, returns its error, and rolls everything back. */
async function catchError(client: PoolClient, guardCase: GuardCase): Promise<unknown> {
  await client.query("savepoint before");
  try {
    // Disables the table's other triggers, which would refuse the statement first.
    const isTrigger = guards.some(
      ({ name, kind }) => name === guardCase.guard && kind === "trigger",
    );
    if (!isTrigger) await client.query(`alter table ${guardCase.table} disable trigger user`);
    await client.query(guardCase.statement);
    return null;
  } catch (error) {
    return error;
  } finally {
    await client.query("rollback to savepoint before");
  }
}

let client: PoolClient;
let guards: Guard[];
const undetectedGuards = new Set<string>();
beforeAll(async () => {
  await makeGuardedRows();
  guards = await readGuards();
  client = await pool().connect();
  await client.query("begin");
});
afterAll(async () => {
  await client.query("rollback");
  client.release();
  // Used by `npm run mutants` to find guards that can be dropped unnoticed.
  const report = process.env.GUARDS_REPORT;
  const covered = new Set(GUARD_CASES.map((guardCase) => guardCase.guard));
  for (const { name } of guards)
    if (!covered.has(name) && !(name in UNREACHABLE_GUARDS)) undetectedGuards.add(name);
  if (report)
    writeFileSync(
      report,
      JSON.stringify({ guards: guards.map((guard) => guard.name), missed: [...undetectedGuards] }),
    );
});

describe("a schema guard", () => {
  it.each(
    GUARD_CASES.map((guardCase) => [guardCase.guard, guardCase.statement, guardCase] as const),
  )("%s alone refuses %s", async (name, _, guardCase) => {
    const guard = guards.find((candidate) => candidate.name === name);
    if (!guard) throw new Error(`there is no guard ${name} on ${guardCase.table}`);
    const error = await catchError(client, guardCase);
    expect(isRaisedByGuard(guardCase, error), String(error)).toBe(true);
    await client.query("savepoint dropped");
    await client.query(buildDropStatement(guard));
    const errorWithoutGuard = await catchError(client, guardCase);
    await client.query("rollback to savepoint dropped");
    if (isRaisedByGuard(guardCase, errorWithoutGuard)) undetectedGuards.add(name);
    expect(isRaisedByGuard(guardCase, errorWithoutGuard)).toBe(false);
  });
});

function buildDropStatement({ name, table, kind }: Guard): string {
  if (kind === "index") return `drop index ${name}`;
  if (kind === "trigger") return `drop trigger ${name} on ${table}`;
  return `alter table ${table} drop constraint ${name} cascade`;
}
