import { lte } from "drizzle-orm";
import type { AlertKind } from "./alert-kinds.ts";
import { now } from "./clock.server.ts";
import { database, type Tx } from "./database.server.ts";
import { log } from "./log.server.ts";
import { alerts } from "./tables.server.ts";

/**
 * Puts something before the operator's eyes, once for each kind and subject; raising it again opens it
 * again. The message names ids, never a person or a tip.
 */
export async function raiseAlert(
  alert: { kind: AlertKind; subject: string; message: string },
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

const raisedAt = new Map<string, number>();
const MAX_REMEMBERED = 1000;

/**
 * The same, at most once in so many milliseconds for each kind and subject: for what can come in
 * floods. In between nothing is written, not even in another process.
 */
export async function raiseAlertAtMost(
  everyMs: number,
  alert: { kind: AlertKind; subject: string; message: string },
): Promise<void> {
  const at = now();
  const key = `${alert.kind} ${alert.subject}`;
  if ((raisedAt.get(key) ?? Number.NEGATIVE_INFINITY) > at.getTime() - everyMs) return;
  if (raisedAt.size >= MAX_REMEMBERED) raisedAt.clear();
  raisedAt.set(key, at.getTime());
  const raised = await database()
    .insert(alerts)
    .values({ ...alert, createdAt: at })
    .onConflictDoUpdate({
      target: [alerts.kind, alerts.subject],
      set: { message: alert.message, createdAt: at, resolvedAt: null },
      setWhere: lte(alerts.createdAt, new Date(at.getTime() - everyMs)),
    })
    .returning({ id: alerts.id });
  if (raised.length > 0) log.error(alert, "alert");
}
