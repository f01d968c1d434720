import { bigint, integer, pgTable, primaryKey, text, timestamp, uuid } from "drizzle-orm/pg-core";

// Columns for the query builder. Constraints, indexes and functions are in db/migrations.

export const wallets = pgTable("wallets", {
  userId: uuid("user_id").primaryKey().notNull(),
  balanceCoins: integer("balance_coins").default(0).notNull(),
  owedCoins: integer("owed_coins").default(0).notNull(),
  frozenAt: timestamp("frozen_at", { withTimezone: true }),
  closedAt: timestamp("closed_at", { withTimezone: true }),
  forfeitedCoins: integer("forfeited_coins").default(0).notNull(),
  guestDealAt: timestamp("guest_deal_at", { withTimezone: true }),
});

export const ledgerTransactions = pgTable("ledger_transactions", {
  id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
  kind: text("kind", {
    enum: [
      "purchase",
      "welcome",
      "grant",
      "unlock",
      "reversal",
      "refund",
      "dispute",
      "payout",
      "forfeit",
      "claim",
    ],
  }).notNull(),
  reference: text().notNull(),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
});

export const ledgerPostings = pgTable("ledger_postings", {
  id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
  transactionId: bigint("transaction_id", { mode: "number" }).notNull(),
  account: text().notNull(),
  ownerId: uuid("owner_id"),
  unit: text().notNull(),
  amount: bigint({ mode: "number" }).notNull(),
  balanceAfter: integer("balance_after"),
});

export const prices = pgTable(
  "prices",
  {
    id: bigint({ mode: "number" }).notNull().generatedAlwaysAsIdentity(),
    subject: text().notNull(),
    validFrom: timestamp("valid_from", { withTimezone: true }).notNull(),
    value: integer().notNull(),
    createdBy: uuid("created_by"),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.subject, table.validFrom, table.id] })],
);
