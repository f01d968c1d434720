import { readTopCreators } from "#leaderboard/leaderboard.server.ts";
import { cachedReads } from "#platform/read-cache.server.ts";
import { findVenue, readVenueBoard, type VenueOnBoard } from "#racing/racing.server.ts";
import { countRemainingToday, listRaceCardsOnSale } from "#tips/tips.server.ts";

// What is read on a phone before anybody asks for more; each is sent as markup and as data.
const RACE_CARDS_PER_PAGE = 4;
const STANDINGS = ["racing", "next", "upcoming"];
/** What the clock alone changes (a race goes off) shows after so long at the latest. */
const KEEP_MS = 5_000;

type HomeFront = Awaited<ReturnType<typeof readAnew>>;
type Asked = { at: Date; venue: string | null; after: string | null };

const kept = cachedReads<HomeFront>({
  until: ["race-cards", "leaderboard"],
  forMs: KEEP_MS,
  max: 200,
});

/** Home as everybody sees it alike: kept for some seconds in this process, until there is news. */
export async function readHomePreview(asked: Asked): Promise<HomeFront> {
  const { at, venue, after } = asked;
  const key = JSON.stringify([Math.floor(at.getTime() / KEEP_MS), venue, after]);
  return await kept(key, () => readAnew(asked));
}

async function readAnew({ at, venue: slug, after }: Asked) {
  const [venues, leftToday, board, venue] = await Promise.all([
    readVenueBoard(at),
    countRemainingToday(at),
    readTopCreators(),
    findWantedVenue(slug),
  ]);
  const { raceCards, next } = await listRaceCardsOnSale({
    at,
    venueId: venue?.id,
    cursor: after,
    limit: RACE_CARDS_PER_PAGE,
  });
  return {
    readAt: at,
    venues: venues.toSorted((one, other) => standing(one) - standing(other)),
    venue: venue && { slug: venue.slug, name: venue.name },
    leftToday,
    board: board.map(({ creatorId: _, kind: __, winRate: ___, ...row }) => row),
    raceCards,
    next,
    isFirst: after === null,
  };
}

/** Where there is racing stands first. */
function standing({ status }: VenueOnBoard): number {
  return status === null ? STANDINGS.length : STANDINGS.indexOf(status);
}

async function findWantedVenue(slug: string | null) {
  const venue = slug ? await findVenue(slug) : null;
  return venue?.isActive ? venue : null;
}
