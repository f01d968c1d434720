import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  date,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uuid,
} from "drizzle-orm/pg-core";

// Columns for the query builder. Constraints, indexes and functions are in db/migrations.

export const payouts = pgTable("payouts", {
  id: uuid().default(sql`new_id()`).primaryKey().notNull(),
  creatorId: uuid("creator_id").notNull(),
  amountCents: bigint("amount_cents", { mode: "number" }).notNull(),
  status: text("status", { enum: ["requested", "processing", "paid", "stopped"] })
    .default("requested")
    .notNull(),
  requestedAt: timestamp("requested_at", { withTimezone: true }).notNull(),
  processingAt: timestamp("processing_at", { withTimezone: true }),
  paidAt: timestamp("paid_at", { withTimezone: true }),
  transactionId: bigint("transaction_id", { mode: "number" }),
  exportId: uuid("export_id"),
  removedCents: bigint("removed_cents", { mode: "number" }).default(0).notNull(),
  changedAt: timestamp("changed_at", { withTimezone: true }),
  stoppedAt: timestamp("stopped_at", { withTimezone: true }),
  isPaidUnrecorded: boolean("is_paid_unrecorded").default(false).notNull(),
  isFinal: boolean("is_final").default(false).notNull(),
});

export const paymentExports = pgTable("payment_exports", {
  id: uuid().default(sql`new_id()`).primaryKey().notNull(),
  createdBy: uuid("created_by"),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
  format: text().notNull(),
  number: integer().notNull(),
  actionDate: date("action_date"),
  payments: integer().notNull(),
  totalCents: bigint("total_cents", { mode: "number" }).notNull(),
});

export const paymentExportLines = pgTable(
  "payment_export_lines",
  {
    exportId: uuid("export_id").notNull(),
    payoutId: uuid("payout_id").notNull(),
    creatorId: uuid("creator_id").notNull(),
    amountCents: bigint("amount_cents", { mode: "number" }).notNull(),
    reference: text().notNull(),
    encryptedDetails: text("encrypted_details"),
    accountLast4: text("account_last4"),
  },
  (table) => [primaryKey({ columns: [table.exportId, table.payoutId] })],
);

export const paymentFileSettings = pgTable("payment_file_settings", {
  isSingleton: boolean("is_singleton").default(true).primaryKey().notNull(),
  settings: jsonb().notNull(),
  updatedAt: timestamp("updated_at", { withTimezone: true }).notNull(),
  updatedBy: uuid("updated_by"),
});

export const lateHolds = pgTable("late_holds", {
  saleId: bigint("sale_id", { mode: "number" }).primaryKey().notNull(),
  payoutId: uuid("payout_id").notNull(),
  reason: text().notNull(),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
  endedAt: timestamp("ended_at", { withTimezone: true }),
});

export const bankDetails = pgTable("bank_details", {
  creatorId: uuid("creator_id").primaryKey().notNull(),
  encryptedDetails: text("encrypted_details").notNull(),
  accountLast4: text("account_last4").notNull(),
  changedAt: timestamp("changed_at", { withTimezone: true }).notNull(),
  checkedAt: timestamp("checked_at", { withTimezone: true }),
});

export const payoutTransfers = pgTable("payout_transfers", {
  reference: uuid().default(sql`new_id()`).primaryKey().notNull(),
  exportId: uuid("export_id").notNull(),
  payoutId: uuid("payout_id").notNull(),
  status: text("status", { enum: ["pending", "paid", "failed", "returned"] })
    .default("pending")
    .notNull(),
  providerStatus: text("provider_status"),
  recipientCode: text("recipient_code"),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
  sentAt: timestamp("sent_at", { withTimezone: true }),
  sendingUntil: timestamp("sending_until", { withTimezone: true }),
  readAt: timestamp("read_at", { withTimezone: true }),
  changedAt: timestamp("changed_at", { withTimezone: true }).notNull(),
  resolvedAt: timestamp("resolved_at", { withTimezone: true }),
});

export const earningDaysPosition = pgTable("earning_days_position", {
  isSingleton: boolean("is_singleton").default(true).primaryKey().notNull(),
  beforeXid: text("before_xid").notNull(),
});
