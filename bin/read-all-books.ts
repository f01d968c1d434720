import { runIntegrityChecks } from "#integrity/integrity.server.ts";
import { now } from "#platform/clock.server.ts";
import { closeDatabase, pool } from "#platform/database.server.ts";

/** Reads every invariant of the books: how many there are, and those that do not hold. */
export async function readAllBooks(): ReturnType<typeof runIntegrityChecks> {
  const client = await pool().connect();
  try {
    // Reading everything takes as long as there is much; the operator waits for it.
    await client.query("set statement_timeout = 0");
    return await runIntegrityChecks(client, { at: now() });
  } finally {
    client.release();
    await closeDatabase();
  }
}
