import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { jobs } from "#jobs.server.ts";
import { closeDatabase, pool } from "#platform/database.server.ts";
import { prepareSchema } from "#platform/postgres/prepare-schema.server.ts";
import { publishRaceCard } from "#test/factories.ts";
import { makeTwoRoleDatabase, type TwoRoleDatabase } from "#test/two-roles.ts";
import { appendToLog } from "./append-to-log.server.ts";
import { startLog } from "./start-log.server.ts";

let roles: TwoRoleDatabase;

beforeAll(async () => {
  roles = await makeTwoRoleDatabase(inject("superuserUrl"));
  // Must be set before the environment is read: the log is written by the application's own role.
  process.env.DATABASE_URL = roles.applicationUrl;
  await prepareSchema({ ...roles, jobs: jobs() });
});
afterAll(async () => {
  await closeDatabase();
  await roles.drop();
});

it("lets the application role start the log and append to it, but not change it", async () => {
  await startLog();
  await startLog();
  await publishRaceCard({ races: [1, 2] });
  expect(await appendToLog()).toBeGreaterThan(3);
  for (const statement of [
    "insert into proof_entries (entry_index, body, appended_at) values (99, '{}', now())",
    "update proof_entries set body = '{}'",
    "delete from proof_checkpoints",
    "update proof_logs set unconfirmed_since = now()",
    "delete from proof_signing_keys",
  ])
    await expect(pool().query(statement), statement).rejects.toThrow("permission denied");
});
