import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
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
  photo: text("profile_image"),
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
  cancelledAt: timestamp("withdrawn_at", { withTimezone: true }),
});

export const creatorRecords = pgTable("creator_records", {
  creatorId: uuid("creator_id").primaryKey().notNull(),
  tips: integer().default(0).notNull(),
  settled: integer().default(0).notNull(),
  won: integer().default(0).notNull(),
  hasOnePersonResults: boolean("has_one_person_results").default(false).notNull(),
  isTallied: boolean("is_tallied").default(false).notNull(),
});

export const creatorNotices = pgTable("creator_notices", {
  id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
  creatorId: uuid("creator_id").notNull(),
  title: text().notNull(),
  message: text().notNull(),
  reason: text().default("").notNull(),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
});
