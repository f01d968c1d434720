import { sql } from "drizzle-orm";
import { bigint, integer, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";
import type { AlertKind } from "./alert-kinds.ts";
import type { EmailKind } from "./mail/email-kinds.ts";

// Columns for the query builder. Constraints, indexes and functions are in db/migrations.

export const emails = pgTable("emails", {
  id: uuid().default(sql`new_id()`).primaryKey().notNull(),
  recipient: text().notNull(),
  userId: uuid("user_id"),
  kind: text().$type<EmailKind>().notNull(),
  subject: text().notNull(),
  text: text(),
  html: text(),
  unsubscribeUrl: text("unsubscribe_url"),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
  sentAt: timestamp("sent_at", { withTimezone: true }),
  failedAt: timestamp("failed_at", { withTimezone: true }),
  failure: text(),
  dismissedAt: timestamp("dismissed_at", { withTimezone: true }),
});

export const alerts = pgTable("alerts", {
  id: uuid().default(sql`new_id()`).primaryKey().notNull(),
  kind: text().$type<AlertKind>().notNull(),
  subject: text().notNull(),
  message: text().notNull(),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
  resolvedAt: timestamp("resolved_at", { withTimezone: true }),
});

export const rateLimits = pgTable("rate_limits", {
  key: text().primaryKey().notNull(),
  points: integer().default(0).notNull(),
  expire: bigint({ mode: "number" }),
});
