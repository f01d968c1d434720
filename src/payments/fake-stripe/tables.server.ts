import { integer, jsonb, pgTable, text, timestamp } from "drizzle-orm/pg-core";

// Columns for the query builder. Constraints and indexes are in db/fake-stripe.sql.

export const fakeStripeSessions = pgTable("fake_stripe_sessions", {
  id: text().primaryKey().notNull(),
  idempotencyKey: text("idempotency_key"),
  request: jsonb().$type<Record<string, string>>().notNull(),
  clientReferenceId: text("client_reference_id").notNull(),
  customerEmail: text("customer_email").notNull(),
  title: text().notNull(),
  description: text().notNull(),
  amountCents: integer("amount_cents").notNull(),
  currency: text().notNull(),
  successUrl: text("success_url").notNull(),
  cancelUrl: text("cancel_url").notNull(),
  status: text("status", { enum: ["open", "complete", "expired"] })
    .default("open")
    .notNull(),
  paymentStatus: text("payment_status", { enum: ["unpaid", "paid", "failed"] })
    .default("unpaid")
    .notNull(),
  paymentIntentId: text("payment_intent_id"),
  cardLast4: text("card_last4"),
  cardFingerprint: text("card_fingerprint"),
  cardWallet: text("card_wallet"),
  cardHolder: text("card_holder"),
  refundedCents: integer("refunded_cents").default(0).notNull(),
  failedRefundCents: integer("failed_refund_cents").default(0).notNull(),
  refunds: jsonb().$type<Record<string, number>>().default({}).notNull(),
  disputedCents: integer("disputed_cents"),
  disputeStatus: text("dispute_status", { enum: ["needs_response", "won", "lost"] }),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
  expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
});

export const fakeStripeEvents = pgTable("fake_stripe_events", {
  id: text().primaryKey().notNull(),
  type: text().notNull(),
  payload: jsonb().$type<Record<string, unknown>>().notNull(),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
  deliveredAt: timestamp("delivered_at", { withTimezone: true }),
});
