import type { ClientBase } from "pg";
import { expect } from "vitest";
import { now } from "#platform/clock.server.ts";
import { pool } from "#platform/database.server.ts";
import {
  checkInvariant,
  checkInvariants,
} from "#platform/integrity/run-integrity-checks.server.ts";

/** Expects every invariant to hold. */
export async function expectInvariantsToHold(): Promise<void> {
  const client = await pool().connect();
  try {
    await client.query("begin transaction isolation level repeatable read read only");
    await client.query("set local plan_cache_mode = force_generic_plan");
    const { failures } = await checkInvariants(prepareEach(client), { at: now() });
    expect(failures).toEqual([]);
  } finally {
    await client.query("rollback");
    client.release();
  }
}

const statementNames = new Map<string, string>();

/**
 * Returns a client that prepares each statement once per connection. Parsing and planning the invariants takes most of
 * the time of a check of few rows.
 */
function prepareEach(client: ClientBase): ClientBase {
  const query = (text: string, values: unknown[] = []) => {
    const name = statementNames.get(text) ?? `invariant_${statementNames.size}`;
    statementNames.set(text, name);
    return client.query({ name, text, values });
  };
  return Object.assign(Object.create(client), { query });
}

/**
 * Runs the statements of `corrupt` and returns the invariants that a full check and a check of the last hour
 * report as violated. Checks the invariants in `only`, by default all. Rolls the statements back.
 */
export async function listViolations(
  client: ClientBase,
  corrupt: () => readonly string[],
  only?: readonly string[],
): Promise<[full: string[], recent: string[]]> {
  const check = async (since: Date | null) => {
    const options = { since, at: now() };
    if (!only) return (await checkInvariants(client, options)).failures;
    await client.query("savepoint invariant");
    const failures = [];
    for (const name of only) failures.push(await checkInvariant(client, name, options));
    return failures.filter((failure) => failure !== null);
  };
  const listSince = async (since: Date | null) => {
    await client.query("begin");
    try {
      for (const statement of corrupt()) await client.query(statement);
      return (await check(since)).map((failure) => failure.invariant);
    } finally {
      await client.query("rollback");
    }
  };
  return [await listSince(null), await listSince(new Date(now().getTime() - 60 * 60_000))];
}
