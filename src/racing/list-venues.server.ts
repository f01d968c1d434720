import { and, asc, eq, isNull } from "drizzle-orm";
import { database } from "#platform/database.server.ts";
import { venues } from "./tables.server.ts";
import { type Venue, venueColumns } from "./venue.server.ts";

/** The active venues by name; with `all`, those the operator has switched off too. Deleted ones never. */
export async function listVenues({ all = false }: { all?: boolean } = {}): Promise<Venue[]> {
  return await database()
    .select(venueColumns)
    .from(venues)
    .where(and(isNull(venues.deletedAt), all ? undefined : eq(venues.isActive, true)))
    .orderBy(asc(venues.name));
}
