import { expect, it, vi } from "vitest";
import { pool } from "#platform/database.server.ts";
import { makeUser } from "#test/factories.ts";
import { countUsers } from "./users.server.ts";

it("counts open accounts, and again after a minute", async () => {
  const previousCount = await countUsers();
  const users = await Promise.all(Array.from({ length: 3 }, () => makeUser()));
  expect(await countUsers()).toBe(previousCount);
  await pool().query("update users set closed_at = now() where id = $1", [users[0]?.id]);
  const clock = vi.spyOn(Date, "now").mockReturnValue(Date.now() + 60_001);
  expect(await countUsers()).toBe(previousCount + 2);
  clock.mockRestore();
});
