import { type CalendarDate, dateAt } from "#domain/calendar.ts";
import { compareTrackRecords } from "#domain/track-record.ts";
import { cachedReads } from "#platform/read-cache.server.ts";
import { readVenueSummaries, type VenueSummary } from "#racing/racing.server.ts";
import {
  type Ranking,
  readLastResults,
  readRankings,
  readVenueTallies,
} from "#records/records.server.ts";
import { readStandings, type Standing } from "#standings/standings.server.ts";
import {
  countRemainingToday,
  listRaceCardsOnSale,
  type RaceCardPreview,
} from "#tips/tips.server.ts";
import { buildListPath, type ListFilter } from "./list-filter.ts";
import { type SharedRow, toSharedRow } from "./list-rows.server.ts";
import { groupBy, sortRaceCards } from "./sort-race-cards.ts";

/** The maximum number of race cards on sale on all days. */
const MAX_RACE_CARDS = 500;
/** With more, a full page would exceed 80 kB and 1,000 elements: `home-weight.test.ts`. */
const RACE_CARDS_PER_PAGE = 10;
const BOARD_LENGTH = 5;
const STATUS_ORDER = ["racing", "next", "upcoming"];
/** The maximum delay of a change caused only by the clock, such as an off. */
const CACHE_MS = 5_000;
const CACHE_OPTIONS = { invalidatedBy: ["race-cards", "standings"], ttlMs: CACHE_MS } as const;

export type HomePreview = Awaited<ReturnType<typeof readUncached>>;
type HomeParams = { at: Date; filter: ListFilter };

const cachedPreviews = cachedReads<HomePreview>({ ...CACHE_OPTIONS, max: 200 });
const cachedData = cachedReads<Awaited<ReturnType<typeof readData>>>({ ...CACHE_OPTIONS, max: 1 });

/**
 * Reads the part of the home page that is identical for all viewers. Cached briefly, until race
 * cards or standings change.
 */
export async function readHomePreview(params: HomeParams): Promise<HomePreview> {
  const key = JSON.stringify([toSlot(params.at), params.filter]);
  return await cachedPreviews(key, () => readUncached(params));
}

/**
 * Returns every race card on sale on a day as rows, soonest off first, and the number of race cards of each day. It
 * uses the data of the home page without its pages.
 */
export async function readRowsOfDay(
  date: CalendarDate,
  at: Date,
): Promise<{ rows: SharedRow[]; days: { date: CalendarDate; count: number }[] }> {
  const data = await cachedData(`${toSlot(at)}`, () => readData(at));
  return {
    rows: data.raceCards
      .filter(({ raceDate }) => raceDate === date)
      .map((raceCard) => toSharedRow(raceCard, findFigures(data, raceCard))),
    days: listDays(data.raceCards, dateAt(data.at)),
  };
}

/** Returns the number of the period during which a cached value is used. */
function toSlot(at: Date): number {
  return Math.floor(at.getTime() / CACHE_MS);
}

/** Reads everything that the pages of all filters show. */
async function readData(at: Date) {
  const [venues, leftToday, standings, rankings, { raceCards }] = await Promise.all([
    readVenueSummaries(at),
    countRemainingToday(at),
    readStandings(),
    readRankings(at),
    listRaceCardsOnSale({ at, limit: MAX_RACE_CARDS }),
  ]);
  const [lastResults, venueTallies] = await Promise.all([
    readLastResults(listCreatorIds(raceCards)),
    readVenueTallies(listCreatorIds(raceCards)),
  ]);
  return {
    at,
    venues: venues.toSorted((a, b) => statusOrder(a) - statusOrder(b)),
    leftToday,
    standings,
    rankings,
    ranks: new Map(rankings.map((ranking) => [ranking.creator.id, ranking])),
    rankedCount: rankings.filter(({ rank }) => rank !== null).length,
    raceCards,
    lastResults,
    talliesHere: new Map(
      venueTallies.map((tally) => [`${tally.creatorId} ${tally.venueId}`, tally]),
    ),
  };
}

type HomeData = Awaited<ReturnType<typeof readData>>;

async function readUncached({ at, filter }: HomeParams) {
  const data = await cachedData(`${toSlot(at)}`, () => readData(at));
  const today = dateAt(data.at);
  const venue = data.venues.find(({ slug }) => slug === filter.venue) ?? null;
  const atVenue = venue
    ? data.raceCards.filter((raceCard) => raceCard.venue.id === venue.id)
    : data.raceCards;
  const days = listDays(atVenue, today);
  const defaultDay = days.find(({ count }) => count > 0)?.date ?? today;
  const date = filter.day ?? defaultDay;
  const ofDay = data.raceCards.filter(({ raceDate }) => raceDate === date);
  const sorted = sortRaceCards(
    atVenue.filter(({ raceDate }) => raceDate === date),
    filter.sort,
    (raceCard) => findTallyHere(data, raceCard),
  );
  const pageCount = Math.max(1, Math.ceil(sorted.length / RACE_CARDS_PER_PAGE));
  const page = Math.min(filter.page, pageCount);
  const raceCards = sorted.slice((page - 1) * RACE_CARDS_PER_PAGE, page * RACE_CARDS_PER_PAGE);
  // The default day has no parameter, so each list has one URL.
  const shown: ListFilter = {
    ...filter,
    day: date === defaultDay ? null : date,
    venue: venue?.slug ?? null,
    page,
  };
  return shareEqual({
    readAt: data.at,
    today,
    date,
    filter: shown,
    pageCount,
    count: sorted.length,
    venues: data.venues.map(toListedVenue),
    venue: venue && { slug: venue.slug, name: venue.name },
    days: days.map(({ date, count }) => ({
      date,
      count,
      path: buildListPath({ ...shown, day: date === defaultDay ? null : date, page: 1 }),
    })),
    tracks: listTracks(ofDay),
    leftToday: data.leftToday,
    summary: summarise(data.rankings),
    board:
      filter.board === "sales"
        ? { kind: "sales" as const, rows: data.standings.map(toStandingRow) }
        : { kind: "record" as const, rows: listBestOf30Days(data.rankings) },
    groups: groupRaceCards(data, raceCards, filter.sort, date === today),
  });
}

/** Makes equal objects and lists one, so that the page's data contains each once. */
function shareEqual<Value>(value: Value, shared = new Map<string, unknown>()): Value {
  if (typeof value !== "object" || value === null) return value;
  const key = JSON.stringify(value);
  if (!shared.has(key))
    shared.set(
      key,
      value instanceof Date
        ? value
        : Array.isArray(value)
          ? value.map((item) => shareEqual(item, shared))
          : Object.fromEntries(
              Object.entries(value).map(([name, item]) => [name, shareEqual(item, shared)]),
            ),
    );
  return shared.get(key) as Value;
}

/** Returns today and the later days with race cards, with the number of race cards. */
function listDays(
  raceCards: readonly RaceCardPreview[],
  today: CalendarDate,
): { date: CalendarDate; count: number }[] {
  const counts = new Map([[today, 0]]);
  for (const { raceDate } of raceCards) counts.set(raceDate, (counts.get(raceDate) ?? 0) + 1);
  return [...counts]
    .map(([date, count]) => ({ date, count }))
    .sort((a, b) => (a.date < b.date ? -1 : 1));
}

/** Returns the tracks of these race cards with the number of race cards. */
function listTracks(raceCards: readonly RaceCardPreview[]) {
  return groupBy(raceCards, ({ venue }) => venue.id).flatMap((group) =>
    group[0] ? [{ slug: group[0].venue.slug, name: group[0].venue.name, count: group.length }] : [],
  );
}

function findTallyHere({ talliesHere }: HomeData, { creator, venue }: RaceCardPreview) {
  return talliesHere.get(`${creator.id} ${venue.id}`);
}

/** Groups race cards by venue if the next off decides their order; otherwise they are one list. */
function groupRaceCards(
  data: HomeData,
  raceCards: readonly RaceCardPreview[],
  sort: ListFilter["sort"],
  isToday: boolean,
) {
  const groups = groupBy(raceCards, ({ venue }) => (sort === "soonest" ? venue.id : ""));
  return groups.map((group) => {
    const venue =
      sort === "soonest" ? data.venues.find(({ id }) => id === group[0]?.venue.id) : undefined;
    const report = isToday ? venue?.today : null;
    return {
      venue: venue
        ? {
            slug: venue.slug,
            name: venue.name,
            going: report?.going ?? null,
            temperatureCelsius: report?.temperatureCelsius ?? null,
            weather: report?.weatherDescription ?? report?.weather ?? null,
          }
        : null,
      rows: group.map((raceCard) => toSharedRow(raceCard, findFigures(data, raceCard))),
    };
  });
}

function findFigures(data: HomeData, raceCard: RaceCardPreview) {
  const ranking = data.ranks.get(raceCard.creator.id);
  const { settled = 0, won = 0 } = findTallyHere(data, raceCard) ?? {};
  return {
    rank: ranking?.rank ?? null,
    rankedCount: data.rankedCount,
    last30Days: ranking?.last30Days ?? { settled: 0, won: 0 },
    here: { settled, won },
    lastResults: data.lastResults.get(raceCard.creator.id) ?? "",
  };
}

/** Returns the totals of all tipsters' records. */
function summarise(rankings: readonly Ranking[]) {
  return {
    tipsters: rankings.length,
    settled: rankings.reduce((sum, { tally }) => sum + tally.settled, 0),
    won: rankings.reduce((sum, { tally }) => sum + tally.won, 0),
  };
}

/** Returns the tipsters with the best records of the last 30 days. */
function listBestOf30Days(rankings: readonly Ranking[]) {
  return rankings
    .filter(({ last30Days }) => last30Days.settled > 0)
    .toSorted((a, b) => compareTrackRecords(a.last30Days, b.last30Days))
    .slice(0, BOARD_LENGTH)
    .map(({ creator, last30Days, rank }) => ({
      slug: creator.slug,
      name: creator.name,
      photo: creator.photo,
      hasOnePersonResults: creator.hasOnePersonResults,
      settled: last30Days.settled,
      won: last30Days.won,
      rank,
    }));
}

/** Returns a venue with only the fields that the page shows, so that the page stays small. */
function toListedVenue({ slug, name, location, today, nextMeeting }: VenueSummary) {
  return {
    slug,
    name,
    location,
    nextMeeting,
    today: today && {
      raceDate: today.raceDate,
      offTimes: today.offTimes,
      going: today.going,
      weather: today.weather,
      weatherDescription: today.weatherDescription,
      temperatureCelsius: today.temperatureCelsius,
      humidityPercent: today.humidityPercent,
      windKmh: today.windKmh,
      source: today.source,
      reportedAt: today.reportedAt,
    },
  };
}

function toStandingRow({ creatorId: _, kind: __, winRate: ___, ...row }: Standing) {
  return row;
}

/** Sorts venues with racing first. */
function statusOrder({ status }: VenueSummary): number {
  return status === null ? STATUS_ORDER.length : STATUS_ORDER.indexOf(status);
}

function listCreatorIds(raceCards: readonly RaceCardPreview[]): string[] {
  return [...new Set(raceCards.map(({ creator }) => creator.id))].sort();
}
