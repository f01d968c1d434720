import { inArray } from "drizzle-orm";
import { database } from "#platform/database.server.ts";
import { venues } from "./tables.server.ts";

/** The names of these venues by id, deleted ones too. */
export async function readVenueNames(venueIds: readonly string[]): Promise<Map<string, string>> {
  if (venueIds.length === 0) return new Map();
  const rows = await database()
    .select({ id: venues.id, name: venues.name })
    .from(venues)
    .where(inArray(venues.id, [...new Set(venueIds)]));
  return new Map(rows.map((venue) => [venue.id, venue.name]));
}
