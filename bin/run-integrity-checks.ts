import { now } from "#platform/clock.server.ts";
import { closeDatabase, pool } from "#platform/database.server.ts";
import { runIntegrityChecks } from "#platform/integrity/integrity.server.ts";

/** Checks every invariant. Returns their number and the failures. */
export async function runAllIntegrityChecks(): ReturnType<typeof runIntegrityChecks> {
  const client = await pool().connect();
  try {
    // Disables the statement timeout, because a full check of much data takes minutes.
    await client.query("set statement_timeout = 0");
    return await runIntegrityChecks(client, { at: now() });
  } finally {
    client.release();
    await closeDatabase();
  }
}
