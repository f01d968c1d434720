import { and, desc, eq, inArray, isNull, not } from "drizzle-orm";
import type { AlertKind } from "./alert-kinds.ts";
import { now } from "./clock.server.ts";
import { database, type Tx } from "./database.server.ts";
import { isAfterCursor, toPage } from "./keyset-paging.server.ts";
import { alerts } from "./tables.server.ts";

export type Alert = {
  id: string;
  kind: AlertKind;
  subject: string;
  message: string;
  raisedAt: Date;
};

/** Returns a page of open alerts, newest first. */
export async function listAlerts({
  cursor,
  limit = 20,
}: {
  cursor?: string | null;
  limit?: number;
} = {}): Promise<{ alerts: Alert[]; next: string | null }> {
  const rows = await database()
    .select({
      id: alerts.id,
      kind: alerts.kind,
      subject: alerts.subject,
      message: alerts.message,
      raisedAt: alerts.createdAt,
    })
    .from(alerts)
    .where(and(isNull(alerts.resolvedAt), isAfterCursor(alerts.createdAt, alerts.id, cursor)))
    .orderBy(desc(alerts.createdAt), desc(alerts.id))
    .limit(limit + 1);
  const { page, next } = toPage(rows, limit, ({ id }) => id);
  return { alerts: page, next };
}

/** Resolves the open alert of a kind and subject, if there is one. */
export async function resolveAlertAbout(
  tx: Tx,
  { kind, subject }: { kind: AlertKind; subject: string },
): Promise<void> {
  await tx
    .update(alerts)
    .set({ resolvedAt: now() })
    .where(and(eq(alerts.kind, kind), eq(alerts.subject, subject), isNull(alerts.resolvedAt)));
}

/** Returns the number of open alerts, without those of a kind about the given subjects. */
export async function countOpenAlerts(except?: {
  kind: AlertKind;
  subjects: string[];
}): Promise<number> {
  const isExcluded =
    except && and(eq(alerts.kind, except.kind), inArray(alerts.subject, except.subjects));
  return await database().$count(
    alerts,
    and(isNull(alerts.resolvedAt), isExcluded && not(isExcluded)),
  );
}

/**
 * Resolves an alert. Returns the alert when it was open, 'resolved' when it was resolved before,
 * null for an unknown id.
 */
export async function resolveAlert(tx: Tx, id: string): Promise<Alert | "resolved" | null> {
  const [resolved] = await tx
    .update(alerts)
    .set({ resolvedAt: now() })
    .where(and(eq(alerts.id, id), isNull(alerts.resolvedAt)))
    .returning({
      id: alerts.id,
      kind: alerts.kind,
      subject: alerts.subject,
      message: alerts.message,
      raisedAt: alerts.createdAt,
    });
  if (resolved) return resolved;
  return (await tx.$count(alerts, eq(alerts.id, id))) > 0 ? "resolved" : null;
}
