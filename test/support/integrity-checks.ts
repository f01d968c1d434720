import type { Client } from "pg";
import { expect } from "vitest";
import { runIntegrityChecks } from "#integrity/integrity.server.ts";
import { checkInvariants } from "#integrity/run-integrity-checks.server.ts";
import { now } from "#platform/clock.server.ts";
import { pool } from "#platform/database.server.ts";

/** Expects every invariant to hold. */
export async function expectInvariantsToHold(): Promise<void> {
  const client = await pool().connect();
  try {
    const { failures } = await runIntegrityChecks(client, { at: now() });
    expect(failures).toEqual([]);
  } finally {
    client.release();
  }
}

/**
 * Runs the statements of `corrupt` and returns the invariants that a full check and a check of the last hour
 * report as violated. Rolls the statements back.
 */
export async function listViolations(
  client: Client,
  corrupt: () => readonly string[],
): Promise<[full: string[], recent: string[]]> {
  const listSince = async (since: Date | null) => {
    await client.query("begin");
    try {
      for (const statement of corrupt()) await client.query(statement);
      const { failures } = await checkInvariants(client, { since, at: now() });
      return failures.map((failure) => failure.invariant);
    } finally {
      await client.query("rollback");
    }
  };
  return [await listSince(null), await listSince(new Date(now().getTime() - 60 * 60_000))];
}
