import { createCachedJson } from "#platform/http/cached-json.server.ts";
import { readVenueBoard } from "./read-venue-board.server.ts";

/** GET /api/venues: the active venues with today's reports. Null means 'not reported'. */
export const venues = createCachedJson({
  clearedBy: ["race-cards"],
  cacheControl: "public, max-age=0, must-revalidate",
  async read(at) {
    const board = await readVenueBoard(at);
    const value = {
      venues: board.map((venue) => ({
        id: venue.id,
        slug: venue.slug,
        name: venue.name,
        location: venue.location,
        total_races: venue.totalRaces,
        status: venue.status,
        going: venue.today?.going ?? null,
        weather: venue.today?.weather ?? null,
        temperature_celsius: venue.today?.temperatureCelsius ?? null,
        source: venue.today?.source ?? null,
        reported_at: venue.today?.reportedAt.toISOString() ?? null,
      })),
    };
    return { value };
  },
});
