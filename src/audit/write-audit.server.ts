import { now } from "#platform/clock.server.ts";
import type { Tx } from "#platform/database.server.ts";
import type { AuditAction } from "./audit-actions.ts";
import { auditEntries } from "./tables.server.ts";

/** Appends an entry to the audit log, within the transaction of the action. */
export async function writeAudit(
  tx: Tx,
  entry: {
    /** Null for actions that the system performs without a user. */
    actorId: string | null;
    action: AuditAction;
    subject: string;
    details?: Record<string, unknown>;
  },
): Promise<void> {
  await tx.insert(auditEntries).values({ ...entry, createdAt: now() });
}
