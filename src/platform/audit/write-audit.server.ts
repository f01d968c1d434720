import { isDeepStrictEqual } from "node:util";
import { desc, eq } from "drizzle-orm";
import { now } from "#platform/clock.server.ts";
import type { Tx } from "#platform/database.server.ts";
import type { AuditAction } from "./audit-actions.ts";
import { auditEntries } from "./tables.server.ts";

type NewAuditEntry = {
  /** Null for actions that the system performs without a user. */
  actorId: string | null;
  action: AuditAction;
  subject: string;
  details?: Record<string, unknown>;
};

/** Appends an entry to the audit log, within the transaction of the action. */
export async function writeAudit(tx: Tx, entry: NewAuditEntry): Promise<void> {
  await tx.insert(auditEntries).values({ ...entry, createdAt: now() });
}

/**
 * Appends an entry unless the newest one of its subject says the same, so that a form sent twice writes one entry. The
 * caller must hold a lock on the subject.
 */
export async function writeAuditOnce(tx: Tx, entry: NewAuditEntry): Promise<void> {
  const [newest] = await tx
    .select({
      actorId: auditEntries.actorId,
      action: auditEntries.action,
      subject: auditEntries.subject,
      details: auditEntries.details,
    })
    .from(auditEntries)
    .where(eq(auditEntries.subject, entry.subject))
    .orderBy(desc(auditEntries.id))
    .limit(1);
  if (!isDeepStrictEqual(newest, { details: {}, ...entry })) await writeAudit(tx, entry);
}
