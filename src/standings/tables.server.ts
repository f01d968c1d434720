import { bigint, date, integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";

// Columns for the query builder. Constraints, indexes and functions are in db/migrations.

export const standings = pgTable(
  "standings",
  {
    creatorId: uuid("creator_id").notNull(),
    month: date().notNull(),
    sales: integer().default(0).notNull(),
    coinsEarned: bigint("coins_earned", { mode: "number" }).default(0).notNull(),
  },
  (table) => [primaryKey({ columns: [table.creatorId, table.month] })],
);

export const rollUpPositions = pgTable("roll_up_positions", {
  name: text().primaryKey().notNull(),
  beforeXid: text("before_xid").notNull(),
});
