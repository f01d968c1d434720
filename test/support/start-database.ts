import { Client } from "pg";
import type { TestProject } from "vitest/node";
import { jobs } from "#jobs.server.ts";
import { createFakeTables } from "#payments/payments.server.ts";
import { startEmbeddedPostgres } from "#platform/postgres/embedded-postgres.server.ts";
import { prepareSchema } from "#platform/postgres/prepare-schema.server.ts";
import { makeDataFolder } from "./data-folder.ts";
import { startTestClock } from "./test-clock.ts";

declare module "vitest" {
  interface ProvidedContext {
    databaseUrl: string;
    /** The same server as its superuser. */
    superuserUrl: string;
    template: string;
    dataDir: string;
  }
}

/** Starts one PostgreSQL for the run with the template database that test files copy. */
export default async function startDatabase(project: TestProject) {
  startTestClock();
  const { dataDir, remove } = await makeDataFolder();
  // Must be set before jobs(), which reads the environment: its secret is stored in this folder.
  process.env.DATA_DIR = dataDir;
  const postgres = await startEmbeddedPostgres({ dataDir, durable: false });
  const template = "furlong_template";
  const client = new Client({ connectionString: postgres.url });
  await client.connect();
  await client.query(`create database ${template}`);
  await client.end();

  const url = new URL(postgres.url);
  url.pathname = `/${template}`;
  await prepareSchema({
    ownerUrl: url.href,
    applicationUrl: url.href,
    jobs: jobs(),
    // Tests pay through the fake provider.
    createDemoTables: createFakeTables,
  });

  project.provide("databaseUrl", postgres.url);
  project.provide("superuserUrl", postgres.superuserUrl);
  project.provide("template", template);
  project.provide("dataDir", dataDir);
  return remove;
}
