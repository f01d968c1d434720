import { randomInt } from "node:crypto";
import { bigint, boolean, integer, pgTable, text, timestamp } from "drizzle-orm/pg-core";

// Columns for the query builder. Constraints and indexes are in db/fake-paystack.sql.

const id = () =>
  text()
    .$defaultFn(() => String(2n ** 53n + BigInt(randomInt(2 ** 47))))
    .notNull();

export const fakePaystackTransactions = pgTable("fake_paystack_transactions", {
  reference: text().primaryKey().notNull(),
  id: id(),
  customerEmail: text("customer_email").notNull(),
  title: text().notNull(),
  amountCents: integer("amount_cents").notNull(),
  currency: text().notNull(),
  callbackUrl: text("callback_url").notNull(),
  cancelUrl: text("cancel_url").notNull(),
  isCardOnly: boolean("is_card_only").notNull(),
  status: text("status", { enum: ["abandoned", "pending", "failed", "success"] })
    .default("abandoned")
    .notNull(),
  channel: text("channel", { enum: ["card", "eft"] }),
  cardLast4: text("card_last4"),
  cardSignature: text("card_signature"),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
  paidAt: timestamp("paid_at", { withTimezone: true }),
});

export const fakePaystackRefunds = pgTable("fake_paystack_refunds", {
  id: id(),
  reference: text().notNull(),
  amountCents: integer("amount_cents").notNull(),
  status: text("status", { enum: ["processed", "failed", "needs-attention"] }).notNull(),
  merchantNote: text("merchant_note"),
  disputeId: text("dispute_id"),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
});

export const fakePaystackDisputes = pgTable("fake_paystack_disputes", {
  id: id(),
  reference: text().notNull(),
  amountCents: integer("amount_cents").notNull(),
  status: text("status", { enum: ["awaiting-merchant-feedback", "resolved"] }).notNull(),
  resolution: text("resolution", { enum: ["declined", "merchant-accepted"] }),
  dueAt: timestamp("due_at", { withTimezone: true }).notNull(),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
});

export const fakePaystackRecipients = pgTable("fake_paystack_recipients", {
  code: text().primaryKey().notNull(),
  name: text().notNull(),
  accountNumber: text("account_number").notNull(),
  bankCode: text("bank_code").notNull(),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
});

export const fakePaystackTransfers = pgTable("fake_paystack_transfers", {
  reference: text().primaryKey().notNull(),
  id: id(),
  recipientCode: text("recipient_code").notNull(),
  amountCents: integer("amount_cents").notNull(),
  status: text("status", { enum: ["pending", "otp", "success", "failed", "reversed"] }).notNull(),
  reason: text().notNull(),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
});

export const fakePaystackEvents = pgTable("fake_paystack_events", {
  id: bigint({ mode: "number" }).generatedAlwaysAsIdentity().primaryKey().notNull(),
  reference: text().notNull(),
  type: text().notNull(),
  body: text().notNull(),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
  deliveredAt: timestamp("delivered_at", { withTimezone: true }),
});
