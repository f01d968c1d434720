import { and, desc, eq, gte, inArray, like, lt, or, type SQL, sql } from "drizzle-orm";
import { addDays, type CalendarDate, instantAt } from "#domain/calendar.ts";
import { isId } from "#domain/id.ts";
import { database } from "#platform/database.server.ts";
import { toPage } from "#platform/keyset-paging.server.ts";
import { likePrefix } from "#platform/query-parts.server.ts";
import type { AuditAction } from "./audit-actions.ts";
import { auditEntries } from "./tables.server.ts";

export type AuditEntry = typeof auditEntries.$inferSelect;

/**
 * Returns a page of audit entries, newest first, optionally filtered by actor, action, subjects, and
 * the first and last date.
 * `next` is the `beforeId` of the next page, or null on the last page.
 */
export async function readAudit({
  actorId,
  action,
  subject,
  subjects,
  userIds,
  from,
  to,
  beforeId,
  before,
  limit = 50,
}: {
  actorId?: string | null;
  action?: AuditAction | null;
  subject?: string | null;
  subjects?: string[] | null;
  /** With `subjects`: also the grants to these users, whose subject is `<user id>:<key>`. */
  userIds?: string[];
  from?: CalendarDate | null;
  to?: CalendarDate | null;
  beforeId?: number | null;
  /** Only entries written earlier than this. */
  before?: Date | null;
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
        subjects
          ? or(inArray(auditEntries.subject, subjects), isGrantTo(userIds ?? []))
          : undefined,
        from ? gte(auditEntries.id, findFirstFrom(from)) : undefined,
        to ? lt(auditEntries.id, findFirstFrom(addDays(to, 1))) : undefined,
        beforeId ? lt(auditEntries.id, beforeId) : undefined,
        before ? lt(auditEntries.createdAt, before) : undefined,
      ),
    )
    .orderBy(desc(auditEntries.id))
    .limit(limit + 1);
  const { page, next } = toPage(rows, limit, ({ id }) => id);
  return { entries: page, next };
}

/**
 * Matches the grants to these users by the index on subjects or, where the database does not use it for prefixes, by
 * the one on actions.
 */
function isGrantTo(userIds: readonly string[]): SQL | undefined {
  if (userIds.length === 0) return undefined;
  const prefixes = userIds.map((id) => like(auditEntries.subject, likePrefix(`${id}:`)));
  return and(eq(auditEntries.action, "grant-coins"), or(...prefixes));
}

/** The id of the first entry of a date or later, so that a list by id needs no sort. */
function findFirstFrom(date: CalendarDate): SQL<number> {
  return sql`coalesce((
    select first.id from ${auditEntries} first where first.created_at >= ${instantAt(date)}
    order by first.created_at, first.id limit 1), ${Number.MAX_SAFE_INTEGER}::bigint)`;
}
