import { now } from "#platform/clock.server.ts";
import type { HttpContext } from "#platform/http/http.server.ts";
import { readVenueBoard } from "./read-venue-board.server.ts";

/** GET /api/venues: the active venues with today's reports. Null means 'not reported'. */
export async function venues(c: HttpContext): Promise<Response> {
  const board = await readVenueBoard(now());
  c.header("Cache-Control", "public, max-age=0, must-revalidate");
  return c.json({
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
  });
}
