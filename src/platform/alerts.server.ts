import { now } from "./clock.server.ts";
import { database, type Tx } from "./database.server.ts";
import { log } from "./log.server.ts";
import { alerts } from "./tables.server.ts";

/**
 * Puts something before the operator's eyes, once for each kind and subject; raising it again opens it
 * again. The message names ids, never a person or a tip.
 */
export async function raiseAlert(
  alert: { kind: string; subject: string; message: string },
  tx?: Tx,
): Promise<void> {
  log.error(alert, "alert");
  await (tx ?? database())
    .insert(alerts)
    .values({ ...alert, createdAt: now() })
    .onConflictDoUpdate({
      target: [alerts.kind, alerts.subject],
      set: { message: alert.message, createdAt: now(), resolvedAt: null },
    });
}
