import { randomBytes } from "node:crypto";
import { sql } from "drizzle-orm";
import { now } from "#platform/clock.server.ts";
import { transaction } from "#platform/database.server.ts";
import { env } from "#platform/env.server.ts";
import { createSigningKey, reencryptSigningKeys } from "./signing-key.server.ts";

/**
 * Starts the log of this installation if there is none: tips published from then on are recorded. Its origin is
 * the host of APP_URL at that moment and stays the same. Idempotent.
 */
export async function startLog(at = now()): Promise<void> {
  await transaction(async (tx) => {
    const origin = createOrigin();
    const { rowCount } = await tx.execute(sql`
      insert into proof_logs (origin, started_at) values (${origin}, ${at.toISOString()})
      on conflict do nothing`);
    if (rowCount) await createSigningKey(tx, origin);
    else await reencryptSigningKeys(tx);
  });
}

/** A demo has an origin of its own, so that nobody takes its log for that of a site with the same address. */
function createOrigin(): string {
  const { mode, appUrl } = env();
  if (mode === "demo") return `demo.furlong.test/${randomBytes(4).toString("hex")}`;
  return `${new URL(appUrl).host}/proof/log`;
}
