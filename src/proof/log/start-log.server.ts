import { randomBytes } from "node:crypto";
import { sql } from "drizzle-orm";
import { raiseAlert } from "#platform/alerts.server.ts";
import { now } from "#platform/clock.server.ts";
import { transaction } from "#platform/database.server.ts";
import { env } from "#platform/env.server.ts";
import { resolveAlertAbout } from "#platform/list-alerts.server.ts";
import { createSigningKey, reencryptSigningKeys, SigningKeyError } from "./signing-key.server.ts";

/** The alert about a signing key that cannot be decrypted. */
export const SIGNING_KEY_ALERT = {
  kind: "log-stopped",
  subject: "signing key",
  message:
    "The signing key can't be decrypted, so nothing is entered in the public log. Set AUTH_SECRET or AUTH_SECRET_PREVIOUS to the secret that encrypted it: docs/proof.md, Keys.",
} as const;

/**
 * Starts the log of this installation if there is none: tips published from then on are recorded. Its origin is
 * the host of APP_URL at that moment and stays the same. Raises an alert if the log's key is unreadable. Idempotent.
 */
export async function startLog(at = now()): Promise<void> {
  try {
    await transaction(async (tx) => {
      const origin = createOrigin();
      const { rowCount } = await tx.execute(sql`
        insert into proof_logs (origin, started_at) values (${origin}, ${at.toISOString()})
        on conflict do nothing`);
      if (rowCount)
        await createSigningKey(tx, { origin, firstIndex: 0 }, { fromSize: 0, at: now() });
      else await reencryptSigningKeys(tx);
      await resolveAlertAbout(tx, SIGNING_KEY_ALERT);
    });
  } catch (error) {
    if (!(error instanceof SigningKeyError)) throw error;
    await raiseAlert(SIGNING_KEY_ALERT);
  }
}

/** A demo has an origin of its own, so that nobody takes its log for that of a site with the same address. */
function createOrigin(): string {
  const { mode, appUrl } = env();
  if (mode === "demo") return `demo.furlong.test/${randomBytes(4).toString("hex")}`;
  return `${new URL(appUrl).host}/proof/log`;
}
