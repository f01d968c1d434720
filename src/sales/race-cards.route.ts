import { findViewerByRequest } from "#accounts/accounts.server.ts";
import type { AsJson } from "#domain/as-json.ts";
import { dateAt, isCalendarDate } from "#domain/calendar.ts";
import type { PriceList } from "#domain/coin-packs.ts";
import { CARD_PRICE_COINS } from "#domain/coins.ts";
import type { LockedTip } from "#domain/tip.ts";
import { now } from "#platform/clock.server.ts";
import { createCachedJson } from "#platform/http/cached-json.server.ts";
import { type HttpContext, jsonError } from "#platform/http/http.server.ts";
import { findVenueByReference } from "#racing/racing.server.ts";
import {
  formatTipCursor,
  listRaceCardsOnSale,
  type PublicTip,
  parseInstantCursor,
  parseTipCursor,
  type RaceCardPreview,
  readPublicTips,
  readPublicTipsOf,
  readRaceCardSummaries,
} from "#tips/tips.server.ts";
import { readPrices } from "#wallet/wallet.server.ts";
import { type OpenedTip, readOpenedTips } from "./opened-cards.server.ts";

const PAGE_SIZE = 20;
const CACHE_CONTROL = "private, no-store";

/** The first race cards on sale, each also as the JSON that a guest sees. */
type FirstPage = { raceCards: { preview: RaceCardPreview; json: string }[]; next: string | null };
type PublicTips = Awaited<ReturnType<typeof readPublicTipsOf>>;

/** The first page as every guest sees it, without the parameters that select race cards. */
export const raceCardsForGuests = createCachedJson<FirstPage>({
  invalidatedBy: ["race-cards"],
  cacheControl: CACHE_CONTROL,
  async read(at) {
    const { raceCards, next } = await listRaceCardsOnSale({ at, limit: PAGE_SIZE });
    const [prices, publicTips] = await Promise.all([
      readPrices(at),
      readPublicTipsOf(raceCards, at),
    ]);
    return {
      raceCards: raceCards.map((preview) => ({
        preview,
        json: JSON.stringify(toRaceCardOnSale(preview, { opened: undefined, publicTips, prices })),
      })),
      next,
    };
  },
  serialise: ({ raceCards, next }) =>
    joinPage(
      raceCards.map(({ json }) => json),
      next,
    ),
});

function joinPage(raceCards: string[], next: string | null): string {
  return `{"raceCards":[${raceCards.join(",")}],"next":${JSON.stringify(next)}}`;
}

/** Returns the first page for a user, with the tips of the race cards that they have opened. */
async function readFirstPageFor(viewerId: string): Promise<string> {
  const { raceCards, next } = await raceCardsForGuests.read();
  const opened = await readOpenedTips(
    viewerId,
    raceCards.map(({ preview }) => preview.id),
  );
  const prices = await readPrices();
  const own = raceCards.map(({ preview, json }) => {
    const tips = opened.get(preview.id);
    return tips
      ? JSON.stringify(toRaceCardOnSale(preview, { opened: tips, publicTips: new Map(), prices }))
      : json;
  });
  return joinPage(own, next);
}

/**
 * GET /api/race-cards: the race cards on sale, soonest off first, with their public selections and the tips
 * of those that the caller has opened. For a date in the past, the public tips of that date.
 */
export async function serveRaceCards(c: HttpContext): Promise<Response> {
  const { venue: venueName, date, cursor } = c.req.query();
  if (date !== undefined && !isCalendarDate(date))
    return jsonError(c, 400, "Write the date as YYYY-MM-DD.");
  const isPast = date !== undefined && date < dateAt(now());
  if (cursor && !(isPast ? parseTipCursor(cursor) : parseInstantCursor(cursor)))
    return jsonError(c, 400, "That cursor belongs to another list. Start again without a cursor.");
  const venue = venueName ? await findVenueByReference(venueName) : null;
  if (venueName && !venue) return jsonError(c, 404, "Venue not found.");
  const viewer = await findViewerByRequest(c.req.raw);
  const isFirstPage = !venue && date === undefined && !cursor;
  if (isFirstPage && !viewer) return await raceCardsForGuests.respond();
  c.header("Cache-Control", CACHE_CONTROL);
  if (isFirstPage && viewer)
    return c.body(await readFirstPageFor(viewer.id), 200, { "Content-Type": "application/json" });
  const venueId = venue?.id ?? null;
  const at = now();
  if (isPast)
    return c.json(
      await readPastRaceCards({ at, date, venueId, cursor, viewerId: viewer?.id ?? null }),
    );

  const page = await listRaceCardsOnSale({ at, venueId, raceDate: date, cursor, limit: PAGE_SIZE });
  const opened = viewer
    ? await readOpenedTips(
        viewer.id,
        page.raceCards.map((raceCard) => raceCard.id),
      )
    : new Map<string, OpenedTip[]>();
  const [prices, publicTips] = await Promise.all([
    readPrices(at),
    readPublicTipsOf(page.raceCards, at),
  ]);
  return c.json({
    raceCards: page.raceCards.map((raceCard) =>
      toRaceCardOnSale(raceCard, { opened: opened.get(raceCard.id), publicTips, prices }),
    ),
    next: page.next,
  });
}

function toRaceCardOnSale(
  raceCard: RaceCardPreview,
  {
    opened,
    publicTips,
    prices: { cardCents },
  }: { opened: OpenedTip[] | undefined; publicTips: PublicTips; prices: PriceList },
) {
  const selections = new Map(
    publicTips.get(raceCard.id)?.map((tip) => [tip.raceNumber, toSelection(tip)]),
  );
  return {
    id: raceCard.id,
    venue: raceCard.venue.name,
    date: raceCard.raceDate,
    tipster: raceCard.creator.name,
    price: CARD_PRICE_COINS,
    priceCents: cardCents,
    opened: opened !== undefined,
    onSale: raceCard.isOnSale,
    meetingConfirmed: raceCard.isMeetingConfirmed,
    racesRun: raceCard.racesRun,
    scratchedRaces: raceCard.scratchedRaces,
    teaser: raceCard.teaser,
    tips:
      opened ?? raceCard.races.map((race) => selections.get(race.raceNumber) ?? toLockedTip(race)),
  };
}

/** Returns the fields of a race that are visible before it is paid for or public. */
function toLockedTip(race: LockedTip): AsJson<LockedTip> {
  return {
    raceNumber: race.raceNumber,
    offAt: race.offAt?.toISOString() ?? null,
    tipType: race.tipType,
    confidence: race.confidence,
  };
}

async function readPastRaceCards(query: {
  at: Date;
  date: string;
  venueId: string | null;
  cursor: string | undefined;
  viewerId: string | null;
}) {
  const { at, date, venueId, cursor, viewerId } = query;
  const { tips, next } = keepWholeRaceCards(
    await readPublicTips({ at, raceDate: date, venueId, cursor, limit: PAGE_SIZE * 4 }),
  );
  const raceCardIds = [...new Set(tips.map((tip) => tip.raceCardId))];
  const summaries = await readRaceCardSummaries(raceCardIds);
  const opened = viewerId
    ? await readOpenedTips(viewerId, raceCardIds)
    : new Map<string, OpenedTip[]>();
  const { cardCents } = await readPrices();
  return {
    raceCards: [...summaries.values()].map((raceCard) => ({
      id: raceCard.id,
      venue: raceCard.venue.name,
      date: raceCard.raceDate,
      tipster: raceCard.creator.name,
      price: CARD_PRICE_COINS,
      priceCents: cardCents,
      opened: opened.has(raceCard.id),
      onSale: false,
      racesRun: tips.filter((tip) => tip.raceCardId === raceCard.id).length,
      teaser: "",
      tips:
        opened.get(raceCard.id) ??
        tips.filter((tip) => tip.raceCardId === raceCard.id).map(toSelection),
    })),
    next,
  };
}

/** Leaves the last race card of a page to the next page, because the limit may have split it. */
function keepWholeRaceCards({ tips, next }: Awaited<ReturnType<typeof readPublicTips>>) {
  const lastId = tips.at(-1)?.raceCardId;
  const whole = next === null ? tips : tips.filter(({ raceCardId }) => raceCardId !== lastId);
  const last = whole.at(-1);
  return { tips: whole, next: next && last ? formatTipCursor(last) : null };
}

/** Returns the fields of a public tip: everything except the analysis. */
function toSelection(tip: PublicTip) {
  return {
    raceNumber: tip.raceNumber,
    offAt: tip.offAt?.toISOString() ?? null,
    tipType: tip.tipType,
    confidence: tip.confidence,
    horseNumber: tip.horseNumber,
    horseName: tip.horseName,
    result: tip.result,
    isClaim: tip.isClaim,
    isOfficial: tip.isOfficial,
    claimedResult: tip.claimedResult,
    publishedAt: tip.publishedAt.toISOString(),
  };
}
