import { now } from "#platform/clock.server.ts";
import type { Tx } from "#platform/database.server.ts";
import type { AuditAction } from "./audit-actions.ts";
import { auditEntries } from "./tables.server.ts";

/** Writes down for good who did what to whom, within the transaction that does it. */
export async function writeAudit(
  tx: Tx,
  entry: {
    /** Null where the product itself acts. */
    actorId: string | null;
    action: AuditAction;
    subject: string;
    details?: Record<string, unknown>;
  },
): Promise<void> {
  await tx.insert(auditEntries).values({ ...entry, createdAt: now() });
}
