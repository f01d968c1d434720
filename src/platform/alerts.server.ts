import { lte } from "drizzle-orm";
import type { AlertKind } from "./alert-kinds.ts";
import { now } from "./clock.server.ts";
import { database, type Tx } from "./database.server.ts";
import { log } from "./log.server.ts";
import { alerts } from "./tables.server.ts";

/**
 * Raises an alert for the operator. There is one alert per kind and subject; raising it again
 * reopens it. The message must not contain personal data or the content of a tip.
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
const MAX_TRACKED_ALERTS = 1000;

/**
 * Raises an alert at most once per interval for each kind and subject, for events that can be
 * frequent. Writes nothing within the interval, whichever process raised the alert first.
 */
export async function raiseAlertThrottled(
  intervalMs: number,
  alert: { kind: AlertKind; subject: string; message: string },
): Promise<void> {
  const at = now();
  const key = `${alert.kind} ${alert.subject}`;
  if ((raisedAt.get(key) ?? Number.NEGATIVE_INFINITY) > at.getTime() - intervalMs) return;
  if (raisedAt.size >= MAX_TRACKED_ALERTS) raisedAt.clear();
  raisedAt.set(key, at.getTime());
  const rows = await database()
    .insert(alerts)
    .values({ ...alert, createdAt: at })
    .onConflictDoUpdate({
      target: [alerts.kind, alerts.subject],
      set: { message: alert.message, createdAt: at, resolvedAt: null },
      setWhere: lte(alerts.createdAt, new Date(at.getTime() - intervalMs)),
    })
    .returning({ id: alerts.id });
  if (rows.length > 0) log.error(alert, "alert");
}
