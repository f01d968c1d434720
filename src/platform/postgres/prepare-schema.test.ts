import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { jobs } from "#jobs.server.ts";
import { makeTwoRoles, runQuery, type TwoRoles } from "#test/two-roles.ts";
import { prepareSchema } from "./prepare-schema.server.ts";

let roles: TwoRoles;
let stranger: TwoRoles;

beforeAll(async () => {
  const adminUrl = inject("superuserUrl");
  [roles, stranger] = [await makeTwoRoles(adminUrl), await makeTwoRoles(adminUrl)];
  // Concurrent grants fail only occasionally, so each grant records how many sessions hold an
  // advisory lock in its database.
  const database = Object.assign(new URL(adminUrl), { pathname: new URL(roles.ownerUrl).pathname });
  await runQuery(
    database.href,
    `create schema watch;
     create table watch.grants (lock_holders bigint);
     create function watch.note_grant() returns event_trigger language plpgsql security definer as $$
     begin
       insert into watch.grants select count(*) from pg_locks
         where locktype = 'advisory' and granted and database =
           (select oid from pg_database where datname = current_database());
     end $$;
     create event trigger note_grant on ddl_command_end when tag in ('GRANT', 'REVOKE')
       execute function watch.note_grant();
     grant usage on schema watch to public;
     grant select on watch.grants to public;
     truncate watch.grants`,
  );
});

afterAll(async () => {
  await roles.drop();
  await stranger.drop();
});

const prepare = (ownerUrl = roles.ownerUrl, rest = async () => {}) =>
  prepareSchema({ ownerUrl, applicationUrl: roles.applicationUrl, jobs: jobs() }, () => {}, rest);

describe("prepareSchema", () => {
  it("refuses a role that does not own the database and names the variable", async () => {
    const problemsOf = (url: string) => prepare(url).catch(({ problems }) => problems);
    expect(await problemsOf(roles.applicationUrl)).toEqual([
      expect.stringMatching(/^MIGRATION_DATABASE_URL is missing: .*two_roles_\w+_app/),
    ]);
    const { username, password } = new URL(stranger.ownerUrl);
    const url = Object.assign(new URL(roles.ownerUrl), { username, password }).href;
    expect(await problemsOf(url)).toEqual([
      expect.stringMatching(`^MIGRATION_DATABASE_URL names a role \\(${username}\\)`),
    ]);
  });

  it("runs for one machine at a time when four start at once on an empty database", async () => {
    const running: string[] = [];
    let most = 0;
    const rest = async () => {
      running.push("one");
      most = Math.max(most, running.length);
      await new Promise((done) => setTimeout(done, 50));
      running.pop();
    };
    const starts = Array.from({ length: 4 }, () => prepare(roles.ownerUrl, rest));
    expect(await Promise.allSettled(starts)).toEqual(
      starts.map(() => expect.objectContaining({ status: "fulfilled" })),
    );
    expect(most).toBe(1);
    const unlocked = "select count(*)::int as n from watch.grants where lock_holders = 0";
    expect(await runQuery(roles.ownerUrl, unlocked)).toEqual([{ n: 0 }]);
    const seen = "select count(*) >= 28 as enough from watch.grants";
    expect(await runQuery(roles.ownerUrl, seen)).toEqual([{ enough: true }]);
  });

  it("lets the application read and write, but not change history or the schema", async () => {
    const app = roles.applicationUrl;
    expect(await runQuery(app, "select count(*)::int as jobs from jobs.job")).toEqual([
      { jobs: 0 },
    ]);
    await runQuery(app, "insert into rate_limits (key, points, expire) values ('a', 1, 0)");
    for (const refused of [
      "update ledger_postings set amount = 0",
      "delete from sales",
      "truncate audit_entries",
      "create table mine ()",
      "insert into schema_migrations (name, sha256) values ('9999-mine.sql', '')",
    ])
      await expect(runQuery(app, refused), refused).rejects.toMatchObject({ code: "42501" });
  });

  it("succeeds for four concurrent starts on a database that is up to date", async () => {
    await expect(Promise.all(Array.from({ length: 4 }, () => prepare()))).resolves.toHaveLength(4);
  });
});
