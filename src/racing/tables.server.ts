import { sql } from "drizzle-orm";
import {
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

// Columns for the query builder. Constraints, indexes and functions are in db/migrations.

export const venues = pgTable("venues", {
  id: uuid().default(sql`new_id()`).primaryKey().notNull(),
  name: text().notNull(),
  slug: text().notNull(),
  location: text().notNull(),
  totalRaces: integer("total_races").notNull(),
  isActive: boolean("is_active").default(true).notNull(),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
  updatedAt: timestamp("updated_at", { withTimezone: true }).notNull(),
  deletedAt: timestamp("deleted_at", { withTimezone: true }),
});

export const raceDays = pgTable("race_days", {
  id: uuid().default(sql`new_id()`).primaryKey().notNull(),
  venueId: uuid("venue_id").notNull(),
  raceDate: date("race_date").notNull(),
  going: text("going", { enum: ["Fast", "Good", "Soft", "Heavy"] }),
  weather: text("weather", { enum: ["sunny", "cloudy", "rainy", "windy"] }),
  weatherDescription: text("weather_description"),
  temperatureCelsius: smallint("temperature_celsius"),
  humidityPercent: smallint("humidity_percent"),
  windKmh: smallint("wind_kmh"),
  source: text().notNull(),
  reportedAt: timestamp("reported_at", { withTimezone: true }).notNull(),
  version: integer().default(1).notNull(),
});

export const races = pgTable(
  "races",
  {
    raceDayId: uuid("race_day_id").notNull(),
    raceNumber: smallint("race_number").notNull(),
    offAt: timestamp("off_at", { withTimezone: true }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.raceDayId, table.raceNumber] })],
);
