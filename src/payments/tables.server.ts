import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  customType,
  date,
  integer,
  pgTable,
  text,
  timestamp,
  uuid,
} from "drizzle-orm/pg-core";
import type { DisputeStatus, ProviderName } from "./gateway.ts";
import type { PaymentState } from "./payment-state.ts";

// Columns for the query builder. Constraints, indexes and functions are in db/migrations.

/** The words in the column `orders.status`. */
const STORED_STATES = {
  unpaid: "pending",
  delayed: "awaiting_payment",
  paid: "fulfilled",
  failed: "failed",
  expired: "expired",
} satisfies Record<PaymentState, string>;

const paymentState = customType<{ data: PaymentState; driverData: string }>({
  dataType: () => "text",
  toDriver: (state) => STORED_STATES[state],
  fromDriver(stored) {
    const states = Object.keys(STORED_STATES) as PaymentState[];
    const state = states.find((each) => STORED_STATES[each] === stored);
    if (!state) throw new Error(`unknown status of an order: ${stored}`);
    return state;
  },
});

export const orders = pgTable("orders", {
  id: uuid().default(sql`new_id()`).primaryKey().notNull(),
  userId: uuid("user_id"),
  coinPackId: text("coin_pack_id").notNull(),
  coinPackTitle: text("coin_pack_title").notNull(),
  coins: integer().notNull(),
  amountCents: integer("amount_cents").notNull(),
  currency: text().default("zar").notNull(),
  raceCardId: uuid("race_card_id"),
  idempotencyKey: text("idempotency_key").notNull(),
  status: paymentState("status").default("unpaid").notNull(),
  provider: text().$type<ProviderName>().notNull(),
  sessionId: text("session_id"),
  // The column has its earlier name, because the version before reads it during an upgrade.
  guestTokenHash: text("browser_hash"),
  note: text(),
  guestOutcome: text("guest_outcome", {
    enum: ["new-account", "repeat", "no-card", "existing-account"],
  }),
  signInUntil: timestamp("sign_in_until", { withTimezone: true }),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
  updatedAt: timestamp("updated_at", { withTimezone: true }).notNull(),
});

export const paymentAttempts = pgTable("payment_attempts", {
  orderId: uuid("order_id").notNull(),
  number: integer().notNull(),
  provider: text().$type<ProviderName>().notNull(),
  state: text("state", { enum: ["started", "open", "none"] })
    .default("started")
    .notNull(),
  sessionId: text("session_id"),
  checkoutUrl: text("checkout_url"),
  expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
});

export const pendingRegistrations = pgTable("pending_registrations", {
  orderId: uuid("order_id").primaryKey().notNull(),
  email: text().notNull(),
  name: text().notNull(),
  passwordHash: text("password_hash"),
  agreedAt: timestamp("agreed_at", { withTimezone: true }).notNull(),
});

export const coinPurchases = pgTable("coin_purchases", {
  id: uuid().default(sql`new_id()`).primaryKey().notNull(),
  orderId: uuid("order_id").notNull(),
  userId: uuid("user_id").notNull(),
  coinPackTitle: text("coin_pack_title").notNull(),
  coins: integer().notNull(),
  amountCents: integer("amount_cents").notNull(),
  currency: text().notNull(),
  provider: text().$type<ProviderName>().notNull(),
  sessionId: text("session_id").notNull(),
  paymentId: text("payment_id"),
  cardFingerprint: text("card_fingerprint"),
  transactionId: bigint("transaction_id", { mode: "number" }).notNull(),
  openedRaceCardId: uuid("opened_race_card_id"),
  welcomeCoins: integer("welcome_coins").default(0).notNull(),
  refundedCents: integer("refunded_cents").default(0).notNull(),
  lostCents: integer("lost_cents").default(0).notNull(),
  recoveredCoins: integer("recovered_coins").default(0).notNull(),
  recoveredWelcomeCoins: integer("recovered_welcome_coins").default(0).notNull(),
  disputeStatus: text("dispute_status").$type<DisputeStatus>(),
  receiptMailedAt: timestamp("receipt_mailed_at", { withTimezone: true }),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
  createdXid: text("created_xid").default(sql`pg_current_xact_id()`).notNull(),
});

export const guestDeals = pgTable("guest_deals", {
  orderId: uuid("order_id").primaryKey().notNull(),
  email: text().notNull(),
  cardFingerprint: text("card_fingerprint").notNull(),
  payerHash: text("payer_hash"),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
});

export const purchaseAdjustments = pgTable("purchase_adjustments", {
  id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
  purchaseId: uuid("purchase_id").notNull(),
  transactionId: bigint("transaction_id", { mode: "number" }).notNull(),
  kind: text("kind", { enum: ["refund", "dispute"] }).notNull(),
  cents: integer().notNull(),
  coins: integer().notNull(),
  welcomeCoins: integer("welcome_coins").notNull(),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
});

export const paymentReports = pgTable("payment_reports", {
  provider: text().$type<ProviderName>().notNull(),
  paymentId: text("payment_id").notNull(),
  chargedCents: integer("charged_cents"),
  currency: text(),
  refundedCents: integer("refunded_cents").default(0).notNull(),
  lostCents: integer("lost_cents").default(0).notNull(),
  disputeStatus: text("dispute_status").$type<DisputeStatus>(),
  fetchSequence: bigint("fetch_sequence", { mode: "number" }).default(0).notNull(),
  updatedAt: timestamp("updated_at", { withTimezone: true }).notNull(),
});

export const paymentEvents = pgTable("payment_events", {
  provider: text().$type<ProviderName>().notNull(),
  id: text().notNull(),
  type: text().notNull(),
  sessionId: text("session_id"),
  paymentId: text("payment_id"),
  transferReference: text("transfer_reference"),
  receivedAt: timestamp("received_at", { withTimezone: true }).notNull(),
  handledAt: timestamp("handled_at", { withTimezone: true }),
  outcome: text(),
  recordedAt: timestamp("recorded_at", { withTimezone: true }).default(sql`now()`).notNull(),
  lastAttemptAt: timestamp("last_attempt_at", { withTimezone: true }),
});

export const paymentPositions = pgTable("payment_positions", {
  name: text().primaryKey().notNull(),
  reachedAt: timestamp("reached_at", { withTimezone: true }).notNull(),
});

export const purchaseDaysPosition = pgTable("purchase_days_position", {
  isSingleton: boolean("is_singleton").default(true).primaryKey().notNull(),
  beforeXid: text("before_xid").notNull(),
});

export const unspentCoinRefunds = pgTable("unspent_coin_refunds", {
  id: uuid().default(sql`new_id()`).primaryKey().notNull(),
  userId: uuid("user_id").notNull(),
  purchaseId: uuid("purchase_id").notNull(),
  coins: integer().notNull(),
  amountCents: integer("amount_cents").notNull(),
  returnedCentsBefore: integer("returned_cents_before").notNull(),
  status: text("status", { enum: ["requested", "sent", "failed", "claimed", "paid"] }).notNull(),
  sendingUntil: timestamp("sending_until", { withTimezone: true }),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
  claimedBy: uuid("claimed_by"),
  claimTransactionId: bigint("claim_transaction_id", { mode: "number" }),
});

export const purchaseRefunds = pgTable("purchase_refunds", {
  id: uuid().primaryKey().notNull(),
  purchaseId: uuid("purchase_id").notNull(),
  amountCents: integer("amount_cents").notNull(),
  isBorneByHouse: boolean("is_borne_by_house").notNull(),
  reason: text().notNull(),
  requestedBy: uuid("requested_by"),
  returnedCentsBefore: integer("returned_cents_before").notNull(),
  status: text("status", { enum: ["requested", "sent", "failed"] }).notNull(),
  sendingUntil: timestamp("sending_until", { withTimezone: true }),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
  grantTransactionId: bigint("grant_transaction_id", { mode: "number" }),
});

export const claimCodes = pgTable("claim_codes", {
  userId: uuid("user_id").primaryKey().notNull(),
  codeHash: text("code_hash").notNull(),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
  expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
});

export const customerMoneyDays = pgTable("customer_money_days", {
  day: date().notNull(),
  maxAgeDays: integer("max_age_days"),
  purchases: integer().notNull(),
  coins: bigint({ mode: "number" }).notNull(),
  amountCents: bigint("amount_cents", { mode: "number" }).notNull(),
  summedAt: timestamp("summed_at", { withTimezone: true }).notNull(),
});
