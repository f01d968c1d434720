import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { pool, transaction } from "#platform/database.server.ts";
import { makeUser } from "#test/factories.ts";
import { countUsers } from "./users.server.ts";

const counted = async () =>
  (await pool().query("select count(*) as users from users where closed_at is null")).rows[0].users;

it("counts open accounts after concurrent creation, closing, deletion and rollback", async () => {
  const previousCount = await countUsers();
  expect(previousCount).toBe(await counted());
  const users = await Promise.all(Array.from({ length: 20 }, () => makeUser()));
  expect(await countUsers()).toBe(previousCount + 20);

  const close = "update users set closed_at = now() where id = $1";
  await pool().query(close, [users[0]?.id]);
  await pool().query(close, [users[0]?.id]);
  await pool().query("update users set name = 'Somebody else' where id = $1", [users[1]?.id]);
  await pool().query("delete from wallets where user_id = $1", [users[2]?.id]);
  await pool().query("delete from users where id = $1", [users[2]?.id]);
  await transaction(async (tx) => {
    await tx.execute(
      `insert into users (email, name, created_at, updated_at)
       values ('${randomUUID()}@example.test', 'Nobody', now(), now())`,
    );
    throw new Error("after all not");
  }).catch(() => {});
  expect(await countUsers()).toBe(previousCount + 18);
  expect(await countUsers()).toBe(await counted());
});
