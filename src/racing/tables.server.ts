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
    name: text(),
    distanceMetres: smallint("distance_metres"),
    surface: text({ enum: ["turf", "polytrack", "sand"] }),
  },
  (table) => [primaryKey({ columns: [table.raceDayId, table.raceNumber] })],
);

export const runners = pgTable(
  "runners",
  {
    raceDayId: uuid("race_day_id").notNull(),
    raceNumber: smallint("race_number").notNull(),
    number: smallint().notNull(),
    horseName: text("horse_name").notNull(),
    horseKey: text("horse_key").generatedAlwaysAs(sql`horse_key(horse_name)`).notNull(),
    jockey: text(),
    trainer: text(),
    draw: smallint(),
    scratchedAt: timestamp("scratched_at", { withTimezone: true }),
    source: text().notNull(),
    reportedAt: timestamp("reported_at", { withTimezone: true }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.raceDayId, table.raceNumber, table.number] })],
);

export const raceChanges = pgTable("race_changes", {
  id: bigint({ mode: "bigint" }).generatedAlwaysAsIdentity().primaryKey(),
  raceDayId: uuid("race_day_id").notNull(),
  raceNumber: smallint("race_number"),
  number: smallint(),
  kind: text({
    enum: ["off", "scratched", "reinstated", "jockey", "going", "surface", "venue", "abandoned"],
  }).notNull(),
  oldValue: text("old_value"),
  newValue: text("new_value"),
  source: text().notNull(),
  actorId: uuid("actor_id"),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
});

export const raceResults = pgTable(
  "race_results",
  {
    raceDayId: uuid("race_day_id").notNull(),
    raceNumber: smallint("race_number").notNull(),
    version: smallint().notNull(),
    id: uuid().default(sql`new_id()`).notNull(),
    status: text({ enum: ["unofficial", "official", "abandoned", "void"] }).notNull(),
    offAt: timestamp("off_at", { withTimezone: true }),
    starters: smallint(),
    placesPaid: smallint("places_paid").notNull(),
    source: text().notNull(),
    sourceUrl: text("source_url"),
    via: text({ enum: ["form", "file", "feed"] }).notNull(),
    enteredBy: uuid("entered_by"),
    enteredAt: timestamp("entered_at", { withTimezone: true }).notNull(),
    confirmedBy: uuid("confirmed_by"),
    confirmedAt: timestamp("confirmed_at", { withTimezone: true }),
    isEnteredByOnePerson: boolean("is_entered_by_one_person").default(false).notNull(),
    reason: text().default("").notNull(),
    surface: text({ enum: ["turf", "polytrack", "sand"] }),
    hasEnteredNames: boolean("has_entered_names").default(false).notNull(),
  },
  (table) => [primaryKey({ columns: [table.raceDayId, table.raceNumber, table.version] })],
);

export const resultRunners = pgTable(
  "result_runners",
  {
    raceDayId: uuid("race_day_id").notNull(),
    raceNumber: smallint("race_number").notNull(),
    version: smallint().notNull(),
    number: smallint().notNull(),
    horseName: text("horse_name"),
    outcome: text({
      enum: ["finished", "did-not-finish", "disqualified", "non-runner"],
    }).notNull(),
    position: smallint(),
    startingPriceNumerator: smallint("starting_price_numerator"),
    startingPriceDenominator: smallint("starting_price_denominator"),
    winDividendCents: integer("win_dividend_cents"),
    placeDividendCents: integer("place_dividend_cents"),
  },
  (table) => [
    primaryKey({ columns: [table.raceDayId, table.raceNumber, table.version, table.number] }),
  ],
);
