import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  date,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  uuid,
} from "drizzle-orm/pg-core";
import type { ReversalReason } from "#domain/coin-return.ts";

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
  orderedAt: timestamp("ordered_at", { withTimezone: true }),
  createdXid: text("created_xid").default(sql`pg_current_xact_id()`).notNull(),
  priceCents: integer("price_cents").notNull(),
  earningCents: integer("earning_cents").notNull(),
});

export const earnings = pgTable("earnings", {
  saleId: bigint("sale_id", { mode: "number" }).primaryKey().notNull(),
  creatorId: uuid("creator_id").notNull(),
  amountCents: integer("amount_cents").notNull(),
  payableAt: timestamp("payable_at", { withTimezone: true }).notNull(),
  heldAt: timestamp("held_at", { withTimezone: true }),
  heldReason: text("held_reason"),
  payoutId: uuid("payout_id"),
  reviewedAt: timestamp("reviewed_at", { withTimezone: true }),
  lackingCoins: smallint("lacking_coins").default(0).notNull(),
});

export const earningReversals = pgTable("earning_reversals", {
  saleId: bigint("sale_id", { mode: "number" }).primaryKey().notNull(),
  amountCents: integer("amount_cents").notNull(),
  reason: text("reason").$type<ReversalReason>().notNull(),
  transactionId: bigint("transaction_id", { mode: "number" }).notNull(),
  purchaseId: uuid("purchase_id"),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
  createdXid: text("created_xid").default(sql`pg_current_xact_id()`).notNull(),
});

export const coinReturns = pgTable(
  "coin_returns",
  {
    saleId: bigint("sale_id", { mode: "number" }).notNull(),
    step: smallint("step").notNull(),
    coins: smallint("coins").notNull(),
    totalCoins: smallint("total_coins").notNull(),
    reducedCents: integer("reduced_cents").notNull(),
    tipIds: uuid("tip_ids").array().notNull(),
    isSoldAfterRaces: boolean("is_sold_after_races").default(false).notNull(),
    transactionId: bigint("transaction_id", { mode: "number" }).notNull(),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
    createdXid: text("created_xid").default(sql`pg_current_xact_id()`).notNull(),
  },
  (table) => [primaryKey({ columns: [table.saleId, table.step] })],
);

export const coinReturnNotices = pgTable("coin_return_notices", {
  transactionId: bigint("transaction_id", { mode: "number" }).primaryKey().notNull(),
  buyerId: uuid("buyer_id").notNull(),
  raceCardId: uuid("race_card_id").notNull(),
  venueId: uuid("venue_id").notNull(),
  raceDate: date("race_date").notNull(),
  coins: smallint("coins").notNull(),
  repaidCoins: smallint("repaid_coins").notNull(),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
});
