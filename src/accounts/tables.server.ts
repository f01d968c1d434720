import { sql } from "drizzle-orm";
import { bigint, boolean, pgTable, primaryKey, text, timestamp, uuid } from "drizzle-orm/pg-core";

// Columns for the query builder. Constraints, indexes and functions are in db/migrations.

export const users = pgTable("users", {
  id: uuid().default(sql`new_id()`).primaryKey().notNull(),
  email: text().notNull(),
  name: text().notNull(),
  emailVerified: boolean("email_verified").default(false).notNull(),
  image: text(),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
  updatedAt: timestamp("updated_at", { withTimezone: true }).notNull(),
  agreedAt: timestamp("agreed_at", { withTimezone: true }),
  closedAt: timestamp("closed_at", { withTimezone: true }),
});

export const userRoles = pgTable(
  "user_roles",
  {
    userId: uuid("user_id").notNull(),
    role: text("role", { enum: ["tipster", "analyst", "admin"] }).notNull(),
    grantedAt: timestamp("granted_at", { withTimezone: true }).notNull(),
    grantedBy: uuid("granted_by"),
  },
  (table) => [primaryKey({ columns: [table.userId, table.role] })],
);

export const sessions = pgTable("sessions", {
  id: uuid().default(sql`new_id()`).primaryKey().notNull(),
  token: text().notNull(),
  userId: uuid("user_id").notNull(),
  expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
  updatedAt: timestamp("updated_at", { withTimezone: true }).notNull(),
  ipAddress: text("ip_address"),
  userAgent: text("user_agent"),
  codeVerifiedAt: timestamp("code_verified_at", { withTimezone: true }),
});

export const credentials = pgTable("credentials", {
  id: uuid().default(sql`new_id()`).primaryKey().notNull(),
  accountId: text("account_id").notNull(),
  providerId: text("provider_id").notNull(),
  userId: uuid("user_id").notNull(),
  password: text(),
  accessToken: text("access_token"),
  refreshToken: text("refresh_token"),
  idToken: text("id_token"),
  accessTokenExpiresAt: timestamp("access_token_expires_at", { withTimezone: true }),
  refreshTokenExpiresAt: timestamp("refresh_token_expires_at", { withTimezone: true }),
  scope: text(),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
  updatedAt: timestamp("updated_at", { withTimezone: true }).notNull(),
});

export const verifications = pgTable("verifications", {
  id: uuid().default(sql`new_id()`).primaryKey().notNull(),
  identifier: text().notNull(),
  value: text().notNull(),
  expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
  updatedAt: timestamp("updated_at", { withTimezone: true }).notNull(),
});

export const emailLinks = pgTable("email_links", {
  tokenHash: text("token_hash").primaryKey().notNull(),
  userId: uuid("user_id").notNull(),
  purpose: text("purpose", {
    enum: ["confirm-email", "disown", "change-email", "reset-password", "set-password"],
  }).notNull(),
  email: text().notNull(),
  browserHash: text("browser_hash"),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
  expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
  usedAt: timestamp("used_at", { withTimezone: true }),
});

export const twoStepKeys = pgTable("two_step_keys", {
  userId: uuid("user_id").primaryKey().notNull(),
  encryptedKey: text("encrypted_key").notNull(),
  lastStep: bigint("last_step", { mode: "number" }).notNull(),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
});

// Separate from `analyst_invitations`, which name a user and a display name instead of an address and a link:
// during an upgrade machines of the previous version would take a row of another role for an admin's.
export const adminInvitations = pgTable("admin_invitations", {
  id: uuid().default(sql`new_id()`).primaryKey().notNull(),
  email: text().notNull(),
  tokenHash: text("token_hash").notNull(),
  invitedBy: uuid("invited_by").notNull(),
  invitedAt: timestamp("invited_at", { withTimezone: true }).notNull(),
  expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
  acceptedAt: timestamp("accepted_at", { withTimezone: true }),
  acceptedBy: uuid("accepted_by"),
  endedAt: timestamp("ended_at", { withTimezone: true }),
});

export const recoveryCodes = pgTable(
  "recovery_codes",
  {
    userId: uuid("user_id").notNull(),
    codeHash: text("code_hash").notNull(),
    usedAt: timestamp("used_at", { withTimezone: true }),
  },
  (table) => [primaryKey({ columns: [table.userId, table.codeHash] })],
);
