import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Client } from "pg";
import { listFakeProviders } from "./fake-providers.server.ts";

/**
 * Creates the tables of the fake payment providers, as the owner of the schema. Does nothing when they exist.
 * Only the demo has fakes: production has no such tables.
 */
export async function createFakeTables(owner: Client): Promise<void> {
  for (const { tablesFile } of listFakeProviders())
    await owner.query(await readFile(join(process.cwd(), "db", tablesFile), "utf8"));
}
