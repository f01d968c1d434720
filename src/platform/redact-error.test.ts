import { DrizzleQueryError, sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { database } from "./database.server.ts";
import { redactError } from "./redact-error.server.ts";

async function failureOf(work: () => unknown): Promise<unknown> {
  try {
    await work();
  } catch (error) {
    return error;
  }
  throw new Error("nothing failed");
}

it("keeps the statement, code and stack of a failed query, but not its parameters", async () => {
  const words = redactError(
    await failureOf(() =>
      database().execute(
        sql`select no_such_column from users where email = ${"canary@example.test"} and name = ${"Canary\n    at home (x.ts:1:1)"}`,
      ),
    ),
  );
  expect(words).toContain("select no_such_column from users where email = $1");
  expect(words).toContain("42703");
  expect(words).toMatch(/\n\s+at .*:\d+:\d+/);
  expect(words).not.toMatch(/canary|home/i);
});

it("removes values quoted by PostgreSQL, and keeps the violated type or constraint", async () => {
  const shape = redactError(
    await failureOf(() => database().execute(sql`select ${"canary-no-uuid"}::uuid`)),
  );
  expect(shape).toContain("invalid input syntax for type uuid");
  expect(shape).not.toContain("canary");
  const taken = Object.assign(
    new Error('duplicate key value violates unique constraint "users_email_unique"'),
    {
      code: "23505",
      constraint: "users_email_unique",
      detail: "Key (email)=(canary@example.test) already exists.",
    },
  );
  const refused = redactError(new DrizzleQueryError("insert", ["canary@example.test"], taken));
  expect(refused).toContain("users_email_unique");
  expect(refused).not.toContain("canary");
});

it("removes invalid JSON and email addresses from errors and strings", async () => {
  const parsed = await failureOf(() =>
    JSON.parse('{"email":"canary@example.test","name":"Can"ary"}'),
  );
  expect(redactError(parsed)).toContain("SyntaxError");
  expect(redactError(parsed)).not.toMatch(/canary|Can"/);
  const mail = new Error("Can't send mail: 550 <canary@example.test>: no such user");
  expect(redactError(mail)).toContain("550 <(an address)>: no such user");
  expect(redactError("refused canary@example.test")).toBe("refused (an address)");
});
