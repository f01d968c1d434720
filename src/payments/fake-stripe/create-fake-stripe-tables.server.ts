import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Client } from "pg";

/**
 * Creates the tables of the fake payment provider, as the owner of the schema. Does nothing when they exist.
 * Only the demo calls it: production has no such tables.
 */
export async function createFakeStripeTables(owner: Client): Promise<void> {
  await owner.query(await readFile(join(process.cwd(), "db/fake-stripe.sql"), "utf8"));
}
