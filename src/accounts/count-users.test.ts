import { setTimeout } from "node:timers/promises";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { pool } from "#platform/database.server.ts";
import { makeUser } from "#test/factories.ts";
import { countUsers } from "./users.server.ts";

let time = Date.now();
beforeEach(() => {
  vi.spyOn(Date, "now").mockImplementation(() => time);
});
afterEach(() => vi.restoreAllMocks());

/** Advances the time. The cache reads it again after a millisecond of the machine's clock. */
async function advanceTime(milliseconds: number): Promise<void> {
  time += milliseconds;
  await setTimeout(5);
}

it("counts open accounts, and again after a minute", async () => {
  // An earlier attempt has cached its count.
  await advanceTime(60_001);
  const previousCount = await countUsers();
  const users = await Promise.all(Array.from({ length: 3 }, () => makeUser()));
  await advanceTime(60_000);
  expect(await countUsers()).toBe(previousCount);
  await pool().query("update users set closed_at = now() where id = $1", [users[0]?.id]);
  await advanceTime(1);
  expect(await countUsers()).toBe(previousCount + 2);
});
