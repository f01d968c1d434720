import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { Client } from "pg";
import { afterAll, expect, inject, it } from "vitest";
import { jobs } from "#jobs.server.ts";
import { ENVIRONMENT_VARIABLES } from "#platform/env.server.ts";
import { prepareSchema } from "#platform/postgres/prepare-schema.server.ts";

/** Variables that the container image sets: listening address and data folder. */
const CONTAINER_VARIABLES = ["PORT", "HOST", "DATA_DIR"];

it("passes every variable to the container and documents it", () => {
  const variables = ENVIRONMENT_VARIABLES;
  expect(variables.length).toBeGreaterThan(20);
  const compose = readFileSync("compose.yaml", "utf8");
  const forwarded = [...compose.matchAll(/^ {6}([A-Z_]+): \$\{([A-Z_]+):-/gm)]
    .filter(([, containerName, hostName]) => containerName === hostName)
    .map(([, name]) => name);
  const readme = readFileSync("README.md", "utf8");
  for (const name of variables) {
    if (!CONTAINER_VARIABLES.includes(name)) expect(forwarded, name).toContain(name);
    expect(readme, name).toContain(`\`${name}\``);
  }
  for (const name of CONTAINER_VARIABLES) expect(forwarded).not.toContain(name);
});

const id = randomUUID().slice(0, 8);
const database = `compose_${id}`;
const PASSWORD = "it's a password";
const roles = { furlong_owner: `owner_${id}`, furlong_app: `app_${id}` };

/** Runs statements on the test server, as a role of the compose file or as the superuser. */
async function run(statements: string, role?: keyof typeof roles) {
  const client = new Client({ connectionString: createUrl(role) });
  await client.connect();
  try {
    return await client.query(statements);
  } finally {
    await client.end();
  }
}

function createUrl(role?: keyof typeof roles): string {
  const url = new URL(inject("superuserUrl"));
  if (role) {
    url.username = roles[role];
    url.password = PASSWORD;
    url.pathname = `/${database}`;
  }
  return url.href;
}

afterAll(async () => {
  await run(`drop database if exists ${database} with (force)`);
  for (const role of Object.values(roles)) await run(`drop role if exists ${role}`);
});

it("connects the application with a role that is not the schema owner", () => {
  const compose = readFileSync("compose.yaml", "utf8");
  const readDefault = (name: string) =>
    new RegExp(`\\$\\{${name}:-([^}]*)\\}`).exec(compose)?.[1] ?? "";
  expect(new URL(readDefault("DATABASE_URL")).username).toBe("furlong_app");
  expect(new URL(readDefault("MIGRATION_DATABASE_URL")).username).toBe("furlong_owner");
  for (const [url, password] of [
    ["DATABASE_URL", "FURLONG_APP_PASSWORD"],
    ["MIGRATION_DATABASE_URL", "FURLONG_OWNER_PASSWORD"],
  ] as const)
    expect(new URL(readDefault(url)).password, url).toBe(readDefault(password));
  expect(compose).toContain(
    "- ./db/create-roles.sql:/docker-entrypoint-initdb.d/create-roles.sql:ro",
  );
});

it("creates an application role that can write, but not change history or the schema", async () => {
  await run(`create database ${database}`);
  // Replaces the psql commands and variables of the file, as psql does.
  const statements = readFileSync("db/create-roles.sql", "utf8")
    .replace(/^\\getenv .*$/gm, "")
    .replace(/:'\w+'/g, `'${PASSWORD.replaceAll("'", "''")}'`)
    .replaceAll("alter database furlong ", `alter database ${database} `)
    .replace(/furlong_(owner|app)/g, (name) => roles[name as keyof typeof roles]);
  await run(statements);
  const [ownerUrl, applicationUrl] = [createUrl("furlong_owner"), createUrl("furlong_app")];
  await prepareSchema({ ownerUrl, applicationUrl, jobs: jobs() });
  const readErrorCode = async (statement: string) =>
    await run(statement, "furlong_app").then(
      () => null,
      (error: { code?: string }) => error.code,
    );
  for (const statement of [
    "select * from users, ledger_transactions, jobs.job",
    "insert into alerts (kind, subject, message, created_at) values ('a', 'b', 'c', now())",
    "update wallets set balance_coins = balance_coins",
    "update coin_purchases set coins = coins",
  ])
    expect(await readErrorCode(statement), statement).toBeNull();
  for (const statement of [
    "update ledger_transactions set kind = kind",
    "delete from ledger_postings",
    "update sales set buyer_id = buyer_id",
    "delete from earning_reversals",
    "update result_entries set result = result",
    "truncate audit_entries",
    "delete from tips",
    "delete from race_cards",
    "delete from schema_migrations",
    "create table mine (id int)",
    "alter table users add column mine int",
    "drop trigger ledger_transactions_append_only on ledger_transactions",
    "create or replace function post_to_ledger() returns void language sql as ''",
    "alter table tips disable trigger all",
  ])
    expect(await readErrorCode(statement), statement).toBe("42501");
});
