import { and, eq, inArray, isNull, lt, not, sql } from "drizzle-orm";
import { isId } from "#domain/id.ts";
import type { AlertKind } from "./alert-kinds.ts";
import { now } from "./clock.server.ts";
import { database, type Tx } from "./database.server.ts";
import { toPage } from "./keyset-paging.server.ts";
import { alerts } from "./tables.server.ts";

export type Alert = {
  id: string;
  kind: AlertKind;
  subject: string;
  message: string;
  raisedAt: Date;
};

/** Alerts of a kind about these subjects. */
export type AlertSelection = { kind: AlertKind; subjects: string[] };

function isOpen(except: AlertSelection | undefined) {
  const isExcluded =
    except && and(eq(alerts.kind, except.kind), inArray(alerts.subject, except.subjects));
  return and(isNull(alerts.resolvedAt), isExcluded && not(isExcluded));
}

/** Disputes come first, because an answer after the deadline comes too late. */
const ORDER = sql`${alerts.kind} <> 'dispute', ${alerts.createdAt}, ${alerts.id}`;

/** Returns a page of open alerts without the excepted ones: disputes first, the oldest first. */
export async function listAlerts({
  cursor,
  limit = 20,
  except,
}: {
  cursor?: string | null;
  limit?: number;
  except?: AlertSelection;
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
    .where(
      and(
        isOpen(except),
        cursor && isId(cursor)
          ? sql`(${ORDER}) > (select ${ORDER} from ${alerts} where ${alerts.id} = ${cursor})`
          : undefined,
      ),
    )
    .orderBy(ORDER)
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

/** Returns the number of open alerts, without the excepted ones. */
export async function countOpenAlerts(except?: AlertSelection): Promise<number> {
  return await database().$count(alerts, isOpen(except));
}

/** Returns the message of the alert of a kind and subject, open or not, or null. */
export async function readAlertMessage(
  tx: Tx,
  { kind, subject }: { kind: AlertKind; subject: string },
): Promise<string | null> {
  const [alert] = await tx
    .select({ message: alerts.message })
    .from(alerts)
    .where(and(eq(alerts.kind, kind), eq(alerts.subject, subject)));
  return alert?.message ?? null;
}

/** Returns the alert with this id, open or not, or null. */
export async function findAlert(
  tx: Tx,
  id: string,
): Promise<Pick<Alert, "kind" | "subject"> | null> {
  const [alert] = await tx
    .select({ kind: alerts.kind, subject: alerts.subject })
    .from(alerts)
    .where(eq(alerts.id, id));
  return alert ?? null;
}

/**
 * Resolves an alert that was raised at this instant or before. Returns the alert when it was open, 'resolved' when it was
 * resolved before, 'raised-again' when it was raised later, null for an unknown id.
 */
export async function resolveAlert(
  tx: Tx,
  id: string,
  shownRaisedAt: Date,
): Promise<Alert | "resolved" | "raised-again" | null> {
  // What is shown has milliseconds.
  const wasShown = lt(alerts.createdAt, new Date(shownRaisedAt.getTime() + 1));
  const [resolved] = await tx
    .update(alerts)
    .set({ resolvedAt: now() })
    .where(and(eq(alerts.id, id), isNull(alerts.resolvedAt), wasShown))
    .returning({
      id: alerts.id,
      kind: alerts.kind,
      subject: alerts.subject,
      message: alerts.message,
      raisedAt: alerts.createdAt,
    });
  if (resolved) return resolved;
  const [unchanged] = await tx
    .select({ resolvedAt: alerts.resolvedAt })
    .from(alerts)
    .where(eq(alerts.id, id));
  if (!unchanged) return null;
  return unchanged.resolvedAt ? "resolved" : "raised-again";
}
