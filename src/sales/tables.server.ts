import { sql } from "drizzle-orm";
import { bigint, integer, pgTable, smallint, text, timestamp, uuid } from "drizzle-orm/pg-core";

// Columns for the query builder. Constraints, indexes and functions are in db/migrations.

export const sales = pgTable("sales", {
  id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
  buyerId: uuid("buyer_id").notNull(),
  raceCardId: uuid("race_card_id").notNull(),
  creatorId: uuid("creator_id").notNull(),
  priceCoins: smallint("price_coins").notNull(),
  tipIds: uuid("tip_ids").array().notNull(),
  sharesHundredths: smallint("shares_hundredths").array().notNull(),
  transactionId: bigint("transaction_id", { mode: "number" }).notNull(),
  idempotencyKey: text("idempotency_key"),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
  createdXid: text("created_xid").default(sql`pg_current_xact_id()`).notNull(),
});

export const earnings = pgTable("earnings", {
  saleId: bigint("sale_id", { mode: "number" }).primaryKey().notNull(),
  creatorId: uuid("creator_id").notNull(),
  amountCents: integer("amount_cents").notNull(),
  payableAt: timestamp("payable_at", { withTimezone: true }).notNull(),
  heldAt: timestamp("held_at", { withTimezone: true }),
  heldReason: text("held_reason"),
  payoutId: uuid("payout_id"),
});

export const earningReversals = pgTable("earning_reversals", {
  saleId: bigint("sale_id", { mode: "number" }).primaryKey().notNull(),
  reason: text("reason", { enum: ["refund", "dispute", "void", "review"] }).notNull(),
  transactionId: bigint("transaction_id", { mode: "number" }).notNull(),
  purchaseId: uuid("purchase_id"),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
  createdXid: text("created_xid").default(sql`pg_current_xact_id()`).notNull(),
});

export const voidRefunds = pgTable("void_refunds", {
  saleId: bigint("sale_id", { mode: "number" }).primaryKey().notNull(),
  transactionId: bigint("transaction_id", { mode: "number" }).notNull(),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
});

export const earningRestorations = pgTable("earning_restorations", {
  id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
  saleId: bigint("sale_id", { mode: "number" }).notNull(),
  purchaseId: uuid("purchase_id").notNull(),
  reversalTransactionId: bigint("reversal_transaction_id", { mode: "number" }).notNull(),
  reversedXid: text("reversed_xid").notNull(),
  transactionId: bigint("transaction_id", { mode: "number" }).notNull(),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
  createdXid: text("created_xid").default(sql`pg_current_xact_id()`).notNull(),
});
