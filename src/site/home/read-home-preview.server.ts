import { cachedReads } from "#platform/read-cache.server.ts";
import { findVenue, readVenueSummaries, type VenueSummary } from "#racing/racing.server.ts";
import { readStandings } from "#standings/standings.server.ts";
import { countRemainingToday, listRaceCardsOnSale } from "#tips/tips.server.ts";

// Kept low, because each race card is sent both as HTML and as loader data.
const RACE_CARDS_PER_PAGE = 4;
const STATUS_ORDER = ["racing", "next", "upcoming"];
/** The maximum delay of a change caused only by the clock, such as an off. */
const CACHE_MS = 5_000;

export type HomePreview = Awaited<ReturnType<typeof readUncached>>;
type HomeParams = { at: Date; venue: string | null; after: string | null };

const cached = cachedReads<HomePreview>({
  invalidatedBy: ["race-cards", "standings"],
  ttlMs: CACHE_MS,
  max: 200,
});

/**
 * Reads the part of the home page that is identical for all viewers. Cached briefly, until race
 * cards or standings change.
 */
export async function readHomePreview(params: HomeParams): Promise<HomePreview> {
  const { at, venue, after } = params;
  const key = JSON.stringify([Math.floor(at.getTime() / CACHE_MS), venue, after]);
  return await cached(key, () => readUncached(params));
}

async function readUncached({ at, venue: slug, after }: HomeParams) {
  const [venues, remainingToday, standings, venue] = await Promise.all([
    readVenueSummaries(at),
    countRemainingToday(at),
    readStandings(),
    findActiveVenue(slug),
  ]);
  const { raceCards, next } = await listRaceCardsOnSale({
    at,
    venueId: venue?.id,
    cursor: after,
    limit: RACE_CARDS_PER_PAGE,
  });
  return {
    readAt: at,
    venues: venues.toSorted((a, b) => statusOrder(a) - statusOrder(b)),
    venue: venue && { slug: venue.slug, name: venue.name },
    leftToday: remainingToday,
    standings: standings.map(({ creatorId: _, kind: __, winRate: ___, ...row }) => row),
    raceCards,
    next,
    isFirst: after === null,
  };
}

/** Sorts venues with racing first. */
function statusOrder({ status }: VenueSummary): number {
  return status === null ? STATUS_ORDER.length : STATUS_ORDER.indexOf(status);
}

async function findActiveVenue(slug: string | null) {
  const venue = slug ? await findVenue(slug) : null;
  return venue?.isActive ? venue : null;
}
