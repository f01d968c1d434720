import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  date,
  integer,
  pgTable,
  smallint,
  text,
  timestamp,
  uuid,
} from "drizzle-orm/pg-core";

// Columns for the query builder. Constraints, indexes and functions are in db/migrations.

export const creators = pgTable("creators", {
  userId: uuid("user_id").primaryKey().notNull(),
  kind: text("kind", { enum: ["tipster", "analyst"] }).notNull(),
  displayName: text("display_name").notNull(),
  slug: text().notNull(),
  specialization: text().default("").notNull(),
  bio: text().default("").notNull(),
  profileImage: text("profile_image"),
  approvedAt: timestamp("approved_at", { withTimezone: true }).notNull(),
  approvedBy: uuid("approved_by"),
  suspendedAt: timestamp("suspended_at", { withTimezone: true }),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
  updatedAt: timestamp("updated_at", { withTimezone: true }).notNull(),
});

export const tipsterApplications = pgTable("tipster_applications", {
  id: uuid().default(sql`new_id()`).primaryKey().notNull(),
  email: text().notNull(),
  fullName: text("full_name").notNull(),
  displayName: text("display_name").notNull(),
  phoneNumber: text("phone_number").default("").notNull(),
  experienceYears: smallint("experience_years"),
  specialization: text().default("").notNull(),
  favouriteTracks: text("favourite_tracks").default("").notNull(),
  bio: text().default("").notNull(),
  status: text("status", { enum: ["applied", "approved", "declined"] })
    .default("applied")
    .notNull(),
  decidedAt: timestamp("decided_at", { withTimezone: true }),
  decidedBy: uuid("decided_by"),
  reason: text(),
  userId: uuid("user_id"),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
  agreedAt: timestamp("agreed_at", { withTimezone: true }),
});

export const analystInvitations = pgTable("analyst_invitations", {
  userId: uuid("user_id").primaryKey().notNull(),
  displayName: text("display_name").notNull(),
  invitedBy: uuid("invited_by").notNull(),
  invitedAt: timestamp("invited_at", { withTimezone: true }).notNull(),
  withdrawnAt: timestamp("withdrawn_at", { withTimezone: true }),
});

export const creatorRecords = pgTable("creator_records", {
  creatorId: uuid("creator_id").primaryKey().notNull(),
  tips: integer().default(0).notNull(),
  settled: integer().default(0).notNull(),
  won: integer().default(0).notNull(),
  isTallied: boolean("is_tallied").default(false).notNull(),
});

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
  batchKey: text("batch_key").notNull(),
  raceCardId: uuid("race_card_id").notNull(),
  raceNumbers: smallint("race_numbers").array().notNull(),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
});

export const tips = pgTable("tips", {
  id: uuid().default(sql`new_id()`).primaryKey().notNull(),
  raceCardId: uuid("race_card_id").notNull(),
  raceNumber: smallint("race_number").notNull(),
  givenOffAt: timestamp("given_off_at", { withTimezone: true }),
  horseNumber: smallint("horse_number").notNull(),
  horseName: text("horse_name").notNull(),
  tipType: text("tip_type", { enum: ["win", "place", "each-way"] }).notNull(),
  confidence: text("confidence", { enum: ["high", "medium", "low"] }).notNull(),
  analysis: text().notNull(),
  tipText: text("tip_text").notNull(),
  isLate: boolean("is_late").notNull(),
  publishedAt: timestamp("published_at", { withTimezone: true }).notNull(),
  hiddenAt: timestamp("hidden_at", { withTimezone: true }),
  isActive: boolean("is_active").notNull().generatedAlwaysAs(sql`(hidden_at IS NULL)`),
  deletedAt: timestamp("deleted_at", { withTimezone: true }),
  result: text("result", { enum: ["won", "lost", "void"] }),
  settledAt: timestamp("settled_at", { withTimezone: true }),
  settledBy: uuid("settled_by"),
  newestSaleId: bigint("newest_sale_id", { mode: "number" }).default(sql`newest_sale_id()`),
});

export const resultEntries = pgTable("result_entries", {
  id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
  tipId: uuid("tip_id").notNull(),
  result: text("result", { enum: ["won", "lost", "void"] }),
  actorId: uuid("actor_id").notNull(),
  reason: text().default("").notNull(),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
});

export const creatorNotices = pgTable("creator_notices", {
  id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
  creatorId: uuid("creator_id").notNull(),
  title: text().notNull(),
  message: text().notNull(),
  reason: text().default("").notNull(),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
});
