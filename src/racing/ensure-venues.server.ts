import { now } from "#platform/clock.server.ts";
import { database } from "#platform/database.server.ts";
import { venues } from "./tables.server.ts";

const BUILT_IN_VENUES = [
  { name: "Kenilworth", location: "Cape Town", totalRaces: 8 },
  { name: "Greyville", location: "Durban", totalRaces: 10 },
  { name: "Turffontein", location: "Johannesburg", totalRaces: 12 },
  { name: "Vaal", location: "Vereeniging", totalRaces: 12 },
  { name: "Scottsville", location: "Pietermaritzburg", totalRaces: 10 },
  { name: "Fairview", location: "Gqeberha (Port Elizabeth)", totalRaces: 12 },
];

/**
 * Creates the six built-in venues if they are missing. Does not overwrite the admins' changes or
 * restore deleted ones.
 */
export async function ensureVenues(): Promise<void> {
  const at = now();
  await database()
    .insert(venues)
    .values(
      BUILT_IN_VENUES.map((venue) => ({
        ...venue,
        slug: venue.name.toLowerCase(),
        createdAt: at,
        updatedAt: at,
      })),
    )
    .onConflictDoNothing();
}
