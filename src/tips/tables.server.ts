import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  date,
  doublePrecision,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  uuid,
} from "drizzle-orm/pg-core";
import { VOID_REASONS } from "#domain/settlement.ts";

// Columns for the query builder. Constraints, indexes and functions are in db/migrations.

export const raceCards = pgTable("race_cards", {
  id: uuid().default(sql`new_id()`).primaryKey().notNull(),
  creatorId: uuid("creator_id").notNull(),
  venueId: uuid("venue_id").notNull(),
  raceDate: date("race_date").notNull(),
  publishedAt: timestamp("published_at", { withTimezone: true }).notNull(),
});

export const batches = pgTable("batches", {
  id: uuid().default(sql`new_id()`).primaryKey().notNull(),
  creatorId: uuid("creator_id").notNull(),
  idempotencyKey: text("idempotency_key").notNull(),
  raceCardId: uuid("race_card_id").notNull(),
  raceNumbers: smallint("race_numbers").array().notNull(),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
});

export const tips = pgTable("tips", {
  id: uuid().default(sql`new_id()`).primaryKey().notNull(),
  raceCardId: uuid("race_card_id").notNull(),
  raceNumber: smallint("race_number").notNull(),
  enteredOffAt: timestamp("entered_off_at", { withTimezone: true }),
  horseNumber: smallint("horse_number").notNull(),
  horseName: text("horse_name").notNull(),
  tipType: text("tip_type", { enum: ["win", "place", "each-way"] }).notNull(),
  confidence: text("confidence", { enum: ["high", "medium", "low"] }).notNull(),
  analysis: text().notNull(),
  tipText: text("tip_text").notNull(),
  isLate: boolean("is_late").notNull(),
  wasOffKnown: boolean("was_off_known").default(true).notNull(),
  publishedAt: timestamp("published_at", { withTimezone: true }).notNull(),
  hiddenAt: timestamp("hidden_at", { withTimezone: true }),
  isActive: boolean("is_active").notNull().generatedAlwaysAs(sql`(hidden_at IS NULL)`),
  deletedAt: timestamp("deleted_at", { withTimezone: true }),
  result: text("result", { enum: ["won", "lost", "void"] }),
  settledAt: timestamp("settled_at", { withTimezone: true }),
  settledBy: uuid("settled_by"),
  isClaim: boolean("is_claim").default(false).notNull(),
  claimedResult: text("claimed_result", { enum: ["won", "lost"] }),
  settlementVersion: smallint("settlement_version"),
  newestSaleIdWhenPublished: bigint("newest_sale_id", { mode: "number" }).default(
    sql`newest_sale_id()`,
  ),
});

export const tipSettlements = pgTable(
  "tip_settlements",
  {
    tipId: uuid("tip_id").notNull(),
    raceDayId: uuid("race_day_id").notNull(),
    raceNumber: smallint("race_number").notNull(),
    version: smallint().notNull(),
    rules: text().notNull(),
    outcome: text({ enum: ["won", "placed", "lost", "void"] }).notNull(),
    voidReason: text("void_reason", { enum: VOID_REASONS }),
    position: smallint(),
    deadHeatCount: smallint("dead_heat_count").notNull(),
    winStakeCents: smallint("win_stake_cents"),
    winStartingPriceReturnCents: integer("win_starting_price_return_cents"),
    winToteReturnCents: integer("win_tote_return_cents"),
    placeStakeCents: smallint("place_stake_cents"),
    placeToteReturnCents: integer("place_tote_return_cents"),
    runnerNumber: smallint("runner_number"),
    expectedWin: doublePrecision("expected_win"),
    favouriteReturnCents: integer("favourite_return_cents"),
    settledAt: timestamp("settled_at", { withTimezone: true }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.tipId, table.version] })],
);

export const voidRaceCards = pgTable(
  "void_race_cards",
  {
    raceCardId: uuid("race_card_id").notNull(),
    voidedAt: timestamp("voided_at", { withTimezone: true }).notNull(),
    isVoidedByAdmin: boolean("is_voided_by_admin").default(false).notNull(),
  },
  (table) => [primaryKey({ columns: [table.raceCardId, table.isVoidedByAdmin] })],
);

export const tipResults = pgTable("tip_results", {
  id: uuid().primaryKey().default(sql`new_id()`),
  raceCardId: uuid("race_card_id").notNull(),
  tipId: uuid("tip_id"),
  result: text({ enum: ["won", "lost", "void"] }).notNull(),
  reason: text().notNull(),
  enteredBy: uuid("entered_by").notNull(),
  enteredAt: timestamp("entered_at", { withTimezone: true }).notNull(),
  confirmedBy: uuid("confirmed_by"),
  confirmedAt: timestamp("confirmed_at", { withTimezone: true }),
  isEnteredByOnePerson: boolean("is_entered_by_one_person").default(false).notNull(),
});

export const resultEntries = pgTable("result_entries", {
  id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
  tipId: uuid("tip_id").notNull(),
  result: text("result", { enum: ["won", "lost", "void"] }),
  actorId: uuid("actor_id").notNull(),
  reason: text().default("").notNull(),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
});
