import { expect, vi } from "vitest";
import { pool } from "#platform/database.server.ts";

/** Resolves once `count` connections to this test's database wait for a lock. */
export async function waitForLockWaiters(count: number): Promise<void> {
  await vi.waitFor(
    async () => {
      const { rows } = await pool().query(
        `select from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`,
      );
      expect(rows).toHaveLength(count);
    },
    { timeout: 30_000 },
  );
}
