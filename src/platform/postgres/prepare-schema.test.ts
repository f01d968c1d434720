import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { jobs } from "#jobs.server.ts";
import { makeTwoRoleDatabase, runQuery, type TwoRoleDatabase } from "#test/two-roles.ts";
import { prepareSchema } from "./prepare-schema.server.ts";

let roles: TwoRoleDatabase;
let otherRoles: TwoRoleDatabase;

beforeAll(async () => {
  const superuserUrl = inject("superuserUrl");
  [roles, otherRoles] = [
    await makeTwoRoleDatabase(superuserUrl),
    await makeTwoRoleDatabase(superuserUrl),
  ];
  // Concurrent grants fail only occasionally, so an event trigger records for each grant how many sessions
  // hold an advisory lock in its database.
  const database = Object.assign(new URL(superuserUrl), {
    pathname: new URL(roles.ownerUrl).pathname,
  });
  await runQuery(
    database.href,
    `create schema watch;
     create table watch.grants (lock_holders bigint);
     create function watch.record_grant() returns event_trigger language plpgsql security definer as $$
     begin
       insert into watch.grants select count(*) from pg_locks
         where locktype = 'advisory' and granted and database =
           (select oid from pg_database where datname = current_database());
     end $$;
     create event trigger record_grant on ddl_command_end when tag in ('GRANT', 'REVOKE')
       execute function watch.record_grant();
     grant usage on schema watch to public;
     grant select on watch.grants to public;
     truncate watch.grants`,
  );
});

afterAll(async () => {
  await roles.drop();
  await otherRoles.drop();
});

const prepare = (ownerUrl = roles.ownerUrl, afterMigration = async () => {}) =>
  prepareSchema(
    { ownerUrl, applicationUrl: roles.applicationUrl, jobs: jobs() },
    () => {},
    afterMigration,
  );

describe("prepareSchema", () => {
  it("refuses a role that does not own the database and names the variable", async () => {
    const listProblems = (url: string) => prepare(url).catch(({ problems }) => problems);
    expect(await listProblems(roles.applicationUrl)).toEqual([
      expect.stringMatching(/^MIGRATION_DATABASE_URL is missing: .*two_roles_\w+_app/),
    ]);
    const { username, password } = new URL(otherRoles.ownerUrl);
    const url = Object.assign(new URL(roles.ownerUrl), { username, password }).href;
    expect(await listProblems(url)).toEqual([
      expect.stringMatching(`^MIGRATION_DATABASE_URL names a role \\(${username}\\)`),
    ]);
  });

  it("runs for one machine at a time when four start at once on an empty database", async () => {
    let running = 0;
    let maxRunning = 0;
    const afterMigration = async () => {
      running += 1;
      maxRunning = Math.max(maxRunning, running);
      await new Promise((resolve) => setTimeout(resolve, 50));
      running -= 1;
    };
    const starts = Array.from({ length: 4 }, () => prepare(roles.ownerUrl, afterMigration));
    expect(await Promise.allSettled(starts)).toEqual(
      starts.map(() => expect.objectContaining({ status: "fulfilled" })),
    );
    expect(maxRunning).toBe(1);
    const grantsWithoutLock = "select count(*)::int as n from watch.grants where lock_holders = 0";
    expect(await runQuery(roles.ownerUrl, grantsWithoutLock)).toEqual([{ n: 0 }]);
    const hasEnoughGrants = "select count(*) >= 28 as enough from watch.grants";
    expect(await runQuery(roles.ownerUrl, hasEnoughGrants)).toEqual([{ enough: true }]);
  });

  it("lets the application read and write, but not change history or the schema", async () => {
    const app = roles.applicationUrl;
    expect(await runQuery(app, "select count(*)::int as jobs from jobs.job")).toEqual([
      { jobs: 0 },
    ]);
    await runQuery(app, "insert into rate_limits (key, points, expire) values ('a', 1, 0)");
    for (const statement of [
      "update ledger_postings set amount = 0",
      "delete from sales",
      "truncate audit_entries",
      "create table forbidden ()",
      "insert into schema_migrations (name, sha256) values ('9999-forbidden.sql', '')",
    ])
      await expect(runQuery(app, statement), statement).rejects.toMatchObject({ code: "42501" });
  });

  it("succeeds for four concurrent starts on a database that is up to date", async () => {
    await expect(Promise.all(Array.from({ length: 4 }, () => prepare()))).resolves.toHaveLength(4);
  });
});
