import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { runNode } from "#bin/run-node.ts";
import { makeTwoRoleDatabase, runQuery, type TwoRoleDatabase } from "#test/two-roles.ts";

// A database with separate owner and application roles, as docs/operations.md creates them.
// pg_restore may be missing here or older than the server: a script replaces it and creates the
// schema as the role of the given connection URL.

let roles: TwoRoleDatabase;
let folder: string;

const PG_RESTORE = `#!${process.execPath}
const { readdirSync, readFileSync } = require("node:fs");
const { Client } = require(${JSON.stringify(join(process.cwd(), "node_modules/pg"))});
const connectionString = process.argv.find((argument) => argument.startsWith("--dbname=")).slice(9);
const client = new Client({ connectionString });
(async () => {
  await client.connect();
  for (const name of readdirSync("db/migrations").sort())
    await client.query(readFileSync("db/migrations/" + name, "utf8"));
  await client.end();
})().catch((error) => { console.error(error.message); process.exit(1); });
`;

beforeAll(async () => {
  roles = await makeTwoRoleDatabase(inject("superuserUrl"));
  folder = mkdtempSync(join(tmpdir(), "furlong-restore-"));
  mkdirSync(join(folder, "bin"));
  // Otherwise a package.json further up would decide how Node reads the script.
  writeFileSync(join(folder, "package.json"), "{}");
  writeFileSync(join(folder, "bin/pg_restore"), PG_RESTORE);
  chmodSync(join(folder, "bin/pg_restore"), 0o755);
  writeFileSync(join(folder, "backup.json"), JSON.stringify({ kind: "dump" }));
});

afterAll(async () => {
  rmSync(folder, { recursive: true });
  await roles.drop();
});

const restore = () =>
  runNode(["bin/restore.ts", folder], {
    env: {
      ...process.env,
      PATH: [join(folder, "bin"), process.env.PATH].join(delimiter),
      DATA_DIR: join(folder, "data"),
      DATABASE_URL: roles.applicationUrl,
      MIGRATION_DATABASE_URL: roles.ownerUrl,
    },
    quiet: true,
  });

it("restores as the schema owner and checks integrity before it grants privileges", async () => {
  const { code, output } = await restore();
  expect(output).toMatch(/\d+ integrity checks run, 0 failed/);
  expect(code).toBe(0);
  const owners = "select distinct tableowner from pg_tables where schemaname = 'public'";
  expect(await runQuery(roles.ownerUrl, owners)).toEqual([
    { tableowner: new URL(roles.ownerUrl).username },
  ]);
});

it("refuses a database that is not empty, for either role", async () => {
  const { code, output } = await restore();
  expect([code, output]).toEqual([1, expect.stringContaining("The database is not empty")]);
});
