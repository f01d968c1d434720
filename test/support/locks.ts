import { expect } from "vitest";
import { pool } from "#platform/database.server.ts";

/** Resolves once `count` connections to this test's database wait for a lock. */
export async function waitForLockWaiters(count: number): Promise<void> {
  await expect
    .poll(async () => {
      const { rowCount } = await pool().query(
        `select from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return rowCount;
    })
    .toBe(count);
}
