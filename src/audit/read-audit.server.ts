import { and, desc, eq, lt } from "drizzle-orm";
import { isId } from "#domain/id.ts";
import { database } from "#platform/database.server.ts";
import { toPage } from "#platform/keyset-paging.server.ts";
import type { AuditAction } from "./audit-actions.ts";
import { auditEntries } from "./tables.server.ts";

export type AuditEntry = typeof auditEntries.$inferSelect;

/**
 * Returns a page of audit entries, newest first, optionally filtered by actor, action or subject.
 * `next` is the `beforeId` of the next page, or null on the last page.
 */
export async function readAudit({
  actorId,
  action,
  subject,
  beforeId,
  limit = 50,
}: {
  actorId?: string | null;
  action?: AuditAction | null;
  subject?: string | null;
  beforeId?: number | null;
  limit?: number;
} = {}): Promise<{
  entries: AuditEntry[];
  next: number | null;
}> {
  if (actorId && !isId(actorId)) return { entries: [], next: null };
  const rows = await database()
    .select()
    .from(auditEntries)
    .where(
      and(
        actorId ? eq(auditEntries.actorId, actorId) : undefined,
        action ? eq(auditEntries.action, action) : undefined,
        subject ? eq(auditEntries.subject, subject) : undefined,
        beforeId ? lt(auditEntries.id, beforeId) : undefined,
      ),
    )
    .orderBy(desc(auditEntries.id))
    .limit(limit + 1);
  const { page, next } = toPage(rows, limit, ({ id }) => id);
  return { entries: page, next };
}
