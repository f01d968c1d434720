import { setTimeout } from "node:timers/promises";
import { pool } from "#platform/database.server.ts";

const LOCK_ID = 7_042_027;
const RETRY_MS = 300;

/** Runs the work under an advisory lock, because a server start and the hourly job can overlap. */
export async function withDemoLock(work: () => Promise<void>): Promise<void> {
  const client = await pool().connect();
  try {
    for (;;) {
      const { rows } = await client.query("select pg_try_advisory_lock($1) as is_locked", [
        LOCK_ID,
      ]);
      if (rows[0]?.is_locked) break;
      await setTimeout(RETRY_MS);
    }
    try {
      await work();
    } finally {
      await client.query("select pg_advisory_unlock($1)", [LOCK_ID]);
    }
  } finally {
    client.release();
  }
}
