import { randomUUID } from "node:crypto";
import { Client } from "pg";
import { inject } from "vitest";

export type TestDatabase = { url: string; drop(): Promise<void> };

/**
 * Creates a database with the migrated schema, a copy of the template of this run. Each test file
 * already has one, in DATABASE_URL.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const owner = inject("databaseUrl");
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await run(owner, `create database ${name} template ${inject("template")} strategy file_copy`);
  const url = new URL(owner);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: () => run(owner, `drop database if exists ${name} with (force)`),
  };
}

async function run(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
