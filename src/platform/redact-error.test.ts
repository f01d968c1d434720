import { DrizzleQueryError, sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { database } from "./database.server.ts";
import { redactError } from "./redact-error.server.ts";

async function catchError(work: () => unknown): Promise<unknown> {
  try {
    await work();
  } catch (error) {
    return error;
  }
  throw new Error("no error was thrown");
}

it("keeps the statement, code and stack of a failed query, but not its parameters", async () => {
  const redacted = redactError(
    await catchError(() =>
      database().execute(
        sql`select no_such_column from users where email = ${"canary@example.test"} and name = ${"Canary\n    at home (x.ts:1:1)"}`,
      ),
    ),
  );
  expect(redacted).toContain("select no_such_column from users where email = $1");
  expect(redacted).toContain("42703");
  expect(redacted).toMatch(/\n\s+at .*:\d+:\d+/);
  expect(redacted).not.toMatch(/canary|home/i);
});

it("removes values quoted by PostgreSQL, and keeps the violated type or constraint", async () => {
  const invalidUuid = redactError(
    await catchError(() => database().execute(sql`select ${"canary-no-uuid"}::uuid`)),
  );
  expect(invalidUuid).toContain("invalid input syntax for type uuid");
  expect(invalidUuid).not.toContain("canary");
  const duplicateKey = Object.assign(
    new Error('duplicate key value violates unique constraint "users_email_unique"'),
    {
      code: "23505",
      constraint: "users_email_unique",
      detail: "Key (email)=(canary@example.test) already exists.",
    },
  );
  const redacted = redactError(
    new DrizzleQueryError("insert", ["canary@example.test"], duplicateKey),
  );
  expect(redacted).toContain("users_email_unique");
  expect(redacted).not.toContain("canary");
});

it("removes invalid JSON and email addresses from errors and strings", async () => {
  const syntaxError = await catchError(() =>
    JSON.parse('{"email":"canary@example.test","name":"Can"ary"}'),
  );
  expect(redactError(syntaxError)).toContain("SyntaxError");
  expect(redactError(syntaxError)).not.toMatch(/canary|Can"/);
  const emailError = new Error("Can't send mail: 550 <canary@example.test>: no such user");
  expect(redactError(emailError)).toContain("550 <(an address)>: no such user");
  expect(redactError("refused canary@example.test")).toBe("refused (an address)");
});
