import { expect } from "vitest";
import { runIntegrityChecks } from "#integrity/integrity.server.ts";
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
