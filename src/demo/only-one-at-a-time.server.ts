import { setTimeout } from "node:timers/promises";
import { pool } from "#platform/database.server.ts";

const LOCK = 7_042_027;
const LOOK_AGAIN_MS = 300;

/** Does the work while no other process does it: a start and the hourly job may fall together. */
export async function withDemoLock(work: () => Promise<void>): Promise<void> {
  const client = await pool().connect();
  try {
    for (;;) {
      const { rows } = await client.query("select pg_try_advisory_lock($1) as mine", [LOCK]);
      if (rows[0]?.mine) break;
      await setTimeout(LOOK_AGAIN_MS);
    }
    try {
      await work();
    } finally {
      await client.query("select pg_advisory_unlock($1)", [LOCK]);
    }
  } finally {
    client.release();
  }
}
