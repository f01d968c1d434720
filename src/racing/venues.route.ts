import { createCachedJson } from "#platform/http/cached-json.server.ts";
import { readVenueSummaries } from "./read-venue-summaries.server.ts";

/** GET /api/venues: the active venues with today's going and weather. Null means that a value was not reported. */
export const venuesJson = createCachedJson({
  invalidatedBy: ["race-cards"],
  cacheControl: "public, max-age=0, must-revalidate",
  async read(at) {
    const summaries = await readVenueSummaries(at);
    return {
      venues: summaries.map((venue) => ({
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
  },
});
