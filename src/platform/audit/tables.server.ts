import { bigint, jsonb, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";
import type { AuditAction } from "./audit-actions.ts";

// Columns for the query builder. Constraints, indexes and functions are in db/migrations.

export const auditEntries = pgTable("audit_entries", {
  id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
  actorId: uuid("actor_id"),
  action: text().$type<AuditAction>().notNull(),
  subject: text().notNull(),
  details: jsonb().default({}).notNull(),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
});
